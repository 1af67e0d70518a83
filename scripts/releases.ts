import { plural, thousands } from "../build/base/numbers.ts";
import { checkRelease, downloadRelease, listReleases, pruneReleases } from "../build/release/releases.ts";
import { BUCKET_ENVIRONMENT, bucketOptions, jobsOf, openBucket } from "./bucket.ts";
import { command, CommandError, wholeNumber, type ExitStatus } from "./command.ts";
import { complain, print, progressOn } from "./output.ts";

await command(
  {
    name: "releases",
    does: "Lists the releases in a bucket, newest first, or does one of --check, --prune and --download.",
    more: BUCKET_ENVIRONMENT,
    status: "0 done, 1 an object is damaged or missing, 2 it could not be done.",
  },
  {
    ...bucketOptions,
    check: {
      type: "boolean",
      default: false,
      words: "read every object of the current release and compare its hash",
    },
    prune: {
      type: "string",
      value: "N",
      words:
        "remove what neither the current release nor the N latest former ones need, and what has been lying unused for a day",
    },
    download: {
      type: "string",
      value: "DIR",
      words: "bring the current release back as an output folder, byte for byte",
    },
  },
  async (values): Promise<ExitStatus> => {
    const { check, prune, download } = values;
    if ([check, prune !== undefined, download !== undefined].filter(Boolean).length > 1)
      throw new CommandError("Give one of --check, --prune and --download at a time.");
    const kept = prune === undefined ? undefined : wholeNumber("--prune", prune, { to: 999 });
    const jobs = jobsOf(values);
    const store = openBucket(values);
    const progress = progressOn(process.stderr, check ? "Checking" : "Downloading", "objects");
    try {
      if (kept !== undefined) {
        const { removed, bytes, young } = await pruneReleases(store, kept);
        const left = young === 0 ? "" : `; ${thousands(young)} unused for less than a day are left`;
        print(`${plural(removed, "object")} removed, ${thousands(bytes)} bytes${left}\n`);
      } else if (download !== undefined) {
        const pages = await downloadRelease(store, download, jobs, progress.show);
        progress.clear();
        print(`${plural(pages, "page")} in ${download}\n`);
      } else if (check) {
        const { objects, problems } = await checkRelease(store, jobs, progress.show);
        progress.clear();
        for (const problem of problems) complain(`${problem}\n`);
        print(`${plural(objects, "object")} read, ${thousands(problems.length)} damaged or missing\n`);
        return problems.length === 0 ? 0 : 1;
      } else
        for (const { name, isCurrent, pages, published } of await listReleases(store, jobs)) {
          const time =
            published === undefined ? "missing" : `${new Date(published).toISOString().slice(0, 16)}Z`;
          const counted = pages === undefined ? "cannot be read" : plural(pages, "page");
          print(`${name}  ${time}  ${counted}${isCurrent ? "  (current)" : ""}\n`);
        }
      return 0;
    } finally {
      progress.clear();
      store.close();
    }
  },
);
