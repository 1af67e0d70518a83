import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { PAGES } from "../../base/api.ts";
import { Failure } from "../../base/failure.ts";
import { readText } from "../../base/file.ts";
import { childrenPath, furtherChildren } from "../../base/website.ts";
import { isObject, objectIn } from "../../source/json/object.ts";
import type { ReasonCode } from "./report.ts";
import { isId } from "./values.ts";
import { SourceReader, SourceMissing } from "../../source/read.ts";

/** A response in a file, or a list of several. */
export interface SavedResponse {
  path: string;
  name: string;
  /** The range of its bytes in the file, up to the end of the file by default. */
  start: number;
  end?: number;
}

export interface Excluded {
  code: ReasonCode;
  reason: string;
}

/** The responses of an import, and what else their host or folder shows. */
export interface Responses {
  files: readonly SavedResponse[];
  /** The places of pages among their siblings, by id, if there are lists of the pages below parents. */
  readSiblings?: ((parents: ReadonlySet<number>) => Promise<Map<number, number> | undefined>) | undefined;
  /** Missing if the responses are saved files. */
  crawled?: {
    address: string;
    /** Ids of parents that are not published. */
    missing: ReadonlySet<number>;
    /** Pages that must not be imported, even if a list contains them. */
    excluded: ReadonlyMap<number, Excluded>;
  };
  /** The facts about languages that only lists of pages show. */
  languages?: {
    /** A page below the home page of the host's site. */
    childOfRoot: () => Promise<number | undefined>;
    /** The ids of the translations of pages, by their ids. */
    translationsOf: (ids: readonly number[]) => Promise<Map<number, number[]>>;
  };
}

/** Reads responses, which stay on the disk until they are needed. Bytes are valid until the next read. */
export class ResponseReader {
  private readonly reader = new SourceReader();
  private last: { path: string; bytes: Buffer | undefined } | undefined;

  /** Undefined if the file is too large. */
  read({ path, name, start, end }: SavedResponse): Buffer | undefined {
    if (this.last?.path !== path) {
      // Another read overwrites these bytes, even if it fails.
      this.last = undefined;
      try {
        this.last = { path, bytes: this.reader.readBytes(path, name).bytes };
      } catch (cause) {
        if (!(cause instanceof SourceMissing)) throw cause;
        throw new Failure(`${name} was removed or replaced while it was being read. Run the command again.`);
      }
    }
    return this.last.bytes?.subarray(start, end);
  }
}

/** False for a file name that is not UTF-8: the file cannot be opened by the name that was read. */
export const isReadable = (name: string): boolean => !name.includes("\ufffd");

/**
 * The saved responses in a folder: every `*.json` below it, or, in an output folder of this project, below
 * its pages. Links are not followed. @throws Failure if there are none.
 */
export function savedIn(folder: string): Responses {
  const isOutput = statSync(join(folder, PAGES), { throwIfNoEntry: false })?.isDirectory() === true;
  const files: SavedResponse[] = [];
  const visit = (path: string): void => {
    const entries = readdirSync(join(folder, path), { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const name = path === "" ? entry.name : `${path}/${entry.name}`;
      if (entry.isDirectory() && isReadable(entry.name)) visit(name);
      else if (entry.isDirectory() || (entry.isFile() && entry.name.endsWith(".json")))
        files.push({ path: join(folder, name), name, start: 0 });
    }
  };
  visit(isOutput ? PAGES : "");
  if (files.length === 0) throw new Failure(`${folder}: there are no saved responses (*.json) in it.`);
  return { files, readSiblings: (parents) => Promise.resolve(siblingsInOutput(folder, parents)) };
}

/** From the files for websites of an output; undefined without them. */
function siblingsInOutput(folder: string, parents: ReadonlySet<number>): Map<number, number> | undefined {
  const places = new Map<number, number>();
  const fileAt = (path: string) => objectIn(readText(join(folder, path)) ?? "") ?? {};
  for (const parent of parents) {
    const first = fileAt(childrenPath(parent));
    for (const { children } of [first, ...furtherChildren(first).map(fileAt)])
      for (const child of Array.isArray(children) ? (children as unknown[]) : [])
        if (isObject(child) && isId(child["id"])) places.set(child["id"], places.size);
  }
  return places.size === 0 ? undefined : places;
}
