import { lstatSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { PAGES } from "../../../build/base/api.ts";
import { Failure } from "../../../build/base/failure.ts";
import { build } from "../../../build/site/build.ts";
import { general, placeWith, workplace, write, type Workplace } from "../site.ts";
import { treeOf } from "../../files.ts";
import { makeSpecial, type Special } from "./special.ts";

/*
 * Builds with a special file in each place of a file or folder of the build, in a process of its own, so that the test
 * can end a build that waits. Prints a line of JSON for each place.
 */

/** Paths in the workplace; `CACHE` is the folder of this output's manifest. */
export const PLACES = [
  "public",
  "public/api",
  "public/api/v2",
  `public/${PAGES}`,
  `public/${PAGES}/404.html`,
  `public/${PAGES}/2`,
  `public/${PAGES}/2/index.json`,
  `public/${PAGES}/2/index.json.gz`,
  `public/${PAGES}/999`,
  "public/_headers",
  "public/_redirects",
  "public/.building",
  "public/.building/lock",
  "public/.building/lock.takeover",
  "public/.building/stamp",
  "public/.building/files",
  "public/.building/files/0",
  "public/.building/pages",
  "public/.building/changed",
  "public/.building/removed",
  "public/.building/changed/2.json",
  "public/.building/pages/2/index.json",
  "public/.building/note.txt",
  "CACHE",
  "CACHE/manifest",
  "CACHE/manifest.new",
  "CACHE/output",
] as const;

export type Place = (typeof PLACES)[number];

export interface Outcome {
  place: Place;
  /** Whether the page of the place was edited before the build. */
  edited: boolean;
  /** “right”: as after a clean build. “refused”: refused and left unchanged. Otherwise a description. */
  outcome: string;
}

/** Every path of a folder with its kind and content, without opening special files, which could block. */
function shapeOf(folder: string): string[] {
  const { mode, size } = lstatSync(folder);
  const isFolder = lstatSync(folder).isDirectory();
  const own = `${folder} ${mode.toString(8)}${isFolder ? "" : ` ${size}`}`;
  return isFolder
    ? [
        own,
        ...readdirSync(folder)
          .sort()
          .flatMap((name) => shapeOf(join(folder, name))),
      ]
    : [own];
}

/** The output of a clean build, by whether the page is edited. */
const clean = new Map<boolean, Record<string, string>>();

async function cleanTree(edited: boolean): Promise<Record<string, string>> {
  const known = clean.get(edited);
  if (known !== undefined) return known;
  const at = placeWith("places-clean");
  if (edited) at.put("about.json", EDITED);
  await build(at);
  const tree = at.tree();
  clean.set(edited, tree);
  return tree;
}

const EDITED = general(2, "Other");

async function tryPlace(kind: Special, place: Place, edited: boolean): Promise<string> {
  const at: Workplace = workplace("places");
  try {
    at.putAll();
    const elsewhere = join(at.folder, "elsewhere");
    mkdirSync(elsewhere);
    write(elsewhere, "keep.txt", "kept");
    if (place !== "public") await build(at);
    const [remembered = ""] = place === "public" ? [] : readdirSync(at.cache);
    const path = join(at.folder, place.replace("CACHE", `cache/${remembered}`));
    await makeSpecial(kind, path, elsewhere);
    if (edited) at.put("about.json", EDITED);
    const before = shapeOf(at.folder);
    try {
      await build(at);
    } catch (cause) {
      if (!(cause instanceof Failure)) return `failed: ${String(cause)}`;
      const isLeft = JSON.stringify(shapeOf(at.folder)) === JSON.stringify(before);
      return isLeft ? "refused" : "refused, but something was changed";
    }
    if (JSON.stringify(treeOf(elsewhere)) !== JSON.stringify({ "keep.txt": "kept" }))
      return "followed a link";
    const tree = at.tree();
    // Outside the pages, third-party files in the output stay.
    for (const folder of ["", "api/", "api/v2/"]) delete tree[`${folder}note.txt`];
    const isRight = isDeepStrictEqual(tree, await cleanTree(edited));
    return isRight ? "right" : `another output: ${Object.keys(tree).join(" ")}`;
  } finally {
    at.remove();
  }
}

/** A link in place of the output leads to the output, so the build accepts it. */
export const placesOf = (kind: Special): readonly Place[] =>
  kind === "link" ? PLACES.filter((place) => place !== "public") : PLACES;

const [kind] = process.argv.slice(2) as [Special?];
if (kind !== undefined && process.argv[1] === fileURLToPath(import.meta.url))
  for (const place of placesOf(kind))
    for (const edited of kind === "fifo" ? [false, true] : [true]) {
      const outcome: Outcome = { place, edited, outcome: await tryPlace(kind, place, edited) };
      process.stdout.write(`${JSON.stringify(outcome)}\n`);
    }
