import { recordStat, type RecordedStat, readInto, withFile, sameStat, type Stat } from "../base/file.ts";
import { Failure } from "../base/failure.ts";
import { limitsOf, parseJson, tooLarge, type ParsedJson } from "./json/parse.ts";
import type { SourceIndex } from "./source-index.ts";

/** A source was removed or replaced during the build. Another build reads it correctly. */
export class SourceMissing extends Failure {
  constructor(file: string) {
    super(`${file} was removed or replaced while the build was reading; nothing was published. Build again.`);
  }
}

/** The errors for a file that is missing, a link, below another file, a socket, or a device without a driver. */
const GONE: ReadonlySet<string> = new Set(["ENOENT", "ELOOP", "ENOTDIR", "ENXIO", "ENODEV"]);

/**
 * Calls `use` with a regular file of the sources, which is open. It follows no link.
 *
 * @param file the file's name in errors.
 * @throws SourceMissing if the file does not exist, or is not a regular file any more.
 * @throws the system's error if it cannot be read.
 */
export const withSource = <T>(path: string, file: string, use: (handle: number, stat: Stat) => T): T =>
  withFile(path, use, (cause) => {
    const isGone = cause === undefined || GONE.has((cause as NodeJS.ErrnoException).code ?? "");
    throw isGone ? new SourceMissing(file) : cause;
  });

/** Maximum bytes of a source that is read into the shared buffer; a larger one gets a temporary buffer. */
const MAX_KEPT = 1 << 20;

/** `bytes` is missing if the source is larger than a source may be. */
export interface SourceBytes {
  file: string;
  bytes: Buffer | undefined;
  size: number;
}

/** A source that was read before. With its bytes, it need not be read again. */
export interface KnownSource {
  stat: RecordedStat;
  bytes?: Uint8Array | undefined;
}

/** Reads sources into one buffer: the next read overwrites the bytes. */
export class SourceReader {
  private buffer = Buffer.allocUnsafe(1 << 16);

  /** A source's bytes, valid until the next read, and a function that parses them. Throws as `readBytes` does. */
  read(content: string, file: string): { bytes: Buffer | undefined; parsed: () => ParsedJson } {
    const { bytes, size } = this.readBytes(`${content}/${file}`, file);
    return {
      bytes,
      parsed: () => (bytes === undefined ? tooLarge(file, size) : parseJson(file, bytes)),
    };
  }

  /** Undefined if the file cannot be read, or is larger than a source may be. */
  textOf(path: string): string | undefined {
    try {
      return this.readBytes(path, path).bytes?.toString("utf8");
    } catch {
      return undefined;
    }
  }

  /**
   * It follows no link, and neither waits nor reads endlessly, whatever has replaced the file since it was found.
   *
   * @throws SourceMissing if the file has changed since it was known, and as `withSource` does.
   */
  readBytes(path: string, file: string, known?: KnownSource): SourceBytes & Pick<KnownSource, "stat"> {
    if (known?.bytes) {
      const bytes = this.room(known.bytes.length);
      bytes.set(known.bytes);
      return { file, size: known.stat.size, bytes, stat: known.stat };
    }
    return withSource(path, file, (handle, now) => {
      if (known && !sameStat(now, known.stat)) throw new SourceMissing(file);
      const { size } = now;
      const source = { file, size, bytes: undefined, stat: known?.stat ?? recordStat(now) };
      if (size > limitsOf(file).bytes) return source;
      const buffer = this.room(size);
      // Fewer, if the file became shorter. Its times have changed too, so the next build reads it again.
      const read = readInto(handle, buffer);
      return { ...source, bytes: read === size ? buffer : buffer.subarray(0, read) };
    });
  }

  private room(size: number): Buffer {
    if (size > MAX_KEPT) return Buffer.allocUnsafeSlow(size);
    if (this.buffer.length < size) this.buffer = Buffer.allocUnsafe(2 * size);
    return this.buffer.subarray(0, size);
  }
}

/** The bytes are valid until the next source. Throws as `readBytes` does. */
export function* readSources(
  content: string,
  index: SourceIndex,
): Generator<{ file: string; bytes: Buffer | undefined }> {
  const reader = new SourceReader();
  for (let i = 0; i < index.count; i++) {
    const file = index.path(i);
    yield { file, bytes: reader.readBytes(`${content}/${file}`, file).bytes };
  }
}
