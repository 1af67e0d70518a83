import { printListen } from "../build/hosting/listen.ts";
import { untilInterrupted } from "../build/dev/folder.ts";
import { openReader } from "../build/release/reader.ts";
import { READING } from "../build/release/s3.ts";
import { serveReader } from "../build/release/serve.ts";
import { BUCKET_ENVIRONMENT, bucketOptions, openBucket } from "./bucket.ts";
import { command, complain, print } from "./command.ts";
import { listenIn } from "./ports.ts";

/** Maximum memory for directories of shards, in bytes: many times that of 62,000 pages. */
const MAX_DIRECTORY_BYTES = 2 ** 26;

const now = (): number => performance.now();
const report = (line: string): void => complain(`${line}\n`);

await command(
  {
    name: "serve:bucket",
    summary:
      "Serves the API from the current release in a bucket. Put nginx or Caddy in front of it (docs/hosting.md).\n" +
      "Ctrl-C ends it.",
    more: BUCKET_ENVIRONMENT,
    status: "0 ended with Ctrl-C, 2 it could not listen, or the bucket does not exist or refuses.",
  },
  {
    ...bucketOptions,
    // Clients wait for these requests, so the default is the maximum.
    "concurrency N": {
      ...bucketOptions["concurrency N"],
      default: "64",
      text: "run at most N requests to the store at a time",
    },
    "listen ADDRESS:PORT": {
      text: "listen on this IP address and port",
      default: "127.0.0.1:3000",
      parse: listenIn,
    },
  },
  async (values) => {
    const { listen } = values;
    const store = openBucket(values, READING);
    const reader = openReader(store, { memory: MAX_DIRECTORY_BYTES, isShared: true, now, report });
    try {
      await reader.open();
      const close = await serveReader(reader, listen);
      print(`Serving ${values.bucket} at http://${printListen(listen)}\n`);
      await untilInterrupted();
      await close();
    } finally {
      store.close();
    }
  },
);
