import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { forget, forgetOld, idsBelow, record, site } from "../../build/browse/data.js";
import { find, withWord } from "../../build/browse/search.js";
import { subjectWord } from "../../build/browse/words.js";
import { build } from "../../build/site/build.ts";
import { general, page, SITE, work as workOf, workplace, write, type Workplace } from "../site/site.ts";

interface Work {
  acno: string;
  artist?: string;
  subjects?: string[];
  [field: string]: unknown;
}

let id = 1000;
/** Writes a work and returns its id. */
function work(place: Workplace, title: string, { acno, artist = "", subjects = [], ...fields }: Work) {
  id += 50;
  const named = subjects.map((name, k) => ({ id: k + 1, name, level: 1, parent_id: 1 }));
  const facts = { acno, allArtists: artist, subjects: named, ...fields };
  place.put(`art/work-${id}.json`, workOf(id, title, facts));
  return id;
}

const buildSite = async ({ content, out, cache }: Workplace): Promise<void> => {
  const { findings, published } = await build({ content, out, cache, browse: true });
  expect([findings.filter(({ severity }) => severity === "error"), published === undefined]).toEqual([
    [],
    false,
  ]);
};

/** Size of each requested file, in bytes. */
const fetched = new Map<string, number>();

/** Serves an output to the client's code, which runs here as in a browser. */
function serve(out: string): void {
  fetched.clear();
  forget();
  vi.stubGlobal("fetch", (path: string) => {
    try {
      const body = readFileSync(join(out, path));
      fetched.set(path, body.length);
      return Promise.resolve(new Response(body));
    } catch {
      return Promise.resolve(new Response("", { status: 404 }));
    }
  });
}

/** The titles of the pages found, best first. */
async function titles(text: string): Promise<(string | undefined)[]> {
  const { ids } = await find(text);
  return Promise.all(ids.map(async (one) => (await record(one))?.title));
}

afterAll(() => vi.unstubAllGlobals());

const EXACT_TITLES: [number, ...string[]][] = [
  [2, "kestrel", "shore"],
  [3, "lantern", "mill", "fog"],
  [5, "heron", "reeds", "pond", "dusk", "rain"],
  [6, "barley", "stook", "gate", "lane", "hedge", "noon"],
  [7, "copper", "kettle", "table", "window", "chair", "vase", "cloth"],
];

const ODD_TITLES = [
  "葛飾北斎展2020",
  "北斎",
  "飾り棚と北の斎",
  "ร้านอาหาร",
  "Land\u00adschaft",
  "Ħal Għargħur, ıŋə",
];

