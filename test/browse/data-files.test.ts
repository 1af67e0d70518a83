import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, integer, maxSafeInteger, oneof, property, uniqueArray } from "fast-check";
import { describe, expect, it } from "vitest";
import { changeDataFiles } from "../../build/outputs/browse/change.ts";
import { idsFrom, subjectWord, wordsOf, wordsThatFind } from "../../build/browse/words.js";
import { countsFor, KINDS, type Counts, type DataFile } from "../../build/browse/data-files.ts";
import { listOf, treeOf } from "../../build/outputs/browse/lists.ts";
import { makeDataFiles } from "../../build/outputs/browse/make.ts";
import { PageIndexer, pageOfResponse } from "../../build/outputs/browse/page-index.ts";
import { build } from "../../build/site/build.ts";
import { general, page, SITE, work, workplace, type Workplace } from "../site/site.ts";
import { programModel } from "../../build/model/program-model.ts";

const readPage = (bytes: Buffer) => pageOfResponse(bytes, programModel);

/** Its address has no host: the response adds the host of `media_url`. */
const IMAGE = {
  sizes: [[480, "0-480", "/t00000-480.jpg"]],
  default_url: "/t00000-480.jpg",
  current_size: "0-480",
  src: "",
  alt_text: "Clouds",
  height_ratio: 1.25,
  max_width: 480,
  no_right_click: false,
  sensitive: false,
  protected: false,
  uncleared: false,
  copyright: "",
  status: "",
};

function makeSite(name: string): Workplace {
  const place = workplace(name);
  place.put("_site.json", SITE);
  place.put("index.json", page(1, "home.HomePage", "Home"));
  place.put("visit/index.json", general(2, "Visit"));
  place.put("art/index.json", page(3, "artworks.ArtworkIndexPage", "Works"));
  for (let k = 0; k < 6; k++)
    place.put(
      `art/work-${k}.json`,
      work(100 + 70 * k, `Étude no. ${k}, “clouds”`, {
        acno: `T0000${k}`,
        allArtists: "Turner, J. M. W.",
        dateText: "1862",
        medium: "Oil",
        subjects: [{ id: 1, name: "sea, and shore],", level: 1, parent_id: 1 }],
        master_images: [IMAGE],
      }),
    );
  return place;
}

/** Every file of the browse UI in an output, by its path. */
function pageIn(out: string): Record<string, string> {
  const names = readdirSync(join(out, "browse"), { recursive: true, encoding: "utf8" });
  const files = [...names.map((name) => `browse/${name}`), "index.html"].filter((name) =>
    /\.\w+$/.test(name),
  );
  return Object.fromEntries(files.sort().map((name) => [name, readFileSync(join(out, name), "utf8")]));
}

const run = (place: Workplace, options: { out?: string; full?: boolean; browse?: boolean } = {}) =>
  build({ content: place.content, out: place.out, cache: place.cache, browse: true, ...options });

/** The browse UI of a build without a manifest. */
async function clean(place: Workplace): Promise<Record<string, string>> {
  const out = join(place.folder, "clean");
  rmSync(out, { recursive: true, force: true });
  await run(place, { out, full: true });
  return pageIn(out);
}

const rewrite = (place: Workplace, file: string, change: (source: Record<string, unknown>) => void): void => {
  const path = place.file(file);
  const source = JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
  change(source);
  writeFileSync(path, JSON.stringify(source));
};

/** The fields of a response that the browse UI reads, in the API's order. */
const response = (id: number, title: string, facts?: { artists: string; subjects: string[] }): Buffer => {
  const type = facts === undefined ? "standardpages.GeneralPage" : "artworks.ArtworkPage";
  const parent = { id: 1, meta: { type: "home.HomePage" }, title: "Home" };
  return Buffer.from(
    JSON.stringify({
      id,
      meta: { type, slug: "a", html_url: `https://www.example.org/a${id}/`, parent },
      title,
      ...(facts && {
        acno: "",
        allArtists: facts.artists,
        dateText: "",
        subject_tags: facts.subjects,
        master_images: [],
      }),
    }),
  );
};

