import { build } from "../../build/pipeline/build.ts";
import { bucketAt } from "../../build/release/address.ts";
import { publish } from "../../build/release/publish.ts";
import { openS3 } from "../../build/release/s3.ts";

/** A publisher of its own, to be killed: `node … publisher.ts CONTENT OUT CACHE`. */
const [, , content = "", out = "", cache = ""] = process.argv;
const store = openS3(bucketAt("s3://pages", undefined, process.env), {
  connections: 4,
  attempts: 6,
  patience: 20_000,
});
await build({ content, out, cache }, async ({ output }) => {
  if (output !== undefined) await publish(output, store, { address: "killed", jobs: 4 });
});
store.close();
