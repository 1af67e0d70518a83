import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { PAGES } from "../../base/api.ts";
import { Failure } from "../../base/failure.ts";
import { MAX_BYTES, MAX_DEPTH } from "../../json/parse.ts";
import { SourceReader, SourceVanished } from "../../sources/read.ts";

/** A file with a response, or with a listing of several. */
export interface SavedFile {
  path: string;
  /** Its name in a report. */
  name: string;
  /** The offset of the response in the file, in bytes. */
  start: number;
}

/** The location of a response in a file. */
interface Extent {
  file: number;
  start: number;
  /** Undefined: to the file's end. */
  end: number | undefined;
}

/** The responses to import. They stay on the disk, and are read only when they are needed. */
export class Documents {
  readonly files: readonly SavedFile[];
  private readonly extents: Extent[] = [];
  private readonly reader = new SourceReader();
  private last: { file: number; bytes: Buffer | undefined } | undefined;

  constructor(files: readonly SavedFile[]) {
    this.files = files;
  }

  /** Adds a response and returns its number. */
  add(file: number, start: number, end?: number): number {
    return this.extents.push({ file, start, end }) - 1;
  }

  /**
   * The bytes of a file from the beginning of its response, valid until the next read; undefined if the file is too
   * large.
   */
  readFile(file: number): Buffer | undefined {
    if (this.last?.file !== file) {
      const { path, name } = this.files[file] as SavedFile;
      this.last = undefined;
      this.last = { file, bytes: this.bytesOf(path, name) };
    }
    return this.last.bytes?.subarray(this.files[file]?.start);
  }

  private bytesOf(path: string, name: string): Buffer | undefined {
    try {
      return this.reader.readBytes(path, name).bytes;
    } catch (cause) {
      if (!(cause instanceof SourceVanished)) throw cause;
      throw new Failure(`${name} was removed or replaced while it was being read. Run the command again.`);
    }
  }

  /** A response's bytes, valid until the next read. */
  read(document: number): Buffer {
    const { file, start, end } = this.extents[document] as Extent;
    return this.readFile(file)?.subarray(start, end) ?? Buffer.alloc(0);
  }

  nameOf(document: number): string {
    return this.files[this.extents[document]?.file ?? 0]?.name ?? "";
  }
}

export const TOO_DEEP = `lists and objects are nested more than ${MAX_DEPTH} levels deep`;
export const TOO_LARGE = `it is larger than ${MAX_BYTES / 2 ** 20} MiB`;

/** False for a file name that is not UTF-8: the file cannot be opened by the name that was read. */
export const isReadable = (name: string): boolean => !name.includes("\ufffd");

/**
 * The saved responses in a folder: every `*.json` below it, or, in an output folder of this project, below its pages.
 * Links are not followed.
 *
 * @throws Failure if there are none.
 */
export function documentsIn(folder: string): Documents {
  const isOutput = statSync(join(folder, PAGES), { throwIfNoEntry: false })?.isDirectory() === true;
  const files: SavedFile[] = [];
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
  return new Documents(files);
}