describe("the search of the browse UI", () => {
  const place = workplace("browse-search");
  let titled = 0;

  beforeAll(async () => {
    place.put("_site.json", { ...SITE, site_url: "https://www.example.org/museum" });
    place.put("index.json", page(1, "home.HomePage", "Home"));
    place.put("art/index.json", page(3, "artworks.ArtworkIndexPage", "Works"));
    place.put("visit/index.json", general(4, "Visit"));
    place.put(
      "visit/what-to-see-if-you-have-only-an-hour-or-two-and-no-idea-where-to-begin-on-a-rainy-day.json",
      general(5, "Visit: an hour"),
    );
    work(place, "Subject and object", { acno: "T00001", subjects: ["sea"] });
    work(place, "Waves", { acno: "T00002", subjects: ["sea", "ship"] });
    work(place, "Portrait of Giovanni d'Orso", { acno: "T00003", artist: "Sean O’Neill" });
    for (let k = 10; k < 30; k++)
      work(place, `Clouds ${k}`, {
        acno: `D020${k}`,
        artist: k % 4 === 0 ? "Joseph Turner" : "John Constable",
      });
    work(place, "Harbour", {
      acno: "N00530",
      artist: "Joseph Turner",
      dateText: "about 1862",
      medium: "Etching on paper",
    });
    for (let k = 0; k < 30; k++) work(place, `A Boat ${k}`, { acno: `P000${k + 10}` });
    titled = work(place, "A Boat", { acno: "P00099" });
    work(place, "Boat, a", { acno: "P00098" });
    for (const [k, title] of ODD_TITLES.entries()) work(place, title, { acno: `Z0000${k}` });
    // More rivals than are ordered by their records; without the rule of exact titles, their scores are higher.
    for (const [count, first = "", ...others] of EXACT_TITLES) {
      for (let k = 0; k < 15; k++)
        if (count < 4) work(place, first, { acno: `X0${count}0${k + 10}`, artist: others.join(" ") });
        else work(place, [first, ...others, "again"].join(" "), { acno: `X0${count}0${k + 10}` });
      work(place, [first, ...others].join(" "), { acno: `X0${count}000` });
    }
    await buildSite(place);
    serve(place.out);
  });

  it("finds only pages that contain the word, not every page with a subject", async () => {
    expect(await titles("subject")).toEqual(["Subject and object"]);
    expect(await titles("subj")).toEqual(["Subject and object"]);
    expect(new Set(await titles("subject:sea"))).toEqual(new Set(["Subject and object", "Waves"]));
    expect(await titles(`${subjectWord("sea")} waves`)).toEqual(["Waves"]);
  });

  it.each(["orso", "d'Orso", "d’orso", "dorso", "ors", "o", "neill", "O'Neill", "oneill"])(
    "finds the words behind an apostrophe: %s",
    async (words) => {
      expect(await titles(words)).toContain("Portrait of Giovanni d'Orso");
    },
  );

  it.each([
    ["d02", 20],
    ["d0", 20],
    ["d02 turner", 5],
    ["t d02", 5],
    ["j", 21],
    ["jo", 21],
    ["jos", 6],
    ["q", 0],
  ])("uses every word, however short it is: %s finds %i pages", async (words, count) => {
    const found = await titles(words);
    expect(found.length).toBe(count);
  });

  it.each([
    ["北斎", ["北斎", "葛飾北斎展2020"]],
    ["葛飾北斎", ["葛飾北斎展2020"]],
    ["斎展", ["葛飾北斎展2020"]],
    ["展2020", ["葛飾北斎展2020"]],
    ["斎", ["北斎", "飾り棚と北の斎", "葛飾北斎展2020"]],
    ["飾", ["葛飾北斎展2020", "飾り棚と北の斎"]],
    ["อาหาร", ["ร้านอาหาร"]],
    ["Landschaft", ["Land\u00adschaft"]],
    ["la\u200bnd\u00adsch", ["Land\u00adschaft"]],
    ["gharghur ine", ["Ħal Għargħur, ıŋə"]],
  ])("finds any part of a text without spaces, and plain letters: %s", async (words, expected) => {
    expect(await titles(words)).toEqual(expected);
  });

  it("uses every word, however many there are", async () => {
    const title = "Visit: an hour";
    const many = "what to see if you have only an hour or two and no idea where to begin";
    expect(await titles(`${many} rainy`)).toEqual([title]);
  });

  it.each([
    ["kestrle shore", "kestrle", "kestrel"],
    ["rekstrel shore", "rekstrel", "kestrel"],
    ["Aboat shore", "aboat", "boat"],
    ["zebra shore", "zebra", undefined],
  ])("leaves out the word that no page has, and offers similar words: %s", async (text, word, meant) => {
    const { words, unknown, isPartial } = await find(text);
    expect(await titles(text)).toContain("kestrel shore");
    expect([words, isPartial]).toEqual([["shore"], false]);
    expect([unknown[0]?.word, unknown[0]?.similar[0]]).toEqual([word, meant]);
  });

  it("replaces a word of a query, as it was written", () => {
    expect(withWord("Kèstrle at the KESTRLE’s shore", "kestrle", "kestrel")).toBe(
      "kestrel at the KESTRLE’s shore",
    );
  });

  it("finds the pages with the most words if none has all, those with rare words first", async () => {
    const { ids, unknown, isPartial } = await find("boat waves orso portrait");
    expect([
      await Promise.all(ids.map(async (one) => (await record(one))?.title)),
      unknown,
      isPartial,
    ]).toEqual([["Portrait of Giovanni d'Orso"], [], true]);
    expect((await titles("boat waves"))[0]).toBe("Waves");
  });

  it.each([
    ["0053", ["Harbour"]],
    ["9530", []],
    ["n005", ["Harbour"]],
    ["etching", ["Harbour"]],
    ["1862", ["Harbour"]],
    ["type:artworks.ArtworkIndexPage", ["Works"]],
    ["type:ARTWORKS.artworkindexpage works", ["Works"]],
  ])("finds any three digits of a number, media, dates and types: %s", async (text, expected) => {
    expect(await titles(text)).toEqual(expected);
  });

  it("lists pages with exactly this title first", async () => {
    expect((await find("a boat")).ids[0]).toBe(titled);
    expect((await find("“A Boat”")).ids[0]).toBe(titled);
    expect((await find("a boat")).ids.length).toBe(32);
  });

  it.each(EXACT_TITLES)("lists a page with exactly this title of %i words first", async (_, ...words) => {
    expect((await titles(words.join(" ")))[0]).toBe(words.join(" "));
  });

  const PATH = "visit/what-to-see-if-you-have-only-an-hour-or-two-and-no-idea-where-to-begin-on-a-rainy-day";
  it.each([
    [`https://www.example.org/museum/${PATH}/`, 5],
    [`https://www.example.org/museum/${PATH}?a=b/c#d`, 5],
    [`http://staging.example.org/museum/${PATH}`, 5],
    [`www.example.org/museum/${PATH}/`, 5],
    [`  /${PATH}/ `, 5],
    [`/museum/${PATH}`, 5],
    [PATH, 5],
    [PATH.toUpperCase(), 5],
    ["https://www.example.org/museum/", 1],
    ["https://www.example.org/museum", 1],
    ["/", 1],
    ["/visit/", 4],
    ["https://api.example.org/api/v2/pages/5/", 5],
    ["https://api.example.org/api/v2/pages/5?format=json", 5],
    ["/api/v2/pages/5", 5],
    ["https://api.example.org/?page=5", 5],
    ["http://localhost:3000/?q=a&page=5#x", 5],
  ])("finds only the page with the address %s", async (address, one) => {
    expect((await find(address)).ids).toEqual([one]);
  });

  it("finds nothing for an API address without a page, and the words in any other address", async () => {
    expect((await find("https://api.example.org/api/v2/pages/77/")).ids).toEqual([]);
    expect(await titles("https://elsewhere.example.org/2024/waves")).toEqual(["Waves"]);
    expect(await titles("subject/object")).toEqual(["Subject and object"]);
  });
});

