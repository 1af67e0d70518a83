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
import { general, SMALL_SITE, work, write } from "../site/site.ts";
import { placeOfEachTest } from "../each.ts";

/*
 * Tests entries of a content folder that are not sources, or that replace a source. With any of them, every command
 * ends soon and with little memory, and reads only sources.
 */

const PEAK = new URL("peak.mjs", import.meta.url).href;
const MAX_MEBIBYTES = 300;

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

const at = (path: string): string => join(place.content, path);

const fifo = (path: string): void => void execFileSync("mkfifo", [at(path)]);
const sparse = (path: string, size: number): void => {
  writeFileSync(at(path), "{");
  truncateSync(at(path), size);
};
const socket = (path: string): Promise<void> =>
  new Promise((resolve) => {
    sockets.push(createServer().listen(at(path), resolve));
  });
/** Replaces a source that git tracks. */
const inPlaceOf = (path: string, put: (path: string) => unknown): unknown => {
  rmSync(at(path), { recursive: true });
  return put(path);
};
const zero = (path: string): void => symlinkSync("/dev/zero", at(path));

/** A name that is not UTF-8: é in Latin-1. */
const latin1 = (before: string, after: string): Buffer =>
  Buffer.concat([Buffer.from(at(before)), Buffer.from([0xe9]), Buffer.from(after)]);

const GIGABYTE = 1_200_000_000;

/** A work of the maximum size of a source. A field is filled with `unit` up to this size. */
const large = (field: string, before: string, unit: string, after: string): void => {
  const start = JSON.stringify(work(90, "Large")).replace(/\}$/, `,"${field}":${before}`);
  const end = `${after}}\n`;
  const room = MAX_BYTES - Buffer.byteLength(start) - Buffer.byteLength(end);
  write(place.content, "works/large.json", start + unit.repeat(Math.floor(room / unit.length)) + end);
};

/** The entry, and the codes of its findings. */
const THINGS: Record<string, [put: () => unknown, ...codes: string[]]> = {
  "a link to an endless device": [() => zero("zero.json"), "link-in-content"],
  "such a link in place of a source": [() => inPlaceOf("about.json", zero), "link-in-content"],
  "such a link in place of _site.json": [
    () => inPlaceOf("_site.json", zero),
    "link-in-content",
    "site-missing",
  ],
  "a FIFO in place of a source": [() => inPlaceOf("about.json", fifo), "other-file"],
  "a FIFO in place of _site.json": [() => inPlaceOf("_site.json", fifo), "other-file", "site-missing"],
  "a socket": [() => socket("s.json"), "other-file"],
  "a film": [() => sparse("film.mp4", GIGABYTE), "other-file"],
  "a film that is named like a source": [() => sparse("film.json", GIGABYTE), "file-too-large"],
  "a film in place of a source": [
    () => inPlaceOf("about.json", (path) => sparse(path, GIGABYTE)),
    "file-too-large",
  ],
  "a folder that is named like a source": [() => mkdirSync(at("x.json"))],
  "a folder in place of a source": [() => inPlaceOf("about.json", (path) => mkdirSync(at(path)))],
  "links in a loop": [
    () => {
      symlinkSync("b.json", at("a.json"));
      symlinkSync("a.json", at("b.json"));
      symlinkSync(".", at("visit/circle"));
    },
    "link-in-content",
  ],
  "a link in place of a folder of sources": [
    () => {
      renameSync(at("visit"), join(place.folder, "elsewhere"));
      symlinkSync("../elsewhere", at("visit"));
    },
    "link-in-content",
  ],
  "30,000 stray files in one folder": [
    () => {
      mkdirSync(at("stray"));
      for (let i = 0; i < 30_000; i++) writeFileSync(at(`stray/${i}.txt`), "");
    },
    "more-findings",
    "other-file",
  ],
  "a source of the maximum size, of line breaks": [
    () => write(place.content, "large.json", "\n".repeat(MAX_BYTES)),
    "json-syntax",
  ],
  "one of numbers": [() => large("related_media", "[", "1,", "1]"), "too-many-values"],
  "one of fields": [() => large("x", "{", '"a":1,', '"b":1}'), "duplicate-key", "more-findings"],
  "one of empty objects": [() => large("location", "[", "{},", "{}]"), "too-many-values"],
  "one of one string": [() => large("medium", '"', "a", '"')],
  "one of line breaks in one string": [() => large("medium", '"', "\\n", '"')],
  "one of comments": [() => large("medium", '""', "\n// a", "\n"), "json-syntax"],
  "one of strings on one line, and a surplus comma": [
    () => large("x", "[", '"a",', '"b"],'),
    "too-many-values",
  ],
  "one of mistakes in HTML": [
    () => large("description", '"', "</b>", '"'),
    "html-stray-close",
    "more-findings",
  ],
  "names that are not UTF-8": [
    () => {
      mkdirSync(latin1("visit/", ""));
      mkdirSync(latin1("visit/_", ""));
      writeFileSync(latin1("page-", ".json"), "{}");
      writeFileSync(latin1("_draft-", ".json"), "{}");
      writeFileSync(latin1("other-", ".txt"), "");
    },
    "bad-slug",
    "other-file",
  ],
};

interface Ended {
  /** Null if it did not end by itself. */
  status: number | null;
  peak: number;
  stdout: string;
}

const TIME_MS = 50_000;

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
      async (_, [put, ...codes]) => {
        await put();
        const ends = await Promise.all([
          run("check", ["--reporter", "json"]),
          run("build", ["--out", place.out]),
          run("diff", []),
          run("fix", ["--dry-run"]),
        ]);
        const [check, build, diff, fix] = ends.map(({ status }) => status);
        const status = REFUSED.test(codes.join()) ? 1 : 0;
        expect([check, build]).toEqual([status, status]);
        for (const one of [diff, fix]) expect([0, 1]).toContain(one);
        const { diagnostics } = JSON.parse(ends[0]?.stdout ?? "") as {
          diagnostics: { code: string; file: string }[];
        };
        const known = new Set(Object.keys(SMALL_SITE).map((path) => `content/${path}`));
        const told = diagnostics.filter(({ code, file }) => codes.includes(code) || !known.has(file));
        expect([...new Set(told.map(({ code }) => code))].sort()).toEqual([...codes].sort());
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
          write(place.content, "new.json", general(81, "New"));
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
