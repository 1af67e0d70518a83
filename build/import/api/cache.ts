import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { isObject } from "../../json/object.ts";
import type { SavedFile } from "./documents.ts";

/** What a host answered, kept on the disk. */
export interface CacheEntry {
  status: number;
  etag: string | undefined;
  body: Buffer;
  /** Whether it was kept by the import that is under way, and not too long ago: it need not be asked for again. */
  isCurrent: boolean;
  saved: SavedFile;
}

/** After so many milliseconds an import that was interrupted begins anew: pages change. */
const TOO_OLD = 24 * 60 * 60 * 1000;

const STATE = "state.json";

/**
 * The answers of a host, one file each: a line of JSON (the import, the status, the tag, the body's hash), then the
 * body. An import that was interrupted goes on with them. A later one asks by their tags whether they still hold.
 */
export class ResponseCache {
  private readonly folder: string;
  private readonly run: number;
  private hasTags: boolean;

  constructor(folder: string) {
    this.folder = folder;
    const { run = 0, finished = true, tags = false } = this.state();
    this.run = finished ? run + 1 : run;
    this.hasTags = tags;
    mkdirSync(folder, { recursive: true });
    this.remember(false);
  }

  get(question: string): CacheEntry | undefined {
    const path = this.pathOf(question);
    let bytes: Buffer;
    try {
      bytes = readFileSync(path);
    } catch {
      return undefined;
    }
    const end = bytes.indexOf(0x0a);
    const body = bytes.subarray(end + 1);
    const head = headOf(bytes.toString("utf8", 0, Math.max(0, end)));
    // Cut off, by a full disk or a killed process.
    if (head === undefined || head.hash !== hashOf(body)) return undefined;
    const isCurrent = head.run === this.run && Date.now() - statSync(path).mtimeMs < TOO_OLD;
    const { status, etag } = head;
    return { status, etag, body, isCurrent, saved: { path, name: question, start: end + 1 } };
  }

  put(question: string, status: number, etag: string | undefined, body: Buffer): SavedFile {
    const path = this.pathOf(question);
    const head = `${JSON.stringify({ run: this.run, status, etag, hash: hashOf(body) })}\n`;
    if (etag !== undefined) this.hasTags = true;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.new`, Buffer.concat([Buffer.from(head), body]));
    renameSync(`${path}.new`, path);
    return { path, name: question, start: Buffer.byteLength(head) };
  }

  /** The import has failed: what it kept is there for the next attempt, if there is anything. */
  suspend(): void {
    if (readdirSync(this.folder).every((name) => name === STATE))
      rmSync(this.folder, { recursive: true, force: true });
  }

  /** The import has ended: what it kept is of use only where the host can be asked whether it still holds. */
  finish(): void {
    if (this.hasTags) this.remember(true);
    else rmSync(this.folder, { recursive: true, force: true });
  }

  private pathOf(question: string): string {
    const name = hashOf(Buffer.from(question));
    return join(this.folder, name.slice(0, 2), name.slice(2));
  }

  private state(): { run?: number; finished?: boolean; tags?: boolean } {
    try {
      return JSON.parse(readFileSync(join(this.folder, STATE), "utf8")) as object;
    } catch {
      return {};
    }
  }

  private remember(finished: boolean): void {
    const state = JSON.stringify({ run: this.run, finished, tags: this.hasTags });
    writeFileSync(join(this.folder, STATE), `${state}\n`);
  }
}

const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex").slice(0, 32);

function headOf(line: string): { run: number; status: number; etag?: string; hash: string } | undefined {
  try {
    const head: unknown = JSON.parse(line);
    return isObject(head) ? (head as ReturnType<typeof headOf>) : undefined;
  } catch {
    return undefined;
  }
}

/** After so many milliseconds nobody comes back to an import. */
const FORGOTTEN = 30 * 24 * 60 * 60 * 1000;

/** Removes what imports of long ago have kept. */
export function pruneCaches(folder: string): void {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const stats = statSync(join(folder, name, STATE), { throwIfNoEntry: false });
    if (stats !== undefined && Date.now() - stats.mtimeMs > FORGOTTEN)
      rmSync(join(folder, name), { recursive: true, force: true });
  }
}
