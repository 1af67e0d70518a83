import { beforeAll, describe, expect, it } from "vitest";
import { NOT_FOUND } from "../../build/hosting/paths.ts";
import { bucketOf, publishTo } from "../release/memory.ts";
import { MEMORY } from "../scratch.ts";
import { general, page, SITE, work, workplace } from "../site/site.ts";
import { filesOf, inBucket, inNode, inWorker } from "./code.ts";

/* Lists of a small site with types of its own, each as Wagtail answers it: `expected` filters and orders the responses. */

const EVENT = "events.EventPage";
const GENERAL = "standardpages.GeneralPage";
const TYPES = {
  types: {
    [EVENT]: {
      label: "Event",
      parents: [GENERAL],
      fields: {
        year: { kind: "integer", filter: true, default: 0 },
        room: { kind: "text", filter: true },
        isFree: { kind: "boolean", filter: true, default: false },
        day: { kind: "date", null: true, filter: true },
        venue: { kind: "page", null: true, filter: true, shows: ["title"], types: [GENERAL] },
        tags: { list: "text", filter: true },
        price: { kind: "integer", default: 5 },
        image: { fields: { id: "integer", meta: { fields: { download_url: "text" } }, title: "text" } },
        speakers: { list: { fields: { name: "text", role: "text" } } },
        body: { blocks: { paragraph: "html" } },
      },
    },
  },
};

const event = (id: number, k: number) => ({
  ...page(id, EVENT, `Event ${k % 4}`),
  year: 2020 + (k % 3),
  room: ["Hall", "Studio, upper", "Hall 2"][k % 3],
  isFree: k % 2 === 0,
  day: k % 3 === 0 ? null : `2027-0${1 + (k % 5)}-01`,
  venue: k % 2 === 0 ? 20 : null,
  tags: [["walk"], ["walk", "family"], [], ["family", "a,b"]][k % 4],
  image: { id: 7, meta: { download_url: "/a.jpg" }, title: "A" },
  speakers: [{ name: "Ada", role: "Guide" }],
  body: [],
  meta: {
    type: EVENT,
    show_in_menus: k % 5 === 0,
    // Two instants that differ only by their spelling, and one that is not known.
    first_published_at: [`2026-01-0${1 + (k % 4)}T10:00:00Z`, `2026-01-0${1 + (k % 4)}T12:00:00+02:00`, null][
      k % 3
    ],
    order: k === 3 ? -1 : k === 4 ? 1 : undefined,
  },
});

const place = workplace("lists", MEMORY);
const bucket = bucketOf();
const read = filesOf(place);

interface Listed {
  id: number;
  title: string;
  meta: Record<string, unknown> & { type: string; slug: string; parent: { id: number } | null };
  [field: string]: unknown;
}
let all: Listed[] = [];

beforeAll(async () => {
  place.putAll({
    "_site.json": { ...SITE, index: true, owned_paths: ["/"] },
    "_types.json": TYPES,
    "_history.json": {
      moved: [{ id: 20, address: "/th\u00e9/" }],
      retired: [{ id: 900, address: "/former/", to: "/art/#hours" }],
    },
    "index.json": page(1, "home.HomePage", "Home"),
    "art.json": { ...general(20, "Art"), meta: { type: GENERAL, show_in_menus: true } },
    "visit/index.json": general(10, "Visit"),
    ...Object.fromEntries(Array.from({ length: 26 }, (_, k) => [`visit/e${25 - k}.json`, event(100 + k, k)])),
    "visit/rooms/index.json": general(30, "Rooms"),
    "visit/rooms/e1.json": event(200, 3),
    "works/index.json": page(40, "artworks.ArtworkIndexPage", "Works"),
    "works/marsh.json": work(41, "Marsh"),
    "works/pool.json": work(42, "Pool", { classification: { id: 6 } }),
  });
  await publishTo(bucket, place);
  const ids = [1, 10, 20, 30, 40, 41, 42, ...Array.from({ length: 26 }, (_, k) => 100 + k), 200];
  all = ids.map((id) => place.response(id) as Listed);
});

