import type { Read } from "./unzip.ts";

/** Whether gzip is named and not refused: what every client understands needs no guess about `*`. */
export const acceptsGzip = (accepted: string | undefined): boolean =>
  accepted !== undefined &&
  accepted.split(",").some((part) => {
    const [name = "", ...parameters] = part.split(";").map((word) => word.trim().toLowerCase());
    return name === "gzip" && !parameters.some((word) => /^q=0(?:\.0*)?$/.test(word));
  });

/** No name, no time, no system. */
const HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);

/** A page as gzip, of the very bytes that lie in the ZIP file. */
export function gzipOf({ deflated, crc, bytes }: Read): Buffer {
  const end = Buffer.alloc(8);
  end.writeUInt32LE(crc, 0);
  end.writeUInt32LE(bytes.length, 4);
  return Buffer.concat([HEAD, deflated, end]);
}
