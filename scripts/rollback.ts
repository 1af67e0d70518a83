import { printable } from "../build/findings/printable.ts";
import { rollBack } from "../build/release/releases.ts";
import { BUCKET_ENVIRONMENT, bucketOptions, openBucket } from "./bucket.ts";
import { command, CommandError, type ExitStatus } from "./command.ts";
import { print } from "./output.ts";

await command(
  {
    name: "rollback",
    args: { "[RELEASE]": "its name as npm run releases lists it, or the first characters of it" },
    does: "Makes the release before the current one current again, or the one that is named.",
    more: BUCKET_ENVIRONMENT,
    status: "0 moved, 2 it could not be moved.",
  },
  bucketOptions,
  async (values, [release, ...more]): Promise<ExitStatus> => {
    if (more.length > 0)
      throw new CommandError(`Name one release at a time, without ${printable(more.join(" "))}.`);
    const store = openBucket(values);
    try {
      print(`The current release is ${await rollBack(store, release)}\n`);
      return 0;
    } finally {
      store.close();
    }
  },
);
