import { rollBack } from "../build/release/releases.ts";
import { BUCKET_ENVIRONMENT, BUCKET_USAGE, bucketOptions, openBucket } from "./bucket.ts";
import { command, CommandError, type ExitStatus } from "./command.ts";
import { print } from "./output.ts";

const USAGE = `npm run rollback -- --bucket s3://BUCKET[/PREFIX] [RELEASE] [--endpoint URL]

Makes the release before the current one current again, or the one that is named: by npm run releases, or the first
characters of its name.

${BUCKET_USAGE}

${BUCKET_ENVIRONMENT}

Exit status: 0 moved, 2 it could not be moved.`;

await command(USAGE, { ...bucketOptions }, async (values, [release, ...more]): Promise<ExitStatus> => {
  if (more.length > 0) throw new CommandError(`unexpected argument ${more[0]}\n${USAGE.split("\n")[0]}`);
  const store = openBucket(values);
  try {
    print(`The current release is ${await rollBack(store, release)}\n`);
    return 0;
  } finally {
    store.close();
  }
});
