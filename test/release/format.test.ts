import { join } from "node:path";
import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { downloadRelease } from "../../build/release/download.ts";
import { parsePointer, parseRelease, type Release } from "../../build/release/format.ts";
import { sha256 } from "../../build/shards/format.ts";
import { BucketReader } from "../../build/release/reader.ts";
import { NewerFormat, type ObjectStore } from "../../build/release/store.ts";
import { Damaged } from "../../build/shards/format.ts";
import { scratch } from "../scratch.ts";
import { bucketOf, pointing } from "./memory.ts";
import { asked } from "./site.ts";

const NAME = "a".repeat(64);
const sound: Release = {
  format: 1,
  pages: 1,
  shards: [[NAME, 10]],
  files: { "browse/a b.js": [NAME, 0] },
  headers: "",
};

const wrong: [string, unknown][] = [
  ["no object", null],
  ["a list", []],
  ["files: null", { ...sound, files: null }],
  ["files in a list", { ...sound, files: [["a", [NAME, 1]]] }],
  ["a file without its size", { ...sound, files: { a: [NAME] } }],
  ["a NUL in a path", { ...sound, files: { "a\0b": [NAME, 1] } }],
  ["a path that leads out of the folder", { ...sound, files: { "browse/../../a": [NAME, 1] } }],
  ["a path from the root", { ...sound, files: { "/etc/a": [NAME, 1] } }],
  ["an empty path", { ...sound, files: { "": [NAME, 1] } }],
  ["a path to a folder", { ...sound, files: { "browse/": [NAME, 1] } }],
  ["no shards", { ...sound, shards: [] }],
  ["shards: null", { ...sound, shards: null }],
  ["a shard of another name", { ...sound, shards: [["../a", 1]] }],
  ["a shard of fewer than no bytes", { ...sound, shards: [[NAME, -1]] }],
  ["pages that are no number", { ...sound, pages: "1" }],
  ["no headers", { ...sound, headers: undefined }],
];

const printed = (value: unknown): [name: string, bytes: Buffer] => {
  const bytes = Buffer.from(JSON.stringify(value));
  return [sha256(bytes), bytes];
};

describe("a release", () => {
  it("is parsed as it was printed", () => {
    expect(parseRelease(...printed(sound))).toEqual(sound);
  });

  it.each(wrong)(
    "with %s is damaged: for the bucket server, and for a download, which writes nothing",
    async (_, value) => {
      expect(() => parseRelease(...printed(value))).toThrow(Damaged);
      const bucket = bucketOf(pointing(printed(value)[1]));
      const reader = new BucketReader(bucket, {
        memory: 0,
        isShared: true,
        now: () => 0,
        report: () => undefined,
      });
      for (const path of ["/api/v2/pages/1/", "/", "/openapi.json"])
        expect((await reader.answer(asked(path))).status).toBe(502);
      const folder = join(scratch("wrong"), "out");
      await expect(downloadRelease(bucket as unknown as ObjectStore, folder, 1)).rejects.toThrow(Damaged);
      expect(existsSync(folder)).toBe(false);
    },
  );

  it("of a newer format is not treated as damaged", () => {
    expect(() => parseRelease(...printed({ ...sound, format: 2 }))).toThrow(NewerFormat);
    expect(() => parsePointer(printed({ format: 3, release: NAME })[1])).toThrow(NewerFormat);
    expect(() => parsePointer(printed({ format: 0, release: NAME, former: [] })[1])).not.toThrow(NewerFormat);
  });
});
