import { join } from "node:path";
import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { downloadRelease } from "../../build/release/releases.ts";
import { parsePointer, parseRelease, type Release, NewerFormat } from "../../build/release/format.ts";
import { Damaged, sha256 } from "../../build/outputs/shards/format.ts";
import { scratch } from "../scratch.ts";
import { bucketOf, pointing } from "./memory.ts";
import { reader, requestFor } from "./site.ts";

const NAME = "a".repeat(64);
const valid: Release = {
  format: 1,
  pages: 1,
  shards: [[NAME, 10]],
  files: { "browse/a b.js": [NAME, 0] },
  headers: "",
};

const wrong: [string, unknown][] = [
  ["no object", null],
  ["a list", []],
  ["files: null", { ...valid, files: null }],
  ["files in a list", { ...valid, files: [["a", [NAME, 1]]] }],
  ["a file without its size", { ...valid, files: { a: [NAME] } }],
  ["a NUL in a path", { ...valid, files: { "a\0b": [NAME, 1] } }],
  ["a path that leads out of the folder", { ...valid, files: { "browse/../../a": [NAME, 1] } }],
  ["a path from the root", { ...valid, files: { "/etc/a": [NAME, 1] } }],
  ["an empty path", { ...valid, files: { "": [NAME, 1] } }],
  ["a path to a folder", { ...valid, files: { "browse/": [NAME, 1] } }],
  ["no shards", { ...valid, shards: [] }],
  ["shards: null", { ...valid, shards: null }],
  ["a shard of another name", { ...valid, shards: [["../a", 1]] }],
  ["a shard of fewer than no bytes", { ...valid, shards: [[NAME, -1]] }],
  ["pages that are no number", { ...valid, pages: "1" }],
  ["no headers", { ...valid, headers: undefined }],
];

const printed = (value: unknown): [name: string, bytes: Buffer] => {
  const bytes = Buffer.from(JSON.stringify(value));
  return [sha256(bytes), bytes];
};

describe("a release", () => {
  it("is parsed as it was printed", () => {
    expect(parseRelease(...printed(valid))).toEqual(valid);
  });

  it.each(wrong)(
    "with %s is damaged: for the bucket server, and for a download, which writes nothing",
    async (_, value) => {
      expect(() => parseRelease(...printed(value))).toThrow(Damaged);
      const bucket = bucketOf(pointing(printed(value)[1]));
      const one = reader(bucket);
      for (const path of ["/api/v2/pages/1/", "/", "/openapi.json"])
        expect((await one.respond(requestFor(path))).status).toBe(502);
      const folder = join(scratch("wrong"), "out");
      await expect(downloadRelease(bucket, folder, 1)).rejects.toThrow(Damaged);
      expect(existsSync(folder)).toBe(false);
    },
  );

  it("of a newer format is not treated as damaged", () => {
    expect(() => parseRelease(...printed({ ...valid, format: 2 }))).toThrow(NewerFormat);
    expect(() => parsePointer(printed({ format: 3, release: NAME })[1])).toThrow(NewerFormat);
    expect(() => parsePointer(printed({ format: 0, release: NAME, former: [] })[1])).not.toThrow(NewerFormat);
  });
});
