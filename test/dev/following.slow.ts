import { watch } from "node:fs";
import { describe, expect, it } from "vitest";
import { MEMORY } from "../scratch.ts";
import { general, placeWith, SMALL_SITE } from "../site/site.ts";
import { follows, MUTE, untilClean } from "./following.ts";
import { startPreview } from "./preview.ts";

/** More events than Linux keeps by default (16,384), as each save causes several. */
const MORE_THAN_KEPT = 10_000;
const HOUR = 3_600_000;

describe("edits of whole folders are followed", () => {
  it("with the system's default settings", async () => {
    await expect(follows({ withRoot: true })).resolves.toBeUndefined();
  });

  it("from the system's events, without comparison", async () => {
    await expect(
      follows({ watching: { lookMs: HOUR, compareMs: HOUR }, withRoot: false }),
    ).resolves.toBeUndefined();
  });

  it("by comparison, if the system reports no event", async () => {
    await expect(
      follows({ watching: { compareMs: 20, watch: MUTE }, withRoot: true }),
    ).resolves.toBeUndefined();
  });

  it("with one watch for all folders, as on macOS and Windows", async () => {
    await expect(follows({ watching: { isRecursive: true }, withRoot: true })).resolves.toBeUndefined();
  });

  it("if the system has fewer watches than there are folders", async () => {
    let count = 0;
    await expect(
      follows({
        watching: {
          watch: (path, options, tell) => {
            if (count >= 5) throw Object.assign(new Error("No more watches"), { code: "ENOSPC" });
            const watcher = watch(path, options, tell);
            count++;
            watcher.on("close", () => count--);
            return watcher;
          },
        },
        withRoot: true,
      }),
    ).resolves.toBeUndefined();
  });

  it("if a save was lost among more events than the system keeps", async () => {
    const place = placeWith("lost", SMALL_SITE, MEMORY);
    place.put("last.json", general(900, "Before"));
    const running = await startPreview(place);
    try {
      // Meanwhile this thread reads no event, and no two consecutive events are equal, so the system cannot merge them.
      for (let n = 0; n < MORE_THAN_KEPT; n++)
        for (const [k, slug] of ["one", "two"].entries()) place.put(`${slug}.json`, general(901 + k, `${n}`));
      place.put("last.json", general(900, "After"));
      await expect(untilClean(place, running.baseUrl, new Set(["900"]))).resolves.toBeUndefined();
    } finally {
      await running.close();
      place.remove();
    }
  });
});
