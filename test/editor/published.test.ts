import { assert, array, nat, property, record, uniqueArray } from "fast-check";
import { describe, expect, it } from "vitest";
import { countsFor, KINDS } from "../../build/browse/data-files.ts";
import { ClaimCollector, mergeClaims, type Claims } from "../../build/check/claims.ts";
import { claimsIn } from "../../build/check/site.ts";
import {
  makeSourceFiles,
  makeThingFiles,
  MAX_THINGS,
  type LivePages,
} from "../../build/outputs/editor/data.ts";
import { parseJson } from "../../build/source/json/parse.ts";
import { referenceTo } from "../../build/model/reference.ts";
import type { Site } from "../../build/model/site.ts";
import { programModel } from "../../build/model/program-model.ts";
import { work } from "../site/site.ts";

interface Source {
  id: number;
  isLive?: boolean;
  more?: object;
  links?: string[];
}

const sourceOf = ({ id, more = {} }: Source): object => work(id, "A work", more);

/** The claims of sources, as if two threads had collected them from half of the files each. */
function claimsOf(sources: readonly Source[]): Claims {
  const logs = [new ClaimCollector(), new ClaimCollector()] as const;
  for (const [file, source] of sources.entries()) {
    const log = logs[file % 2 === 0 ? 0 : 1];
    const { root } = parseJson("", Buffer.from(JSON.stringify(sourceOf(source))));
    if (root === undefined) throw new Error("no source");
    for (const { text } of claimsIn(root, programModel)) log.add(text);
    log.endFile(file);
  }
  const parts = logs.map((log) => log.part());
  return mergeClaims(sources.length, parts, undefined, new Int32Array(0), () => true);
}

const pagesOf = (sources: readonly Source[]): LivePages => ({
  count: sources.length,
  id: (file) => (sources[file]?.isLive === false ? 0 : (sources[file]?.id ?? 0)),
  path: (file) => `works/_ä/${sources[file]?.id}.json`,
  links: (file) => sources[file]?.links ?? [],
});

function things(kind: string, sources: readonly Source[], claims = claimsOf(sources)) {
  const files = [...makeThingFiles(programModel.entities, pagesOf(sources), claims)];
  const number = programModel.entities.findIndex(({ identity }) => identity.kind === kind);
  const [path, bytes] = files[number] ?? ["", Buffer.alloc(0)];
  expect(path).toBe(`browse/things/${number}.json`);
  const { "": count, ...members } = JSON.parse(Buffer.from(bytes).toString()) as Record<string, unknown>;
  expect(count).toBe(files.length);
  return members;
}

const subject = (id: number, name: string) => ({ id, name, level: 1, parent_id: 9 });

describe("the things that the editor picks from", () => {
  it("are those of live pages, the most frequent first, with their values", () => {
    const sources: Source[] = [
      { id: 1, more: { subjects: [subject(7, "sea"), subject(7, "sea"), subject(8, "“Übung”\n\t\\")] } },
      { id: 2, more: { subjects: [subject(8, "“Übung”\n\t\\")] } },
      { id: 3, isLive: false, more: { subjects: [subject(7, "sea"), subject(6, "secret")] } },
    ];
    const { identity } = programModel.entities.find((kind) => kind.identity.kind === "subject") ?? {};
    const row = (pages: number, of: Record<string, unknown>): unknown[] => [
      pages,
      ...[identity?.key ?? "", ...(identity?.values ?? [])].map((name) => of[name]),
    ];
    expect(things("subject", sources)).toEqual({
      "1": row(2, subject(8, "“Übung”\n\t\\")),
      "2": row(1, subject(7, "sea")),
    });
  });

  it("have an example if they have no name: the page with the smallest id", () => {
    const sources = [5, 3, 4].map((id) => ({ id, more: { classification: { id: id === 5 ? 2 : 1 } } }));
    expect(things("classification", sources)).toEqual({ "1": [2, 1, 3], "2": [1, 2, 5] });
  });

  it("have an example if more is copied from it than their name", () => {
    const sources = [5, 3].map((id) => ({
      id,
      more: { exhibitions: [{ id: 318, type: "Loan-out", title: "Tone", startDate: `2026-02-0${id}` }] },
    }));
    expect(things("exhibition", sources)).toEqual({ "1": [2, 318, "Tone", 3] });
  });

  it("leave out what a page leaves out", () => {
    const sources = [{ id: 1, more: { groups: [{ id: 4 }] } }];
    expect(things("group", sources)).toEqual({ "1": [1, 4, null] });
  });

  it("are at most 20,000 of a kind", () => {
    expect(MAX_THINGS).toBe(20_000);
    const log = new ClaimCollector();
    const { identity } = programModel.entities.find(({ identity: { kind } }) => kind === "group") ?? {};
    for (const file of [0, 1]) {
      // Only one page states the first group.
      for (let k = 1 + file; k <= 20_001; k++) log.add(`${identity?.kind}\nGroup ${k}\n${k}`);
      log.endFile(file);
    }
    const claims = mergeClaims(2, [log.part()], undefined, new Int32Array(0), () => true);
    const found = Object.values(things("group", [{ id: 1 }, { id: 2 }], claims)) as unknown[][];
    expect(found).toHaveLength(20_000);
    expect(found.every(([pages]) => pages === 2)).toBe(true);
  });
});