const textsOf = (files: Iterable<DataFile>): Map<string, string> => {
  const texts = new Map<string, string>();
  for (const [path, bytes] of files) texts.set(path, Buffer.from(bytes).toString());
  return texts;
};

const indexOf = (responses: readonly Buffer[]) => {
  const indexer = new PageIndexer(programModel);
  for (const one of responses) indexer.addResponse(one);
  return indexer.finish();
};

const filesOf = (responses: readonly Buffer[], counts: Counts): Map<string, string> =>
  textsOf(makeDataFiles([indexOf(responses)], counts));

describe("the data files of the browse UI", () => {
  it("are the same after any edit as those of a clean build", async () => {
    const place = makeSite("browse-edits");
    await run(place);
    expect(pageIn(place.out)).toEqual(await clean(place));
    const edits: (() => unknown)[] = [
      () => rewrite(place, "art/work-1.json", (source) => (source["title"] = "1856 constructor __proto__")),
      () => rewrite(place, "art/work-2.json", (source) => (source["subjects"] = [])),
      () => rewrite(place, "art/work-3.json", (source) => (source["id"] = 7)),
      () => place.drop("art/work-4.json"),
      () => place.put("visit/access.json", general(9, "Access")),
      () => rewrite(place, "visit/index.json", (source) => (source["title"] = "Your visit")),
      () => rewrite(place, "art/work-5.json", (source) => (source["allArtists"] = "Ørsted")),
      () => rmSync(join(place.out, "browse/words"), { recursive: true }),
      () => writeFileSync(join(place.out, "browse/records/0.json"), "{}"),
      () => writeFileSync(join(place.out, "browse/app.js"), ""),
      () => writeFileSync(join(place.out, "api/v2/pages/2/index.json"), "{}"),
      async () => {
        place.put("visit/late.json", general(77, "Late"));
        await clean(place);
        // The state after a build that was killed between the new pages and the data files.
        const late = "api/v2/pages/77";
        cpSync(join(place.folder, "clean", late), join(place.out, late), { recursive: true });
      },
      () => {
        for (let k = 0; k < 150; k++) place.put(`visit/p${k}.json`, general(2000 + k, `Page ${k}`));
      },
      () => {
        for (let k = 0; k < 150; k++) place.drop(`visit/p${k}.json`);
      },
    ];
    for (const edit of edits) {
      await edit();
      const built = await run(place);
      expect(built.findings).toEqual([]);
      expect(pageIn(place.out)).toEqual(await clean(place));
    }
  });

  it("change only those with the old or new words of a title", () => {
    const counts: Counts = { ...countsFor(60_000) };
    const [old, now, other] = [response(5, "Old harbour"), response(5, "New harbour"), response(6, "Else")];
    const files = filesOf([old, other], counts);
    const changes = [{ before: readPage(old), after: readPage(now) }];
    const changed = textsOf(changeDataFiles(changes, counts, (path) => files.get(path) ?? ""));
    // The page's row; the words “old” and “new”, and their beginnings of one and of two letters.
    const kinds = [...changed.keys()].map((path) => path.split("/")[1] ?? "").sort();
    expect(kinds).toEqual(["records", ...Array.from({ length: 6 }, () => "words")]);
    expect(new Map([...files, ...changed])).toEqual(filesOf([now, other], counts));
  });

  it("list their words in one order, rewritten or updated, in any script", () => {
    const counts = countsFor(1);
    const titles = [
      "ﹳ",
      "𐌰",
      "ꦲ",
      "Ωmega",
      "中文",
      "1856",
      "__proto__",
      "a",
      "ab",
      "a1",
      "é",
      "Subject",
      "subjects",
    ];
    const responses = titles.map((title, k) =>
      response(10 + k, title, { artists: "", subjects: [title, `${title} sea`] }),
    );
    const [old, now] = [response(5, "Old harbour"), response(5, "New harbour")];
    const files = filesOf([old, ...responses], counts);
    const changes = [{ before: readPage(old), after: readPage(now) }];
    const changed = textsOf(changeDataFiles(changes, counts, (path) => files.get(path) ?? ""));
    expect(new Map([...files, ...changed])).toEqual(filesOf([now, ...responses], counts));
  });

  it("do not depend on how pages are divided among threads", () => {
    const counts = countsFor(600);
    const responses = Array.from({ length: 600 }, (_, k) =>
      response(2 ** 40 + 7919 * ((k * 37) % 600), `Study ${k % 7} of ${k % 90} clouds`),
    );
    const indexes = [0, 1, 2].map((part) => indexOf(responses.filter((_, k) => (k * k) % 3 === part)));
    expect(textsOf(makeDataFiles(indexes, counts))).toEqual(filesOf(responses, counts));
  });

  it("are the same if a second thread reads half of the pages", async () => {
    const place = workplace("browse-threads");
    place.put("_site.json", SITE);
    place.put("index.json", page(1, "home.HomePage", "Home"));
    for (let k = 0; k < 2100; k++) place.put(`p${k}.json`, general(10 + k, `Study ${k % 7} of ${k} clouds`));
    await run(place);
    const responses = [1, ...Array.from({ length: 2100 }, (_, k) => 10 + k)].map((id) =>
      readFileSync(join(place.out, `api/v2/pages/${id}/index.json`)),
    );
    for (const [path, text] of filesOf(responses, countsFor(responses.length)))
      expect([path, place.published(path) === text]).toEqual([path, true]);
  });

  it.each([
    "",
    "Tom’s 'Tom's' rock'n'roll, 1856–1860 (B & W)",
    'Said “no”, "twice" \\ over\u007f\tagain',
    "Éé naïve ﬁ ﬃ ½ ３ Ⅳ ÆØß İstanbul Straße Ωmega Йод",
    "a_b-c.d/e@f",
    "😀 clouds 中文 ا",
    "x".repeat(5000),
    "It’s İ".repeat(200),
    Array.from({ length: 64 }, (_, k) => `b${String.fromCharCode(0xc0 + k)}c`).join(" "),
    Array.from({ length: 0x70 }, (_, k) => `${k}d${String.fromCharCode(0x2000 + k)}e`).join(" "),
    "e\u0301\u00e9\u0301 ’\u0301f",
  ])("have the words that are looked for: %j", (text) => {
    const { words } = readPage(response(5, text, { artists: text, subjects: [text, "sea"] }));
    const expected = new Map([
      ["a", 0],
      ["type:artworks.artworkpage", 0],
    ]);
    for (const word of [subjectWord(text), "subject:sea"]) expected.set(word, 0);
    for (const word of wordsThatFind(text)) expected.set(word, 1);
    const [first, ...others] = wordsOf(text);
    if (first !== undefined && others.length < 8) expected.set(first, 2 + others.length);
    expect(words).toEqual(expected);
  });

  it("are never more than 1,000", () => {
    const counts = countsFor(1_000_000);
    const all = KINDS.reduce((sum, kind) => sum + counts[kind], 0);
    // The other 30 are left for the page, its scripts and its styles.
    expect(all).toBeLessThanOrEqual(970);
  });

  it("are derived from the responses only", async () => {
    const place = makeSite("browse-entry");
    await run(place);
    const { words, addressKey, ...shown } = readPage(
      readFileSync(join(place.out, "api/v2/pages/170/index.json")),
    );
    const image = "https://media.example.org/t00000-480.jpg";
    const row = JSON.stringify([0, 3, "Étude no. 1, “clouds”", "Turner, J. M. W.", "T00001", "1862", image]);
    expect(addressKey).toBeGreaterThan(0);
    expect(shown).toEqual({ id: 170, parent: 3, position: 0, row });
    expect(place.publishedJson("browse/records/0.json")).toMatchObject({
      170: JSON.parse(row) as unknown,
    });
    const others =
      "turner j m w t00001 part:000 part:001 work 1862 oil subject:sea-and-shore type:artworks.artworkpage";
    expect(words).toEqual(
      new Map([
        ...["etude", "no", "1", "clouds"].map((word): [string, number] => [word, word === "etude" ? 5 : 1]),
        ...others.split(" ").map((word): [string, number] => [word, 0]),
      ]),
    );
  });

  it.each([
    [
      {
        displayLocation: {
          subject_tags: ["hidden"],
          master_images: [{ sizes: [[1, "a", "https://hidden"]] }],
        },
      },
    ],
    [{ iiif_info: { title: "hidden", allArtists: "hidden", acno: "hidden", subject_tags: ["hidden"] } }],
    [
      {
        iiif_info: [{ master_images: [{ sizes: [[1, "a", "https://hidden"]] }] }],
        map_spaces: [{ slug: "hidden" }],
      },
    ],
  ])("leave out what is passed through untouched: %j", (passed) => {
    const facts = { artists: "Lear", subjects: ["sea"] };
    const plain = JSON.parse(response(5, "Harbour", facts).toString()) as { id: number };
    const { id, ...rest } = plain;
    for (const one of [
      { ...plain, ...passed },
      { id, ...passed, ...rest },
    ]) {
      const printed = Buffer.from(JSON.stringify(one));
      expect(readPage(printed)).toEqual(readPage(response(5, "Harbour", facts)));
      expect(filesOf([printed], countsFor(1))).toEqual(
        filesOf([response(5, "Harbour", facts)], countsFor(1)),
      );
    }
  });

  it("store lists of any ids in fewer characters than the ids", () => {
    assert(
      property(
        uniqueArray(
          oneof(
            integer({ min: 1, max: 300 }),
            maxSafeInteger().filter((id) => id > 0),
          ),
        ),
        (ids) => {
          ids.sort((a, b) => a - b);
          expect(idsFrom(listOf(ids))).toEqual(ids);
        },
      ),
    );
    const order = [
      { id: 9, position: 2 },
      { id: 3, position: 0 },
      { id: 7, position: -1 },
    ];
    expect(JSON.parse(treeOf(order))).toEqual([listOf([3]), [7, -1], [9, 2]]);
    expect(JSON.parse(treeOf(order.slice(1, 2)))).toBe(listOf([3]));
    expect(listOf(Array.from({ length: 40_000 }, (_, k) => k + 1)).length).toBeLessThan(10);
  });

  it("find words regardless of case and accents", () => {
    expect(wordsOf("Étude à l’Œuvre, Ørsted’s ЙОД 1856").join(" ")).toBe("etude a loeuvre orsteds иод 1856");
  });
});

describe("--no-browse", () => {
  it("removes the files of an earlier build, and leaves third-party files", async () => {
    const place = makeSite("browse-off");
    await run(place);
    writeFileSync(join(place.out, "browse/mine.txt"), "mine");
    await run(place, { browse: false });
    expect(existsSync(join(place.out, "index.html"))).toBe(false);
    expect(readdirSync(join(place.out, "browse"))).toEqual(["mine.txt"]);
    await run(place);
    expect(pageIn(place.out)).toMatchObject(await clean(place));
  });

  it("is suggested if a third-party page is in the way, and leaves that page", async () => {
    const place = makeSite("browse-foreign");
    mkdirSync(place.out, { recursive: true });
    writeFileSync(join(place.out, "index.html"), "<h1>Mine</h1>");
    await expect(run(place)).rejects.toThrow("--no-browse");
    expect(readdirSync(place.out)).toEqual(["index.html"]);
    await run(place, { browse: false });
    expect(place.published("index.html")).toBe("<h1>Mine</h1>");
  });
});
