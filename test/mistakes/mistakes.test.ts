import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { instantAt } from "../../build/base/instant.ts";
import { hintOf, messageOf, type Finding } from "../../build/findings/finding.ts";
import { siteModel } from "../../build/model/site.ts";
import { check } from "../../build/site/check.ts";
import { MEMORY, scratch } from "../scratch.ts";
import { follow, readText } from "./follow.ts";
import { TABLE } from "./rows/index.ts";
import type { Files } from "./row.ts";
import { VALID, WORK } from "./site.ts";

/*
 * Mistakes that people make, one in each row. Each has a finding with a location and with words that help to fix it.
 * The test carries out the hint: literally, if it says what to write, rename or run. Then the finding is gone, and
 * there is no new one.
 */

/** Programmers' words, which no finding may contain. */
const JARGON = /\bNaN\b|\[object|\btoken|parser?\b|unrecognized|unexpected|\bregex|undefined[,.]/i;

const content = join(scratch("mistakes", MEMORY), "content");

function put(files: Files): void {
  for (const [file, text] of Object.entries(files)) {
    const path = join(content, file);
    mkdirSync(dirname(path), { recursive: true });
    if (text === null) rmSync(path, { recursive: true, force: true });
    else writeFileSync(path, text);
  }
}

const read = (files: Files | undefined): Files | undefined =>
  files && Object.fromEntries(Object.keys(files).map((file) => [file, readText(join(content, file))]));

/** The instant of the checks, after all dates of the valid site. */
const AT = instantAt(Date.UTC(2026, 10, 1));

const found = async (): Promise<Finding[]> => (await check({ content, at: AT })).findings;
const places = (findings: Finding[]): string[] =>
  findings.map((f) => `${f.code} ${f.place.file}:${f.place.line}:${f.place.column} ${messageOf(f)}`);

function markedIn(text: string, { line, column, endLine = line, endColumn = column }: Finding["place"]) {
  const lines = text.split("\n").slice(line - 1, endLine);
  const last = lines.pop()?.slice(0, endColumn - 1) ?? "";
  return [...lines, last].join("\n").slice(column - 1);
}

beforeEach(() => {
  rmSync(content, { recursive: true, force: true });
  put(VALID);
});

it("the valid site has no findings", async () => {
  expect(places(await found())).toEqual([]);
});

it.each([...siteModel.fields.keys()])("a mistake in %s of _site.json has no other findings", async (name) => {
  const site = JSON.parse(VALID["_site.json"] ?? "") as object;
  // An address with the host and one without it are the same only on this media host.
  const image = '"default_url": "/images/marsh-600.jpg"';
  const work = VALID[WORK]?.replace(image, image.replace("/images", "https://media.example.org/images"));
  put({
    [WORK]: work ?? "",
    "_history.json": '{"retired": [], "moved": [{"id": 12, "address": "/visit/old/"}]}',
  });
  expect(places(await found())).toEqual([]);
  let mistakes = 0;
  for (const wrong of [
    undefined,
    null,
    5,
    "",
    "not an address",
    ["x"],
    { name: "x" },
    "https://a.example/",
  ]) {
    put({ "_site.json": JSON.stringify({ ...site, [name]: wrong }) });
    const files = (await found()).map(({ place }) => place.file);
    if (!files.includes("_site.json")) continue;
    mistakes++;
    expect(new Set(files)).toEqual(new Set(["_site.json"]));
  }
  expect(mistakes).toBeGreaterThan(3);
});

describe.each(Object.entries(TABLE))("%s", (_, rows) => {
  it.each(rows)("$did", async ({ before, code, at, says = [], not = [], beside = [], after, byHand }) => {
    put(before);
    const [file, marked] = at;
    const findings = await found();
    expect(findings.map((f) => f.code).sort()).toEqual([code, ...beside].sort());
    const own = findings.find((f) => f.code === code && f.place.file === file);
    if (own === undefined) throw new Error(`${code} is reported elsewhere: ${places(findings).join("\n")}`);
    const isMarked = markedIn(String(before[file] ?? VALID[file]), own.place);
    expect(isMarked).toBe(marked ?? isMarked);
    const words = `${messageOf(own)} ${hintOf(own)}`;
    expect({ words, unsaid: [...says, ...(byHand ?? [])].filter((said) => !words.includes(said)) }).toEqual({
      words,
      unsaid: [],
    });
    expect({ words, said: not.filter((said) => words.includes(said)) }).toEqual({ words, said: [] });
    expect(words).not.toMatch(JARGON);
    if (byHand === undefined) follow(content, own);
    else put(after ?? {});
    expect(read(after)).toEqual(after);
    expect(places(await found())).toEqual([]);
  });
});