async function send(query: string, method = "GET", readFile = read) {
  const reads: string[] = [];
  const node = inNode((path) => {
    reads.push(path);
    return readFile(path);
  });
  const { status, headers, body } = await node(`/api/v2/pages/${query}`, method);
  const json = (body === "" ? {} : JSON.parse(body)) as {
    meta: { total_count: number };
    items: Listed[];
    message?: string;
  };
  return { status, json, location: headers["location"], body, reads };
}

const others = [inWorker(read), inBucket(bucket)];
/** The responses of the other hosts with code: of the Worker, and of the bucket server. */
const fromOthers = (query: string) =>
  Promise.all(
    others.map(async (host) => {
      const { status, body } = await host(`/api/v2/pages/${query}`);
      return [status, body];
    }),
  );

/** One value of each parameter, each with the pages that it leaves. */
const FILTERS: Record<string, [value: string, isListed: (page: Listed) => boolean]> = {
  type: [EVENT, ({ meta }) => meta.type === EVENT],
  slug: ["e1", ({ meta }) => meta.slug === "e1"],
  show_in_menus: ["true", ({ meta }) => meta["show_in_menus"] === true],
  child_of: ["10", ({ meta }) => meta.parent?.id === 10],
  descendant_of: ["10", (one) => waysOf(one).includes(10)],
  ancestor_of: ["200", ({ id }) => [1, 10, 30].includes(id)],
  translation_of: ["10", () => false],
  locale: ["en", () => true],
  year: ["2021", (one) => one["year"] === 2021],
  room: ["Studio, upper", (one) => one["room"] === "Studio, upper"],
  isFree: ["true", (one) => one["isFree"] === true],
  day: ["2027-02-01", (one) => one["day"] === "2027-02-01"],
  venue: ["20", (one) => (one["venue"] as { id: number } | null)?.id === 20],
  tags: [
    "walk,family",
    (one) => ["walk", "family"].every((tag) => (one["tags"] as string[] | undefined)?.includes(tag)),
  ],
};
const OWN = new Set(["year", "room", "isFree", "day", "venue", "tags"]);

function waysOf({ meta }: Listed): number[] {
  const { parent } = meta;
  if (parent === null) return [];
  const above = all.find(({ id }) => id === parent.id);
  return [parent.id, ...(above === undefined ? [] : waysOf(above))];
}

const instantOf = ({ meta }: Listed): number =>
  meta["first_published_at"] === null ? -Infinity : Date.parse(meta["first_published_at"] as string);
const compare = <T>(a: T, b: T): number => (a === b ? 0 : a < b ? -1 : 1);

/** Each order with the comparison that it means. */
const ORDERS: Record<string, (a: Listed, b: Listed) => number> = {
  id: (a, b) => a.id - b.id,
  "-id": (a, b) => b.id - a.id,
  title: (a, b) => compare(a.title, b.title),
  "-slug": (a, b) => -compare(a.meta.slug, b.meta.slug),
  "-first_published_at": (a, b) => -compare(instantOf(a), instantOf(b)),
  "title,-first_published_at": (a, b) => compare(a.title, b.title) || -compare(instantOf(a), instantOf(b)),
};

/** Children have the order that their sources set. */
const bySource = (a: Listed, b: Listed): number => {
  const position = ({ id }: Listed): number => ({ 103: -1, 200: -1, 104: 1 })[id] ?? Infinity;
  return compare(position(a), position(b)) || a.id - b.id;
};

function expected(names: readonly string[], order?: string): number[] {
  const found = all.filter((one) => names.every((name) => FILTERS[name]?.[1](one)));
  const usual = names.includes("child_of") && !names.includes("ancestor_of") ? bySource : ORDERS["id"];
  return found.sort((a, b) => (ORDERS[order ?? ""] ?? usual)?.(a, b) || a.id - b.id).map(({ id }) => id);
}

