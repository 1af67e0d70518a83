import { plural, thousands } from "../build/base/numbers.ts";
import { printable } from "../build/findings/printable.ts";
import { checkRelease, listReleases, pruneReleases, downloadRelease } from "../build/release/releases.ts";
import { Damaged } from "../build/outputs/shards/format.ts";
import { BUCKET_ENVIRONMENT, bucketOptions, concurrencyOf, openBucket } from "./bucket.ts";
import { command, CommandError, complain, print, refuseUseless, whole, withProgress } from "./command.ts";

const REPAIR = "To repair it, publish with npm run deploy -- --bucket … --full (docs/hosting.md).";

await command(
  {
    name: "releases",
    summary: "Lists the releases in a bucket, newest first, or does one of --check, --prune and --download.",
    more: BUCKET_ENVIRONMENT,
    status: "0 done, 1 an object is damaged or missing, 2 it could not be done.",
  },
  {
    ...bucketOptions,
    check: "read every object of the current release and of the timeline, and compare its hash",
    "prune N": {
      text: "remove objects that neither the current release nor the N releases before it need, if they are more than a day old",
      parse: whole(0, 999),
    },
    "download DIR": "download the current release as an output folder, byte for byte",
  },
  async (values) => {
    const { check, prune, download } = values;
    if ([check, prune !== undefined, download !== undefined].filter(Boolean).length > 1)
      throw new CommandError("Give one of --check, --prune and --download at a time.");
    if (prune !== undefined) refuseUseless(["concurrency"], "--prune");
    const concurrency = concurrencyOf(values);
    const store = openBucket(values);
    try {
      if (prune !== undefined) {
        const { removed, bytes, young, foreign } = await pruneReleases(store, prune);
        const left = young === 0 ? "" : `; ${thousands(young)} unused for less than a day are left`;
        const others = foreign === 0 ? "" : `; ${thousands(foreign)} with foreign names are left`;
        print(`${plural(removed, "object")} removed, ${thousands(bytes)} bytes${left}${others}\n`);
      } else if (download !== undefined) {
        const pages = await withProgress("Downloading", "objects", (progress) =>
          downloadRelease(store, download, concurrency, progress),
        );
        print(`${plural(pages, "page")} in ${download}\n`);
      } else if (check) {
        const { objects, problems } = await withProgress("Checking", "objects", (progress) =>
          checkRelease(store, concurrency, progress),
        );
        for (const problem of problems) complain(`${problem}\n`);
        print(`${plural(objects, "object")} read, ${thousands(problems.length)} damaged or missing\n`);
        if (problems.length === 0) return 0;
        complain(`${REPAIR}\n`);
        return 1;
      } else {
        const { listed, damage } = await listReleases(store, concurrency);
        for (const { name, isCurrent, from, pages, published, note } of listed) {
          const time =
            published === undefined ? "missing" : new Date(published).toISOString().replace(/\.\d+Z$/, "Z");
          const counted = pages === undefined ? "cannot be read" : plural(pages, "page");
          const known = [
            note?.commit && `commit ${note.commit.slice(0, 12)}`,
            note?.by && `by ${printable(note.by)}`,
          ];
          const state = isCurrent ? "(current)" : from === undefined ? "" : `(from ${from})`;
          print(`${[name, time, counted, ...known, state].filter(Boolean).join("  ")}\n`);
        }
        if (damage !== undefined) throw damage;
      }
      return 0;
    } catch (cause) {
      if (!(cause instanceof Damaged)) throw cause;
      complain(`${cause.message} ${REPAIR}\n`);
      return 1;
    } finally {
      store.close();
    }
  },
);
