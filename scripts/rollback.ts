import { plural } from "../build/base/numbers.ts";
import { rollBackFolder } from "../build/release/folder.ts";
import { rollBack } from "../build/release/releases.ts";
import { BUCKET_ENVIRONMENT, bucketOptions, openBucket } from "./bucket.ts";
import { command, print, refuseUseless } from "./command.ts";

await command(
  {
    name: "rollback",
    args: {
      "[RELEASE]":
        "its name as npx page-api releases lists it, or the first characters of it; with --to, the name of its folder",
    },
    summary: "Makes the previous release current again, or the named one.",
    more: BUCKET_ENVIRONMENT,
    status: "0 rolled back, 2 it could not be rolled back.",
  },
  {
    ...bucketOptions,
    "bucket URL": bucketOptions["bucket URL"].text,
    "to DIR": "roll back the releases that deploy published to the folder DIR",
  },
  async (values, [release]) => {
    if (values.to !== undefined) {
      refuseUseless(["bucket", "endpoint", "concurrency"], "--to");
      print(`The current release is ${rollBackFolder(values.to, release)}\n`);
      return;
    }
    const store = openBucket(values);
    try {
      const rolledBack = await rollBack(store, release);
      print(`The current release is ${rolledBack.release}\n`);
      if (rolledBack.cleared > 0)
        print(
          `The timeline is cleared: ${plural(rolledBack.cleared, "release")} will not go live. Deploy again to publish a new timeline.\n`,
        );
    } finally {
      store.close();
    }
  },
);