const queryOf = (names: readonly string[], order?: string): string =>
  new URLSearchParams([
    ...names.map((name): [string, string] => [name, FILTERS[name]?.[0] ?? ""]),
    ...(order === undefined ? [] : [["order", order] as [string, string]]),
  ]).toString();

const NAMES = Object.keys(FILTERS);
const PAIRS = NAMES.flatMap((a, k) => [[a]].concat(NAMES.slice(k + 1).map((b) => [a, b])))
  .filter((pair) => !(pair.includes("child_of") && pair.includes("descendant_of")))
  // A field of one type needs the type.
  .map((pair) =>
    pair.some((name) => OWN.has(name)) && !pair.includes("type") ? ["type"].concat(pair) : pair,
  );
const ORDERED = Object.keys(ORDERS).flatMap((order) =>
  [[], ["type"], ["child_of"], ["type", "isFree"]].map((names) => [names, order] as const),
);
const invalid = (value: string, name: string): string =>
  `field filter error. '${value}' is not a valid value for ${name}`;

describe("a list", () => {
  it.each([
    [[] as string[], undefined] as const,
    ...PAIRS.map((pair) => [pair, undefined] as const),
    ...ORDERED,
  ])("with %j in the order of %s", async (names, order) => {
    const ids = expected(names, order);
    const query = queryOf(names, order);
    const { status, json, body } = await send(`?${query}`);
    expect([status, json.meta?.total_count, json.message]).toEqual([200, ids.length, undefined]);
    expect(json.items.map(({ id }) => id)).toEqual(ids.slice(0, 20));
    expect((await send(`?${query}&format=json&_=1&offset=3&limit=2`)).json.items.map(({ id }) => id)).toEqual(
      ids.slice(3, 5),
    );
    for (const answer of await fromOthers(`?${query}`)) expect(answer).toEqual([200, body]);
  });

  it.each([
    ["type=", 34],
    ["type=Events.eventpage,home.HomePage", 28],
    ["type=wagtailcore.Page", 34],
    ["child_of=root", 3],
    ["descendant_of=root&limit=0", 33],
    ["offset=99", 34],
    ["child_of=20&child_of=1", 3],
    [`type=artworks.ArtworkPage&acno=N00041`, 1],
    [`type=artworks.ArtworkPage&classificationId=6`, 1],
    [`type=${EVENT}&tags=a,b`, 7],
    [`type=${EVENT}&day=2027-01-31`, 0],
    ["offset=99999999999999999999", 34],
    [`type=${EVENT}&year=+2021`, 9],
    ["slug=nothing", 0],
  ])("follows %s", async (query, total_count) => {
    const { json } = await send(`?${query}`);
    expect(json).toMatchObject({ meta: { total_count } });
  });

  const UNKNOWN = "query parameter is not an operation or a recognised field: ";
  const CHARS = "fields error: unexpected char";
  it.each([
    ["child_of=1&colour=red&alt=1", `${UNKNOWN}alt, colour`],
    ["__proto__=1", `${UNKNOWN}__proto__`],
    ["year=2021", `${UNKNOWN}year`],
    [`type=${EVENT},home.HomePage&year=2021`, `${UNKNOWN}year`],
    [`type=${EVENT}&price=5`, `${UNKNOWN}price`],
    [`type=${EVENT}&year=now`, `${invalid("now", "year")} (invalid literal for int() with base 10: 'now')`],
    [`type=${EVENT}&venue=x`, `${invalid("x", "venue")} (Field 'id' expected a number but got 'x'.)`],
    ...["", "2027-1-1", "2027-02-30", "May"].map((day) => [
      `type=${EVENT}&day=${day}`,
      `${invalid(day, "day")} (“${day}” value has an invalid date format. It must be in YYYY-MM-DD format.)`,
    ]),
    ["child_of=99", "parent page doesn't exist"],
    ["child_of=9007199254740991", "parent page doesn't exist"],
    ["child_of=0", "parent page doesn't exist"],
    ["child_of=-1", "child_of must be a positive integer"],
    ["child_of=home", "child_of must be a positive integer"],
    ["ancestor_of=root", "ancestor_of must be a positive integer"],
    ["ancestor_of=99", "descendant page doesn't exist"],
    ["descendant_of=x", "descendant_of must be a positive integer"],
    ["descendant_of=99", "ancestor page doesn't exist"],
    ["child_of=1&descendant_of=1", "filtering by descendant_of with child_of is not supported"],
    ["translation_of=99", "translation_of page doesn't exist"],
    ["order=colour", "cannot order by 'colour' (unknown field)"],
    ["order=", "cannot order by '' (unknown field)"],
    ["order=random", "random ordering is not supported"],
    ["order=random&offset=1", "random ordering with offset is not supported"],
    ["order=random,id&offset=1", "random ordering cannot be combined with other fields"],
    ["order=-random", "cannot order by 'random' (unknown field)"],
    ["search=x", "search is disabled: this API has no search"],
    ["search_operator=or", "search is disabled: this API has no search"],
    ["offset=-1", "offset must be a positive integer"],
    ["limit=ten", "limit must be a positive integer"],
    ["limit=21", "limit cannot be higher than 20"],
    ["limit=99999999999999999999", "limit cannot be higher than 20"],
    ["type=HomePage", "type doesn't exist"],
    ["type=other.Page", "type doesn't exist"],
    ["show_in_menus=yes", `${invalid("yes", "show_in_menus")} (expected 'true' or 'false', got 'yes')`],
    ["fields=colour", "unknown fields: colour"],
    ["fields=year", "unknown fields: year"],
    ["fields=parent", "unknown fields: parent"],
    ["fields=title(a)", "'title' does not support nested fields"],
    [`type=${EVENT}&fields=body(type)`, "'body' does not support nested fields"],
    [`type=${EVENT}&fields=image(colour)`, "unknown fields: colour"],
    ["fields=title,,id", `${CHARS} ',' at position 6`],
    ["fields=title,", `${CHARS} ',' at position 6`],
    ["fields=title)", `${CHARS} ')' at position 5`],
    ["fields=-title(a)", `${CHARS} '(' at position 6`],
    ["fields=*(a)", `${CHARS} '(' at position 1`],
    ["fields=ti-tle", `${CHARS} '-' at position 2`],
    ["fields=title, id", "fields error: unexpected whitespace at position 6"],
    ["fields=title(id", "fields error: unexpected end of input (did you miss out a close bracket?)"],
    ["fields=title,*", "fields error: '*' must be in the first position"],
    ["fields=-*", "fields error: '*' cannot be negated"],
    ["fields=_,-title", "fields error: negated fields with '_' doesn't make sense"],
    ["fields=*,title", "fields error: additional fields with '*' doesn't make sense"],
  ])("refuses %s", async (query, message) => {
    const { status, json } = await send(`?${query}`);
    expect([status, json]).toEqual([400, { message }]);
  });

  const META = "type detail_url html_url slug show_in_menus first_published_at".split(" ");
  it.each([
    ["", "id meta title", META],
    ["fields=", "id meta title", META],
    ["fields=_", "", []],
    ["fields=_,title,slug", "meta title", ["slug"]],
    ["fields=-title,-type", "id meta", META.slice(1)],
    [
      "fields=*",
      "id meta title",
      [...META.slice(0, 5), "seo_title", "search_description", "first_published_at", "alias_of"],
    ],
    [
      `type=${EVENT}&fields=year,seo_title`,
      "id meta title year",
      [...META.slice(0, 5), "seo_title", "first_published_at"],
    ],
    [
      `type=${EVENT}&fields=*,-speakers,-seo_title`,
      "id meta title year room isFree day venue tags price image body",
      [...META.slice(0, 5), "search_description", "first_published_at", "alias_of"],
    ],
  ])("shows the fields of “%s” in the order of the response", async (query, names, meta) => {
    const { items } = (await send(`?${query}&limit=1`)).json;
    const [item] = items as [Listed];
    expect([Object.keys(item).join(" "), Object.keys(item.meta ?? {})]).toEqual([names, meta]);
    expect(all.find(({ id }) => id === (item.id ?? 1))).toMatchObject(item);
  });

  it("shows chosen fields in objects and in lists of them", async () => {
    const { items } = (
      await send(
        `?type=${EVENT}&limit=1&fields=_,image(_,download_url,title),speakers(-role),venue(*,-title)`,
      )
    ).json;
    expect(items).toEqual([
      {
        venue: { id: 20 },
        image: { meta: { download_url: "/a.jpg" }, title: "A" },
        speakers: [{ name: "Ada" }],
      },
    ]);
  });

  it.each([
    [`type=${EVENT}&fields=*&order=-first_published_at&tags=walk&isFree=true`],
    [
      `type=${EVENT}&fields=*&year=2021&room=Studio, upper&isFree=false&tags=walk&slug=e24&locale=en&descendant_of=1&order=title,-first_published_at`,
    ],
    [`fields=*&order=title,slug&descendant_of=1&locale=en`],
    ["child_of=10&fields=*&type=events.EventPage"],
  ])("reads at most 4 files beside the pages for %s", async (query) => {
    const { reads, json } = await send(`?${query}`);
    expect(json.items.length).toBeGreaterThan(0);
    expect(reads.filter((path) => path.startsWith("index/")).length).toBeLessThanOrEqual(4);
    expect(reads.length).toBeLessThanOrEqual(25);
  });
});

