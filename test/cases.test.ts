import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { catalogue } from "../build/findings/catalogue/index.ts";
import { severityOf, type Finding } from "../build/findings/finding.ts";
import { build, check } from "../build/pipeline.ts";
import { compact } from "./compact.ts";
import { filesBelow } from "./files.ts";

/*
 * A case is a folder of test/cases, named for what it shows:
 *
 *   content/        the sources
 *   findings.json   what is found in them: codes and places, in order; without it, nothing
 *   expected/       what is published: every page, laid out for people to read, and any other file that the case is
 *                   about; a case whose findings are errors publishes nothing and has none
 *   _headers        the hosts' headers, where the case is about them
 *   pad.json        files of content/ that are filled up with spaces to so many bytes
 */
const CASES = fileURLToPath(new URL("cases", import.meta.url));

interface Expected {
  file: string;
  line: number;
  column: number;
  code: string;
  severity: string;
}

const names = readdirSync(CASES, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort();

const expectedFindings = (name: string): Expected[] => {
  const file = join(CASES, name, "findings.json");
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Expected[]) : [];
};

const placed = (content: string, findings: Finding[]): Expected[] =>
  findings.map((f) => ({
    file: relative(content, resolve(content, f.place.file)),
    line: f.place.line,
    column: f.place.column,
    code: f.code,
    severity: severityOf(f),
  }));

let work: string;
beforeAll(() => {
  work = mkdtempSync(join(tmpdir(), "cases-"));
});
afterAll(() => rmSync(work, { recursive: true, force: true }));

const hasErrors = (name: string): boolean =>
  expectedFindings(name).some(({ severity }) => severity === "error");
const expectedFolder = (name: string): string => join(CASES, name, "expected");

function prepare(name: string) {
  const folder = join(work, name);
  const [content, out, cache] = [join(folder, "content"), join(folder, "public"), join(folder, "cache")];
  if (!existsSync(folder)) {
    cpSync(join(CASES, name), folder, { recursive: true, verbatimSymlinks: true });
    padFiles(folder);
  }
  const own = join(folder, "_headers");
  return { content, out, cache, ...(existsSync(own) ? { headersFile: own } : {}) };
}

async function publish(name: string) {
  const options = prepare(name);
  const { findings, published } = await build(options);
  return { out: options.out, found: placed(options.content, findings), published };
}

describe("a case", () => {
  it.each(names)("%s has the findings that it says, and no others", async (name) => {
    const options = prepare(name);
    const { findings } = await check(options);
    expect(placed(options.content, findings)).toEqual(expectedFindings(name));
  });

  it.each(names.filter(hasErrors))("%s publishes nothing", async (name) => {
    const { out, found, published } = await publish(name);
    expect(found).toEqual(expectedFindings(name));
    expect(published).toBeUndefined();
    expect(filesBelow(out)).toEqual([]);
    expect(existsSync(expectedFolder(name))).toBe(false);
  });

  it.each(names.filter((name) => !hasErrors(name)))("%s publishes", async (name) => {
    const { found, published } = await publish(name);
    expect(found).toEqual(expectedFindings(name));
    expect(published).toBeDefined();
  });

  it.each(names.filter((name) => existsSync(expectedFolder(name))))(
    "%s publishes these very pages",
    async (name) => {
      const { out } = await publish(name);
      const wanted = filesBelow(expectedFolder(name));
      expect(filesBelow(out).filter(isPage)).toEqual(wanted.filter(isPage));
      const read = (folder: string): string[] =>
        wanted.map((path) => readFileSync(join(folder, path), "utf8"));
      const texts = read(expectedFolder(name)).map((text, i) =>
        isPage(wanted[i] ?? "") ? compact(text) : text,
      );
      expect(read(out)).toEqual(texts);
    },
  );
});

const isPage = (path: string): boolean => path.startsWith("api/v2/pages/") && path.endsWith("/index.json");

function padFiles(folder: string): void {
  const file = join(folder, "pad.json");
  if (!existsSync(file)) return;
  for (const [path, size] of Object.entries(
    JSON.parse(readFileSync(file, "utf8")) as Record<string, number>,
  )) {
    const padded = join(folder, "content", path);
    const bytes = readFileSync(padded);
    writeFileSync(padded, Buffer.concat([bytes, Buffer.alloc(size - bytes.length, " ")]));
  }
}

describe("the cases together", () => {
  it("show every finding code of the catalogue", () => {
    const shown = new Set(names.flatMap((name) => expectedFindings(name).map(({ code }) => code)));
    expect(Object.keys(catalogue).filter((code) => !shown.has(code))).toEqual([]);
  });

  it("name only codes of the catalogue", () => {
    const known = Object.keys(catalogue);
    const shown = names.flatMap((name) => expectedFindings(name).map(({ code }) => code));
    expect([...new Set(shown)].filter((code) => !known.includes(code))).toEqual([]);
  });
});
