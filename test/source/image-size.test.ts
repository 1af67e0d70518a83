import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { imageSize } from "../../build/source/images.ts";
import { FIXTURE_SITE } from "../fixtures.ts";

const sizeOf = (ending: string, bytes: Buffer) =>
  imageSize(ending, (from, length) => bytes.subarray(from, from + length));

const hex = (...parts: string[]): Buffer => Buffer.from(parts.join("").replaceAll(" ", ""), "hex");
const [RIFF, WEBP] = ["52494646 00000000", "57454250"];
const JFIF = "ffe0 0010 4a46494600 0101 00 0001 0001 00 00";
/** Exif data whose only entry is the orientation. */
const exif = (orientation: string): string =>
  `ffe1 0022 457869660000 4d4d002a 00000008 0001 0112 0003 00000001 ${orientation} 0000 00000000`;
const frame = (marker: string): string => `${marker} 000b 08 0294 01e0 01 011100`;

it.each<[name: string, ending: string, bytes: Buffer]>([
  ["GIF", "gif", hex("474946383961 e001 9402")],
  ["PNG", "png", hex("89504e470d0a1a0a 0000000d 49484452 000001e0 00000294 0802000000")],
  ["WebP with loss", "webp", hex(RIFF, WEBP, "56503820 00000000 000000 9d012a e001 9402")],
  ["lossless WebP", "webp", hex(RIFF, WEBP, "5650384c 00000000 2f dfc1a4 00 0000000000")],
  ["extended WebP", "webp", hex(RIFF, WEBP, "56503858 0a000000 00000000 df0100 930200")],
  ["JPEG", "jpg", hex("ffd8", JFIF, frame("ffc0"))],
  ["progressive JPEG after tables and filling bytes", "jpg", hex("ffd8 ffc4 0004 0000 ffff", frame("ffc2"))],
  ["JPEG that browsers turn over", "jpg", hex("ffd8", exif("0003"), frame("ffc0"))],
])("reads the size of a %s image", (_, ending, bytes) => {
  expect(sizeOf(ending, bytes)).toEqual({ width: 480, height: 660 });
  for (let length = 0; length < bytes.length; length++)
    expect([undefined, 480]).toContain(sizeOf(ending, bytes.subarray(0, length))?.width);
});

it("reads the size as browsers show a turned JPEG image", () => {
  expect(sizeOf("jpg", hex("ffd8", exif("0006"), frame("ffc0")))).toEqual({ width: 660, height: 480 });
});

it("reads the size of images that programs have written", () => {
  const folder = join(FIXTURE_SITE, "_media/formats");
  for (const name of readdirSync(folder))
    expect([name, sizeOf(name.split(".")[1] ?? "", readFileSync(join(folder, name)))]).toEqual([
      name,
      { width: 8, height: 6 },
    ]);
});

it("finds no size in a file that only begins like an image", () => {
  for (const ending of ["jpg", "png", "webp", "avif", "gif", "svg"])
    for (const bytes of [hex("ffd8"), Buffer.alloc(5000), Buffer.alloc(5000, 0xff), Buffer.from("<html>")])
      expect(sizeOf(ending, bytes)?.height ?? 0).toBeGreaterThanOrEqual(0);
});
