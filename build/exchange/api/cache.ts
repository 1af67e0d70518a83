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
import { objectIn } from "../../source/json/object.ts";
import type { SavedResponse } from "./documents.ts";

/** Maximum age of a response that needs no new request, in milliseconds: pages change. */
const MAX_RESPONSE_AGE_MS = 24 * 60 * 60 * 1000;

const STATE = "state.json";

/**
 * The responses of a host, one file each: a line of JSON (number of the import, status, ETag, hash of the
 * body), then the body. An interrupted import continues with them; a later one revalidates them by ETag.
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

  get(request: string) {
    const path = this.pathOf(request);
    let bytes: Buffer;
    try {
      bytes = readFileSync(path);
    } catch {
      return undefined;
    }
    const end = bytes.indexOf(0x0a);
    const body = bytes.subarray(end + 1);
    const head = headOf(bytes.toString("utf8", 0, Math.max(0, end)));
    // A full disk or a killed process cut the file off.
    if (head === undefined || head.hash !== hashOf(body)) return undefined;
    // Stored recently by this import, or by the interrupted one that it continues: needs no new request.
    const isCurrent = head.run === this.run && Date.now() - statSync(path).mtimeMs < MAX_RESPONSE_AGE_MS;
    const { status, etag } = head;
    return { status, etag, body, isCurrent, saved: { path, name: request, start: end + 1 } };
  }

  put(request: string, status: number, etag: string | undefined, body: Buffer): SavedResponse {
    const path = this.pathOf(request);
    const head = `${JSON.stringify({ run: this.run, status, etag, hash: hashOf(body) })}\n`;
    if (etag !== undefined) this.hasTags = true;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.new`, Buffer.concat([Buffer.from(head), body]));
    renameSync(`${path}.new`, path);
    return { path, name: request, start: Buffer.byteLength(head) };
  }

  /** After a failed import: keeps the responses for the next attempt, and removes a cache without any. */
  suspend(): void {
    if (readdirSync(this.folder).every((name) => name === STATE))
      rmSync(this.folder, { recursive: true, force: true });
  }

  /** After a finished import: keeps the responses only if the host sends ETags, which revalidate them. */
  finish(): void {
    if (this.hasTags) this.remember(true);
    else rmSync(this.folder, { recursive: true, force: true });
  }

  private pathOf(request: string): string {
    const name = hashOf(Buffer.from(request));
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

const headOf = (line: string): { run: number; status: number; etag?: string; hash: string } | undefined =>
  objectIn(line) as ReturnType<typeof headOf>;

/** Maximum age of an unused cache, in milliseconds. */
const MAX_UNUSED_MS = 30 * 24 * 60 * 60 * 1000;

export function pruneCaches(folder: string): void {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const stats = statSync(join(folder, name, STATE), { throwIfNoEntry: false });
    if (stats !== undefined && Date.now() - stats.mtimeMs > MAX_UNUSED_MS)
      rmSync(join(folder, name), { recursive: true, force: true });
  }
}
