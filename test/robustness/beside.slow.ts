import { execFileSync, spawn } from "node:child_process";
import {
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { commandLine } from "../command.ts";
import { commit, git } from "../change/diff/repository.ts";
import { MAX_BYTES } from "../../build/source/json/parse.ts";
import { general, SMALL_SITE, work } from "../site/site.ts";
import { placeOfEachTest } from "../each.ts";

/*
 * Tests entries of a content folder that are not sources, or that replace a source. With any of them, every command
 * ends soon and with little memory, and reads only sources.
 */

const PEAK = new URL("peak.mjs", import.meta.url).href;
const MAX_MEBIBYTES = 300;
/** It reads a file again to check it: up to 280, which is too close to the maximum of the others on a busy machine. */
const MAX_MEBIBYTES_OF_FIX = 400;

const place = placeOfEachTest("beside", SMALL_SITE);
let sockets: Server[];
beforeEach(() => {
  git(place.folder, "init", "--quiet", "--initial-branch", "main");
  commit(place.folder);
  sockets = [];
});
afterEach(() => {
  for (const socket of sockets) socket.close();
});

const fifo = (path: string): void => void execFileSync("mkfifo", [place.file(path)]);
const sparse = (path: string, size: number): void => {
  writeFileSync(place.file(path), "{");
  truncateSync(place.file(path), size);
};
const socket = (path: string): Promise<void> =>
  new Promise((resolve) => {
    sockets.push(createServer().listen(place.file(path), resolve));
  });
/** Replaces a source that git tracks. */
const inPlaceOf = (path: string, put: (path: string) => unknown): unknown => {
  rmSync(place.file(path), { recursive: true });
  return put(path);
};
const zero = (path: string): void => symlinkSync("/dev/zero", place.file(path));

/** A name that is not UTF-8: é in Latin-1. */
const latin1 = (before: string, after: string): Buffer =>
  Buffer.concat([Buffer.from(place.file(before)), Buffer.from([0xe9]), Buffer.from(after)]);

const GIGABYTE = 1_200_000_000;

/** A work of the maximum size of a source. A field is filled with `unit` up to this size. */
const large = (id: number, field: string, before: string, unit: string, after: string): void => {
  const start = JSON.stringify(work(id, "Large")).replace(/\}$/, `,"${field}":${before}`);
  const end = `${after}}\n`;
  const room = MAX_BYTES - Buffer.byteLength(start) - Buffer.byteLength(end);
  place.put(`works/large-${id}.json`, start + unit.repeat(Math.floor(room / unit.length)) + end);
};

/** Entries in one site; and, by its code, the files of each finding with such a code or outside the site's sources. */
const THINGS: Record<string, [put: () => unknown, found: Record<string, string>]> = {
  "a socket, a film, and folders that are named like a source, one of them in its place": [
    async () => {
      await socket("s.json");
      sparse("film.mp4", GIGABYTE);
      mkdirSync(place.file("x.json"));
      inPlaceOf("about.json", (path) => mkdirSync(place.file(path)));
    },
    { "other-file": "film.mp4 s.json" },
  ],
  "a device, a FIFO and films that are named like a source, or in its place; links in a loop, and to sources":
    [
      () => {
        zero("zero.json");
        inPlaceOf("about.json", zero);
        inPlaceOf("projects/wet/notes.json", fifo);
        sparse("film.json", GIGABYTE);
        inPlaceOf("works/_a/pool.json", (path) => sparse(path, GIGABYTE));
        symlinkSync("b.json", place.file("a.json"));
        symlinkSync("a.json", place.file("b.json"));
        symlinkSync(".", place.file("projects/circle"));
        renameSync(place.file("visit"), join(place.folder, "elsewhere"));
        symlinkSync("../elsewhere", place.file("visit"));
      },
      {
        "file-too-large": "film.json works/_a/pool.json",
        "link-in-content": "a.json about.json b.json projects/circle visit zero.json",
        "other-file": "projects/wet/notes.json",
      },
    ],
  "a link to an endless device in place of _site.json": [
    () => inPlaceOf("_site.json", zero),
    { "link-in-content": "_site.json", "site-missing": "_site.json" },
  ],
  "a FIFO in place of _site.json": [
    () => inPlaceOf("_site.json", fifo),
    { "other-file": "_site.json", "site-missing": "_site.json" },
  ],
  "30,000 stray files in one folder": [
    () => {
      mkdirSync(place.file("stray"));
      for (let i = 0; i < 30_000; i++) writeFileSync(place.file(`stray/${i}.txt`), "");
    },
    { "more-findings": "stray/FILE.txt", "other-file": "stray/FILE.txt" },
  ],
  "sources of the maximum size, of one string and of line breaks in one string": [
    () => {
      large(90, "medium", '"', "a", '"');
      large(91, "medium", '"', "\\n", '"');
    },
    {},
  ],
  "sources of the maximum size, of line breaks, numbers, empty objects, comments, strings and mistakes in HTML":
    [
      () => {
        place.put("breaks.json", "\n".repeat(MAX_BYTES));
        large(90, "related_media", "[", "1,", "1]");
        large(91, "location", "[", "{},", "{}]");
        large(92, "medium", '""', "\n// a", "\n");
        large(93, "x", "[", '"a",', '"b"],');
        large(94, "description", '"', "</b>", '"');
      },
      {
        "html-stray-close": "works/large-94.json",
        "json-syntax": "breaks.json works/large-92.json",
        "more-findings": "works/large-94.json",
        "too-many-values": "works/large-90.json works/large-91.json works/large-93.json",
      },
    ],
  "a source of the maximum size, of fields": [
    () => large(90, "x", "{", '"a":1,', '"b":1}'),
    { "duplicate-key": "works/large-90.json", "more-findings": "works/large-90.json" },
  ],
  "names that are not UTF-8": [
    () => {
      mkdirSync(latin1("visit/", ""));
      mkdirSync(latin1("visit/_", ""));
      writeFileSync(latin1("page-", ".json"), "{}");
      writeFileSync(latin1("_draft-", ".json"), "{}");
      writeFileSync(latin1("other-", ".txt"), "");
    },
    { "bad-slug": "_draft-�.json page-�.json visit/_� visit/�", "other-file": "other-�.txt" },
  ],
};

