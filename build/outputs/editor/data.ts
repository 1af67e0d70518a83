import { idFile } from "../../browse/words.js";
import { dataPath, printDataFile, type DataFile } from "../../browse/data-files.ts";
import { pathsLinked } from "../../check/nodes.ts";
import { claimsOf, type Claims } from "../../check/claims.ts";
import { hasExample } from "../../model/model.ts";
import type { OwnImages } from "../../model/media.ts";
import type { EntityKind } from "../../model/page.ts";
import type { Site } from "../../model/site.ts";

/* The published editor's data: source files of live pages with their links, things that they describe, images in `_media/`. */

/** The live pages, by the index of their source file. */
export interface LivePages {
  count: number;
  /** 0 if the file has no live page. */
  id: (file: number) => number;
  path: (file: number) => string;
  /** The targets of the page's links to this website, as written. */
  links: (file: number) => readonly string[];
}

/** Maximum number of things in one data file, which contains the most frequent things of one kind. */
export const MAX_THINGS = 20_000;

/** By id: the path of the source, or a list of it and the linked paths. @param wanted whether to make a data file. */
export function* makeSourceFiles(
  pages: LivePages,
  site: Site | undefined,
  files: number,
  wanted: (file: number) => boolean,
): Generator<DataFile> {
  const divided = Array.from({ length: files }, (): [id: number, source: string | string[]][] => []);
  for (let i = 0; i < pages.count; i++) {
    const id = pages.id(i);
    if (id === 0) continue;
    const file = idFile(id, files);
    if (!wanted(file)) continue;
    const path = pages.path(i);
    const links = site === undefined ? [] : pathsLinked(pages.links(i), site);
    divided[file]?.push([id, links.length === 0 ? path : [path, ...links]]);
  }
  for (const [file, members] of divided.entries()) {
    if (!wanted(file)) continue;
    members.sort(([a], [b]) => a - b);
    const printed = members.map(([id, source]) => `"${id}":${JSON.stringify(source)}`);
    yield [dataPath("sources", file), Buffer.from(printDataFile(files, printed))];
  }
}

/**
 * The things of each kind: the most frequent ones, each below its rank. A thing of which the form reads more has the id of
 * a page that describes it.
 */
export function* makeThingFiles(
  entities: readonly EntityKind[],
  pages: LivePages,
  claims: Claims,
): Generator<DataFile> {
  let number = 0;
  for (const [, rows] of thingsOf(entities, claims, pages.id, MAX_THINGS)) {
    const members = rows.map((row, rank) => `"${rank + 1}":${JSON.stringify(row)}`);
    yield [dataPath("things", number++), Buffer.from(printDataFile(entities.length, members))];
  }
}

/** The list of the images, below `_media/`; empty if the images are on another host. */
export const imageFile = (images: OwnImages | undefined): DataFile => [
  "browse/images.json",
  Buffer.from(`${JSON.stringify([...(images?.paths.keys() ?? [])])}\n`),
];

/**
 * A thing as data files have it: the number of its pages, its key, then the values of its identity's fields, null if
 * omitted, then the id of a page that describes it, if it `hasExample`.
 */
export type ThingRow = [pages: number, ...values: unknown[]];

interface DescribedThing {
  /** The printed values, then the key, one a line, without quotation marks. */
  text: string;
  pages: number;
  /** The smallest id of these pages. */
  example: number;
}

/**
 * The things of each kind, the most frequent first.
 *
 * @param idOf the id of a file's page; if it is 0, its claims do not count.
 * @param most the number of things of a kind; by default all.
 */
export function* thingsOf(
  entities: readonly EntityKind[],
  claims: Claims,
  idOf: (file: number) => number,
  most?: number,
): Generator<[EntityKind, ThingRow[]]> {
  const byKind = new Map(entities.map(({ identity }): [string, DescribedThing[]] => [identity.kind, []]));
  for (const counted of countClaims(claims, idOf)) {
    const end = counted.text.indexOf("\n");
    byKind.get(counted.text.slice(0, end))?.push({ ...counted, text: counted.text.slice(end + 1) });
  }
  for (const kind of entities) {
    const things = byKind.get(kind.identity.kind) ?? [];
    things.sort((a, b) => b.pages - a.pages || (a.text < b.text ? -1 : 1));
    yield [kind, things.slice(0, most).map(rowPrinter(kind))];
  }
}

function* countClaims(claims: Claims, idOf: (file: number) => number): Generator<DescribedThing> {
  const { texts } = claims;
  const stated = new Uint32Array(texts.length);
  const example = new Float64Array(texts.length).fill(Infinity);
  /** By claim: the last file that stated it, counted from 1. */
  const last = new Uint32Array(texts.length);
  for (let i = 0; i < claims.starts.length; i++) {
    const id = idOf(i);
    if (id === 0) continue;
    for (const claim of claimsOf(claims, i)) {
      if (last[claim] === i + 1) continue;
      last[claim] = i + 1;
      stated[claim] = (stated[claim] as number) + 1;
      example[claim] = Math.min(id, example[claim] as number);
    }
  }
  for (const [claim, pages] of stated.entries())
    if (pages > 0) yield { text: texts[claim] ?? "", pages, example: example[claim] as number };
}

function rowPrinter({ identity, model }: EntityKind): (thing: DescribedThing) => ThingRow {
  const areNumbers = [...identity.values, identity.key].map(
    (field) => model.fields.get(field)?.kind === "number",
  );
  return ({ text, pages, example }) => {
    const values = text.split("\n").map((printed, k): unknown => {
      if (printed === "") return null;
      return areNumbers[k] === true ? Number(printed) : JSON.parse(`"${printed}"`);
    });
    const row: ThingRow = [pages, values.pop(), ...values];
    return hasExample(identity) ? [...row, example] : row;
  };
}
