import { execFile } from "node:child_process";
import { describe, expect, it } from "vitest";
import { PROGRAM_FOLDER } from "../../../build/base/folders.ts";
import { PLACES, placesOf, type Outcome, type Place } from "./places.ts";
import { canMakeDevices, SPECIAL, type Special } from "./special.ts";
import { compileProgram } from "../../robustness/process.ts";

const program = await compileProgram("test/site/output/places.ts");

const outcomes = (kind: Special): Promise<Outcome[]> =>
  new Promise((resolve) => {
    const options = { cwd: PROGRAM_FOLDER, timeout: 300_000, killSignal: "SIGKILL" } as const;
    execFile(process.execPath, [program, kind], options, (_, stdout) =>
      resolve(
        stdout
          .split("\n")
          .filter((line) => line !== "")
          .map((line) => JSON.parse(line) as Outcome),
      ),
    );
  });

/** Folders that the build needs. It replaces nothing in their place, because a folder may contain third-party files. */
const FOLDERS: ReadonlySet<Place> = new Set([
  "public",
  "public/api",
  "public/api/v2",
  "public/api/v2/pages",
  "public/.building",
  "public/.building/pages",
  "public/.building/changed",
  "public/.building/files",
  "public/.building/removed",
]);
/** Its contents were pages until the build removed them. */
const ON_ITS_WAY_OUT: Place = "public/.building/removed";
const NOT_OF_THE_BUILD: Place = "public/.building/note.txt";
/** Files of the build outside the pages. A folder in their place may contain third-party files. */
const FILES: ReadonlySet<Place> = new Set(
  PLACES.filter(
    (place) => (place.startsWith("public/_") || place.startsWith("public/.building/")) && !FOLDERS.has(place),
  ),
);

function expected(kind: Special, place: Place): string {
  if (place === NOT_OF_THE_BUILD) return "refused";
  if (place === ON_ITS_WAY_OUT && kind === "folder") return "right";
  if (FOLDERS.has(place)) {
    // A folder is fine, but the staging folder may contain only staged files.
    if (kind === "folder") return place.startsWith("public/.building") ? "refused" : "right";
    return "refused";
  }
  // A build never leaves a link in its staging folder.
  const isStaged = place.startsWith("public/.building/") && !place.includes("lock");
  if (FILES.has(place) && (kind === "folder" || (kind === "link" && isStaged))) return "refused";
  return "right";
}

describe.concurrent.each(SPECIAL.filter((kind) => kind !== "device" || canMakeDevices()))(
  "a %s in the place of something of the build's",
  (kind) => {
    it("is replaced if it is empty or the build's own, and otherwise refused and left unchanged; the build never waits", async () => {
      const wanted = placesOf(kind).flatMap((place) =>
        (kind === "fifo" ? [false, true] : [true]).map((edited) => ({
          place,
          edited,
          outcome: expected(kind, place),
        })),
      );
      expect(await outcomes(kind)).toEqual(wanted);
    });
  },
);