interface Ended {
  /** Null if it did not end by itself. */
  status: number | null;
  peak: number;
  stdout: string;
}

const TIME_MS = 120_000;

/** `watch` gets the output so far, and a function that ends the command as Ctrl-C does. */
function run(
  name: string,
  args: string[],
  watch?: (printed: string, end: () => void) => void,
): Promise<Ended> {
  const peak = join(place.folder, `peak-${name}`);
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ["--import", PEAK, ...commandLine(name, ...args)], {
      cwd: place.folder,
      env: { ...process.env, PEAK: peak },
      stdio: ["ignore", "pipe", "ignore"],
    });
    const late = setTimeout(() => child.kill("SIGKILL"), TIME_MS);
    const end = (): void => void (child.killed || child.kill("SIGINT"));
    let stdout = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
      watch?.(stdout, end);
    });
    child.on("close", (status) => {
      clearTimeout(late);
      resolve({ status, peak: status === null ? Number.NaN : Number(readFileSync(peak, "utf8")), stdout });
    });
  });
}

/** Codes whose findings are errors. */
const REFUSED =
  /site-missing|home-missing|index-missing|file-too-large|link-in-content|bad-slug|json-syntax|too-many-values|duplicate-key|html-/;

describe.skipIf(process.platform !== "linux")(
  "beside the sources (needs Linux to measure peak memory)",
  () => {
    it.each(Object.entries(THINGS))(
      "%s: every command ends, with little memory",
      async (_, [put, found]) => {
        await put();
        const ends = await Promise.all([
          run("check", ["--reporter", "json"]),
          run("build", ["--out", place.out]),
          run("diff", []),
          run("fix", ["--dry-run"]),
        ]);
        const [check, build, diff, fix] = ends.map(({ status }) => status);
        const status = REFUSED.test(Object.keys(found).join()) ? 1 : 0;
        expect([check, build]).toEqual([status, status]);
        for (const one of [diff, fix]) expect([0, 1]).toContain(one);
        const { diagnostics } = JSON.parse(ends[0]?.stdout ?? "") as {
          diagnostics: { code: string; file: string }[];
        };
        const known = new Set(Object.keys(SMALL_SITE));
        const told: Record<string, string[]> = {};
        for (const { code, file } of diagnostics) {
          const path = file.replace("content/", "");
          if (code in found || !known.has(path))
            (told[code] ??= []).push(path.replace(/\d+\.txt$/, "FILE.txt"));
        }
        const files = Object.entries(told).map(([code, all]) => [code, [...new Set(all)].sort().join(" ")]);
        expect(Object.fromEntries(files)).toEqual(found);
        const ofFix = ends.pop();
        expect(ofFix?.peak).toBeLessThan(MAX_MEBIBYTES_OF_FIX);
        for (const { peak } of ends) expect(peak).toBeLessThan(MAX_MEBIBYTES);
      },
      4 * TIME_MS,
    );

    it("an entry added while npm run dev runs: it continues, with little memory", async () => {
      fifo("pipe");
      sparse("film.mp4", GIGABYTE);
      await socket("s.json");
      let stage = 0;
      const { status, peak } = await run("dev", [], (printed, end) => {
        if (stage === 0 && printed.includes("Waiting for changes")) {
          stage = 1;
          fifo("late.json");
          fifo("index.txt");
          sparse("late.mp4", GIGABYTE);
          place.put("new.json", general(81, "New"));
        } else if (stage === 1 && printed.includes("new.json")) {
          stage = 2;
          zero("zero.json");
          sparse("film.json", GIGABYTE);
        } else if (stage === 2 && printed.includes("Not built")) {
          stage = 3;
          end();
        }
      });
      expect([status, stage]).toEqual([0, 3]);
      expect(peak).toBeLessThan(MAX_MEBIBYTES);
    });
  },
);