const writeRooms = ({ content }: Workplace, some: readonly { id: number }[]): void => {
  write(content, "visit/index.json", general(2, "Visit"));
  for (const room of some) write(content, `visit/room-${room.id}.json`, room);
};

async function openSite(name: string, some: readonly { id: number }[] = []): Promise<Workplace> {
  const place = workplace(name);
  place.put("_site.json", SITE);
  place.put("index.json", page(1, "home.HomePage", "Home"));
  writeRooms(place, some);
  await buildSite(place);
  serve(place.out);
  await site();
  return place;
}

describe("a tab that is open during a release", () => {
  const LAST = 6400 + 64 * 299;
  const rooms = Array.from({ length: 300 }, (_, k) => general(6400 + 64 * k, `Room ${k}`));
  it.each([
    ["more", []],
    ["fewer", rooms],
  ])("sees at once that there are %s files", async (_, before) => {
    const place = await openSite(`browse-release-${before.length}`, before);
    const after = rooms.length - before.length;
    place.drop("visit");
    writeRooms(place, after === 0 ? [] : rooms);
    await buildSite(place);
    expect((await record(LAST))?.title).toBe(after === 0 ? undefined : "Room 299");
    expect((await idsBelow(2)).length).toBe(after);
    expect((await find("room")).ids.length).toBe(after);
    expect((await find("visit")).ids).toEqual([2]);
  });

  it("checks after a minute for other changes", async () => {
    const place = await openSite("browse-old-tab");
    expect([await idsBelow(2), await record(3)]).toEqual([[], undefined]);
    place.put("visit/room.json", general(3, "Room"));
    await buildSite(place);
    forgetOld();
    expect([await idsBelow(2), await record(3)]).toEqual([[], undefined]);
    const now = Date.now();
    vi.spyOn(Date, "now").mockImplementation(() => now + 61_000);
    forgetOld();
    expect([await idsBelow(2), (await record(3))?.title]).toEqual([[3], "Room"]);
    vi.mocked(Date.now).mockRestore();
  });
});
