import { closeSync, constants, openSync, readSync } from "node:fs";
import { Failure } from "../base/failure.ts";
import { MAX_BYTES, parseJson, tooLarge, type ParsedJson } from "../json/parse.ts";
import { seen, statBehind, type SeenStat } from "../base/stat.ts";

/** The sources changed under the build's hands; built again, it comes out right. */
export class SourceVanished extends Failure {
  constructor(file: string) {
    super(`${file} was removed or replaced while the build was reading; nothing was published. Build again.`);
  }
}

/** Without O_NONBLOCK, opening a FIFO waits for somebody who writes to it. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** The errors of a file that is not there, is a link, lies below another file, or is a socket or a device without a driver. */
const GONE: ReadonlySet<string> = new Set(["ENOENT", "ELOOP", "ENOTDIR", "ENXIO", "ENODEV"]);

/** A larger source gets a buffer of its own, which goes with it. */
// tuning: it only saves memory
const MAX_KEPT = 1 << 20;

/** Reads sources into one buffer that is used again: a page's bytes are gone when the next is read. */
export class SourceReader {
  private buffer = Buffer.allocUnsafe(1 << 16);

  /** A source's bytes, good until the next read, and what parses them. See `readBytes` for what it throws. */
  readBoth(content: string, file: string): { bytes: Buffer | undefined; parsed: () => ParsedJson } {
    const { bytes, stat } = this.readBytes(`${content}/${file}`, file);
    return {
      bytes,
      parsed: () => (bytes === undefined ? tooLarge(file, stat.size) : parseJson(file, bytes)),
    };
  }

  /** A source, parsed. See `readBytes` for what it throws. */
  read(content: string, file: string): { parsed: ParsedJson; stat: SeenStat } {
    const { bytes, stat } = this.readBytes(`${content}/${file}`, file);
    return { parsed: bytes === undefined ? tooLarge(file, stat.size) : parseJson(file, bytes), stat };
  }

  /** A file's text, under the conditions of a source; undefined where it cannot be read, or is larger than a source may be. */
  textOf(path: string): string | undefined {
    try {
      return this.readBytes(path, path).bytes?.toString("utf8");
    } catch {
      return undefined;
    }
  }

  /**
   * The bytes of a regular file: no link is followed, and nothing is waited for or read without end, whatever took the
   * file's place since it was found.
   *
   * @returns no bytes where the file is larger than a source may be.
   * @throws SourceVanished where the file is not there any more, or something else is.
   * @throws the system's error where it cannot be read.
   */
  readBytes(path: string, file: string): { bytes: Buffer | undefined; stat: SeenStat } {
    let handle: number;
    try {
      handle = openSync(path, FLAGS);
    } catch (cause) {
      if (GONE.has((cause as NodeJS.ErrnoException).code ?? "")) throw new SourceVanished(file);
      throw cause;
    }
    try {
      const stat = statBehind(handle);
      if (stat.type !== "file") throw new SourceVanished(file);
      const { size } = stat;
      // Judged by its size alone.
      if (size > MAX_BYTES) return { bytes: undefined, stat: seen(stat) };
      if (this.buffer.length < size && size <= MAX_KEPT) this.buffer = Buffer.allocUnsafe(2 * size);
      const buffer = size <= MAX_KEPT ? this.buffer : Buffer.allocUnsafeSlow(size);
      let length = 0;
      while (length < size) {
        const read = readSync(handle, buffer, length, size - length, null);
        // Shorter than it was: the next build sees by its times that it changed, and reads it again.
        if (read === 0) break;
        length += read;
      }
      return { bytes: buffer.subarray(0, length), stat: seen(stat) };
    } finally {
      closeSync(handle);
    }
  }
}