const SITE_OF_LINKS = { site_url: "https://m.example" } as Site;

const filesOf = (sources: readonly Source[], files: number, wanted: (file: number) => boolean = () => true) =>
  new Map(
    Array.from(makeSourceFiles(pagesOf(sources), SITE_OF_LINKS, files, wanted), ([path, bytes]) => [
      path,
      Buffer.from(bytes).toString(),
    ]),
  );

describe("the source files that the editor opens", () => {
  it("are those of live pages, each in one file, whatever the order of reading", () => {
    const ids = uniqueArray(
      nat({ max: 5000 }).map((id) => id + 1),
      { maxLength: 60 },
    );
    assert(
      property(
        ids,
        array(nat({ max: 59 })),
        record({ files: nat({ max: 4 }) }),
        (all, hidden, { files: power }) => {
          const files = 2 ** power;
          const sources = all.map((id, k) => ({ id, isLive: !hidden.includes(k) }));
          const made = filesOf(sources, files);
          expect(made.size).toBe(files);
          const found = [...made.values()].flatMap((text) => Object.entries(JSON.parse(text) as object));
          const live = sources
            .filter(({ isLive }) => isLive)
            .map(({ id }) => [String(id), `works/_ä/${id}.json`]);
          expect(new Map(found.filter(([id]) => id !== ""))).toEqual(new Map(live as [string, string][]));
          expect(filesOf(sources.toReversed(), files)).toEqual(made);
          for (const [path, text] of filesOf(sources, files, (file) => file % 2 === 0))
            expect(made.get(path)).toBe(text);
        },
      ),
      { numRuns: 50 },
    );
  });

  it("have the distinct paths of this website that a page links to", () => {
    const own = ["/visit/#doors", "https://www.m.example/visit?x", "/art/%C3%A4/", "https://m.example"];
    const links = [...own, "https://else.example/visit/", referenceTo(7, undefined), "mailto:a@m.example"];
    const [text] = filesOf(
      [
        { id: 1, links },
        { id: 2, links: ["https://elsewhere.example/"] },
      ],
      1,
    ).values();
    expect(JSON.parse(text ?? "")).toEqual({
      "": 1,
      "1": ["works/_ä/1.json", "/visit", "/art/ä", "", "page:7"],
      "2": "works/_ä/2.json",
    });
  });

  it("are 32 at most, and the things one for each kind", () => {
    const counts = countsFor(1_000_000, programModel.entities.length);
    expect(counts.sources).toBe(32);
    expect(counts.things).toBe(programModel.entities.length);
    const without = countsFor(1_000_000);
    for (const kind of KINDS)
      expect(without[kind]).toBe(kind === "sources" || kind === "things" ? 0 : counts[kind]);
  });
});