describe("find", () => {
  it.each([
    ["html_path=/", 1, ""],
    ["html_path=/visit/", 10, ""],
    ["html_path=/visit", 10, ""],
    ["html_path=visit//e3", 122, ""],
    ["html_path=/former/&fields=title&a=1", 20, "?fields=title&a=1"],
    ["html_path=/th%C3%A9/", 20, ""],
    ["html_path=/th%25c3%25a9/", 20, ""],
    ["html_path=/the%CC%81", 20, ""],
    ["id=41", 41, ""],
    ["html_path=/visit/&id=41&format=json", 10, "?format=json"],
  ])("redirects %s to page %i", async (query, id, rest) => {
    const { status, location } = await send(`find/?${query}`);
    expect([status, location]).toEqual([302, `/api/v2/pages/${id}/${rest}`]);
  });

  it.each([
    "?html_path=/nothing/",
    "?html_path=http://[",
    "",
    "?id=99",
    "?id=x",
    "?html_path=/nothing/&id=10",
  ])("finds no page with “%s”", async (query) => {
    const { status, json } = await send(`find/${query}`);
    expect([status, json]).toEqual([404, { message: "not found" }]);
  });
});

describe("other requests", () => {
  it("get the headers of the assets from the Worker", async () => {
    for (const query of ["?child_of=1", "?colour=red", "find/?id=41", "find"])
      expect((await inWorker(read)(`/api/v2/pages/${query}`)).headers["x-from"]).toBe("_headers");
  });

  it("redirects an address without its last slash, as Django does", async () => {
    const to = { status: 301, location: "/api/v2/pages/find/?id=41" };
    expect(await send("find?id=41")).toMatchObject(to);
    expect(await fromOthers("find?id=41")).toEqual([
      [301, ""],
      [301, ""],
    ]);
  });

  it.each(["find/x", "1/find/?html_path=/"])("responds to “%s” as ever", async (query) => {
    expect(await send(query)).toMatchObject({ status: 404, body: NOT_FOUND });
  });

  it("responds as ever if the site has no index", async () => {
    for (const query of ["", "?child_of=1", "find/?html_path=/"])
      expect(await send(query, "GET", () => undefined)).toMatchObject({ status: 404, body: NOT_FOUND });
  });

  it("allows the same methods as for pages", async () => {
    expect(await send("?child_of=1", "OPTIONS")).toMatchObject({ status: 204 });
    expect(await send("find/?html_path=/", "POST")).toMatchObject({ status: 405 });
  });
});
