import { lstatSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { PAGES } from "../../build/base/api.ts";
import { Failure } from "../../build/base/failure.ts";
import { build } from "../../build/pipeline/build.ts";
import { general, workplace, write, writeSite, type Workplace } from "../pipeline/site.ts";
import { treeOf } from "../files.ts";
import { makeSpecial, type Special } from "./special.ts";

/*
 * Builds with something of a kind in each place where the build has a file or a folder, in a process of its own: one
 * that waits is ended from outside. Prints a line of JSON for each place.
 */

/** Paths in the workplace; `CACHE` stands for the folder in which this output is remembered. */
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
  "public/.building/_headers",
  "public/.building/pages",
  "public/.building/changed",
  "public/.building/removed",
  "public/.building/changed/2.json",
  "public/.building/pages/2/index.json",
  "public/.building/note.txt",
  "CACHE",
  "CACHE/manifest",
  "CACHE/manifest.new",
  "CACHE/claims",
  "CACHE/output",
] as const;

export type Place = (typeof PLACES)[number];

export interface Outcome {
  place: Place;
  /** Nothing changed in the sources, or the page in question did. */
  edited: boolean;
  /** Built as a clean build does, refused with what stood there left alone; or what else happened. */
  outcome: string;
}

/** What stands where, and what is in it, without opening what may keep one waiting. */
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

/** What a clean build writes, by whether the page is edited. */
const clean = new Map<boolean, Record<string, string>>();

async function cleanTree(edited: boolean): Promise<Record<string, string>> {
  const known = clean.get(edited);
  if (known !== undefined) return known;
  const at = workplace("places-clean");
  writeSite(at.content);
  if (edited) write(at.content, "about.json", EDITED);
  await build(at);
  const tree = treeOf(at.out);
  clean.set(edited, tree);
  return tree;
}

const EDITED = general(2, "Other");

async function tryPlace(kind: Special, place: Place, edited: boolean): Promise<string> {
  const at: Workplace = workplace("places");
  try {
    writeSite(at.content);
    const elsewhere = join(at.folder, "elsewhere");
    mkdirSync(elsewhere);
    write(elsewhere, "keep.txt", "kept");
    if (place !== "public") await build(at);
    const [remembered = ""] = place === "public" ? [] : readdirSync(at.cache);
    const path = join(at.folder, place.replace("CACHE", `cache/${remembered}`));
    await makeSpecial(kind, path, elsewhere);
    if (edited) write(at.content, "about.json", EDITED);
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
    const tree = treeOf(at.out);
    // Beside the pages, what people put into the output stays.
    for (const folder of ["", "api/", "api/v2/"]) delete tree[`${folder}note.txt`];
    const isRight = isDeepStrictEqual(tree, await cleanTree(edited));
    return isRight ? "right" : `another output: ${Object.keys(tree).join(" ")}`;
  } finally {
    at.remove();
  }
}

/** What links to an output is the output: that is no place of the build's. */
export const placesOf = (kind: Special): readonly Place[] =>
  kind === "link" ? PLACES.filter((place) => place !== "public") : PLACES;

const [kind] = process.argv.slice(2) as [Special?];
if (kind !== undefined && process.argv[1] === fileURLToPath(import.meta.url))
  for (const place of placesOf(kind))
    for (const edited of kind === "fifo" ? [false, true] : [true]) {
      const outcome: Outcome = { place, edited, outcome: await tryPlace(kind, place, edited) };
      process.stdout.write(`${JSON.stringify(outcome)}\n`);
    }
