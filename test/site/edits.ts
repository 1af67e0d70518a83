import {
  appendFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import * as fc from "fast-check";
import { instantAt, instantOf, printInstant, type Instant } from "../../build/base/instant.ts";
import { isFolder, statIfThere } from "../../build/base/file.ts";
import { filesBelow, readJson } from "../files.ts";
import { general, SITE, work, write, writeImage, masterImage, type Workplace } from "./site.ts";

/** An edit of the sources or of the output; `a` and `b` choose the edited file, if there is one. */
export interface Edit {
  kind: Kind;
  a: number;
  b: number;
}

type Do = (place: Workplace, a: number, b: number) => void;

const pick = <T>(list: readonly T[], n: number): T | undefined => list[n % Math.max(1, list.length)];

const isFile = (path: string): boolean => statIfThere(path)?.type === "file";

const sources = (content: string): string[] =>
  filesBelow(content).filter(
    (path) =>
      path.endsWith(".json") && !/^_(?:site|history)\.json$/.test(path) && isFile(join(content, path)),
  );

const foldersOf = (content: string): string[] => [
  ...new Set(["", ...sources(content).flatMap((path) => ancestors(dirname(path)))]),
];

const ancestors = (path: string): string[] => (path === "." ? [] : [path, ...ancestors(dirname(path))]);

/** Changes a source that is valid JSON; other sources stay as they are. */
function change(file: string, how: (page: Record<string, unknown>) => void): void {
  let page: Record<string, unknown>;
  try {
    page = readJson(file) as Record<string, unknown>;
  } catch {
    return;
  }
  how(page);
  writeFileSync(file, JSON.stringify(page));
}

/** An edit of one of the files or folders in a list. */
const on =
  (list: (place: Workplace) => string[], how: (path: string, b: number) => void): Do =>
  (place, a, b) => {
    const path = pick(list(place), a);
    if (path !== undefined) how(path, b);
  };

const sourceFiles = ({ content }: Workplace): string[] => sources(content).map((path) => join(content, path));
const onSource = (how: (file: string, b: number) => void): Do => on(sourceFiles, how);

const changeSource = (how: (page: Record<string, unknown>, b: number) => void): Do =>
  onSource((file, b) => change(file, (page) => how(page, b)));

/** The same for works only. */
const changeWork = (how: (page: Record<string, unknown>, b: number) => void): Do =>
  changeSource((page, b) => {
    if ("acno" in page) how(page, b);
  });

/** Instants before, at and after the dates that edits write. */
export const INSTANTS = Array.from({ length: 17 }, (_, k) =>
  k % 2 === 0
    ? instantAt(Date.UTC(2024, 3 * k))
    : instantOf(new Date(Date.UTC(2024, 3 * k) - 1).toISOString().replace("Z", "999Z")),
);

/** Writes a date before or after some of the instants, or removes it. */
function setDate(page: Record<string, unknown>, field: string, b: number): void {
  const meta = page["meta"] as Record<string, unknown> | undefined;
  if (meta === undefined) return;
  if (b % 4 === 0) delete meta[field];
  else meta[field] = printInstant(INSTANTS[2 * (b % 8)] as Instant);
}

/** The languages of the site, which other edits of its settings keep. */
function localesOf(content: string): object {
  const text = readFileSync(join(content, "_site.json"), "utf8");
  const { locales } = JSON.parse(text === "{" ? "{}" : text) as { locales?: object };
  return locales === undefined ? {} : { locales };
}

function move(from: string, to: string): void {
  if (existsSync(to) || `${to}/`.startsWith(`${from}/`)) return;
  mkdirSync(dirname(to), { recursive: true });
  renameSync(from, to);
}

const entriesOf = (folder: string): string[] =>
  isFolder(folder)
    ? readdirSync(folder)
        .sort()
        .map((name) => join(folder, name))
    : [];

/** The folder of pages, and its entries. */
const pagesOf = ({ out }: Workplace): string => join(out, "api/v2/pages");
const onPage = (how: (folder: string, b: number) => void) => on((place) => entriesOf(pagesOf(place)), how);

/** The same inside of a page's folder, with the file of its response. */
const inPage = (how: (folder: string, file: string, b: number) => void): Do =>
  onPage((folder, b) => {
    if (isFolder(folder)) how(folder, join(folder, "index.json"), b);
  });

/** A shard's name is its hash. */
const onShard = (how: (file: string, b: number) => void): Do =>
  on(({ out }) => entriesOf(join(out, "bulk/shards")).filter((file) => basename(file).length > 64), how);

const filesIn = (folder: string): string[] => filesBelow(folder).map((path) => join(folder, path));

const onWebsiteFile = (how: (file: string) => void): Do => on(({ out }) => filesIn(join(out, "index")), how);

const IMAGES = ["one.png", "two.png", "reeds/one.png", "reeds/late/one.png"];

const imagesIn = (folder: string): string[] => filesIn(folder).filter((path) => path.endsWith(".png"));
const sourceImages = ({ content }: Workplace): string[] => imagesIn(join(content, "_media"));
const publishedImages = ({ out }: Workplace): string[] => imagesIn(join(out, "media"));

/** Files beside the pages. */
const BESIDE = ["_headers", "_redirects", "api/v2/pages/404.html"];

/** Adds a third-party file to a folder of the output, if the folder exists. */
const addIn =
  (folder: string, names: readonly string[]): Do =>
  ({ out }, _, b) => {
    if (isFolder(join(out, folder))) write(join(out, folder), pick(names, b) ?? "", "kept");
  };

/** Removes something from the output, with all that is in it. */
const removeFromOutput =
  (...paths: string[]): Do =>
  ({ out }, _, b) =>
    rmSync(join(out, pick(paths, b) ?? ""), { recursive: true, force: true });

/** Changes some bytes of a file, but neither its size nor its times. */
function damage(file: string): void {
  const { atime, mtime } = lstatSync(file);
  writeFileSync(file, readFileSync(file, "latin1").replace(/.$/, "!"), "latin1");
  utimesSync(file, atime, mtime);
}

/** The last character of an image that another program wrote into the output. A build keeps it if no source has its path. */
export const OTHER_IMAGE_END = "?";

function replaceByOther(file: string): void {
  writeFileSync(file, readFileSync(file, "latin1").replace(/.$/, OTHER_IMAGE_END), "latin1");
  utimesSync(file, 1, 1);
}

/** The files of a manifest. Without the list of images, a build would not know which ones are its own. */
const manifestsOf = ({ cache }: Workplace) => filesIn(cache).filter((path) => basename(path) !== "images");

const SOURCE_EDITS = {
  title: changeSource((page, b) => Object.assign(page, { title: `Title ${b}` })),
  menus: changeSource((page, b) => Object.assign(page["meta"] ?? {}, { show_in_menus: b % 2 === 0 })),
  order: changeSource((page, b) => {
    const meta = page["meta"] as Record<string, unknown> | undefined;
    if (b % 4 === 0) delete meta?.["order"];
    else if (page["id"] !== 1) Object.assign(meta ?? {}, { order: (b % 5) - 2 });
  }),
  subject: changeWork((page, b) => {
    page["subjects"] = [{ id: 1, name: ["reed", "rush"][b % 2], level: 1, parent_id: 9 }];
  }),
  acno: changeWork((page, b) => {
    page["acno"] = `N0003${b % 5}`;
  }),
  link: changeWork((page, b) => {
    page["description"] = `<a href="/visit/${["cafe", "rooms/one", "x"][b % 3]}/">a</a>`;
  }),
  unspecified: changeWork((page, b) => {
    page["iiif_id"] = b;
  }),
  goLive: changeSource((page, b) => setDate(page, "go_live_at", b)),
  expire: changeSource((page, b) => setDate(page, "expire_at", b)),
  /** A section goes live or expires, and its subpages with it. */
  dateSection: ({ content }, a, b) => {
    const path = pick(
      sources(content).filter((one) => /^(?!cy\/|fr\/).*\/index\.json$|\/.*\/index\.json$/.test(one)),
      a,
    );
    if (path === undefined) return;
    const [field, other] = b % 2 === 0 ? ["go_live_at", "expire_at"] : ["expire_at", "go_live_at"];
    change(join(content, path), (page) => {
      setDate(page, field, 4 * Math.floor(b / 2) + 1 + (a % 3));
      setDate(page, other, 0);
    });
  },
  published: changeSource((page, b) => setDate(page, "first_published_at", b)),
  acquired: changeWork((page, b) => {
    page["acquisitionYear"] = 2024 + (b % 4);
  }),
  picture: changeWork((page, b) => {
    const url = `/${IMAGES[b % 5] ?? ""}`;
    page["master_images"] = b % 5 === 4 ? [] : [masterImage(url)];
  }),
  addImage: ({ content }, a, b) => writeImage(content, pick(IMAGES, a) ?? "", `${b % 3}`),
  changeImage: on(sourceImages, damage),
  moveImage: on(sourceImages, (file, b) => move(file, join(dirname(file), pick(IMAGES, b) ?? ""))),
  removeImage: on(sourceImages, (file) => rmSync(file)),
  removeImages: ({ content }, a) =>
    rmSync(join(content, ["_media", "_media/reeds", "_media/reeds/late"][a % 3] ?? ""), {
      recursive: true,
      force: true,
    }),
  newId: changeSource((page, b) => Object.assign(page, { id: 100 + (b % 50) })),
  takenId: changeSource((page, b) => Object.assign(page, { id: [1, 10, 11, 31, 32][b % 5] })),
  otherType: changeSource((page, b) =>
    Object.assign(page["meta"] ?? {}, {
      type: ["standardpages.GeneralPage", "projects.ProjectIndexPage"][b % 2],
    }),
  ),
  unknownField: changeSource((page) => Object.assign(page, { titel: 1 })),
  fix: changeSource((page) => delete page["titel"]),
  breakSource: onSource((file) => appendFileSync(file, "}")),
  fixSource: onSource((file) =>
    writeFileSync(
      file,
      readFileSync(file, "utf8").replace(/\}+\s*$/, (end) => end.slice(0, 1)),
    ),
  ),
  rewriteSame: onSource((file) => writeFileSync(file, readFileSync(file))),
  replaceSame: onSource((file) => {
    writeFileSync(`${file}.new`, readFileSync(file));
    renameSync(`${file}.new`, file);
  }),
  keepTimes: onSource((file, b) => {
    const { atime, mtime } = lstatSync(file);
    writeFileSync(file, readFileSync(file, "utf8").replace(/"title":( ?)"(.)/, `"title":$1"${b % 10}`));
    utimesSync(file, atime, mtime);
  }),
  remove: onSource((file) => rmSync(file)),
  draft: onSource((file) => move(file, join(dirname(file), `_${basename(file).replace(/^_/, "")}`))),
  undraft: onSource((file) => move(file, join(dirname(file), basename(file).replace(/^_/, "")))),
  addPage: ({ content }, a, b) =>
    write(
      content,
      join(pick(foldersOf(content), a) ?? "", `added-${b % 7}.json`),
      general(200 + (b % 40), "Added"),
    ),
  addWork: ({ content }, a, b) =>
    write(content, `works/_c/work-${b % 7}.json`, work(300 + (a % 40), "Added")),
  addFolder: ({ content }, a, b) =>
    write(
      content,
      join(pick(foldersOf(content), a) ?? "", `new-${b % 3}`, "index.json"),
      general(400 + (b % 40), "Added"),
    ),
  movePage: ({ content }, a, b) => {
    const from = pick(sources(content), a);
    const to = pick(foldersOf(content), b);
    if (from !== undefined && to !== undefined && basename(from) !== "index.json")
      move(join(content, from), join(content, to, basename(from)));
  },
  renamePage: onSource((file, b) => {
    if (basename(file) !== "index.json") move(file, join(dirname(file), `renamed-${b % 5}.json`));
  }),
  renameFolder: ({ content }, a, b) => {
    const folder = pick(foldersOf(content).slice(1), a);
    if (folder !== undefined)
      move(join(content, folder), join(content, dirname(folder), ["_group", "other", "x y"][b % 3] ?? ""));
  },
  moveFolder: ({ content }, a, b) => {
    const folder = pick(foldersOf(content).slice(1), a);
    const to = pick(foldersOf(content), b);
    if (folder !== undefined && to !== undefined)
      move(join(content, folder), join(content, to, basename(folder)));
  },
  removeFolder: ({ content }, a) => {
    const folder = pick(foldersOf(content).slice(1), a);
    if (folder !== undefined) rmSync(join(content, folder), { recursive: true });
  },
  swap: ({ content }, a, b) => {
    const [one, two] = [pick(sources(content), a), pick(sources(content), b)];
    if (one === undefined || two === undefined || one === two) return;
    const [textOne, textTwo] = [readFileSync(join(content, one)), readFileSync(join(content, two))];
    writeFileSync(join(content, one), textTwo);
    writeFileSync(join(content, two), textOne);
  },
  otherFile: ({ content }, a, b) =>
    write(content, join(pick(foldersOf(content), a) ?? "", `note-${b % 3}.txt`), "x"),
  link2: ({ content }, _, b) => {
    const file = join(content, `linked-${b % 2}.json`);
    if (!existsSync(file)) symlinkSync("about.json", file);
  },
  site: ({ content }, a, b) =>
    write(content, "_site.json", {
      ...SITE,
      ...localesOf(content),
      ...(a % 2 === 0 ? { bulk: true } : {}),
      ...(a % 5 < 3 ? { index: true } : {}),
      ...(a % 3 === 0 ? { media_url: `${SITE.base_url}/media` } : {}),
      append_slash: b % 2 === 0,
      owned_paths: b % 3 === 0 ? [] : ["/visit"],
    }),
  history: ({ content }, a, b) =>
    write(content, "_history.json", {
      retired: [
        {
          id: [1, 10, 11, 500, 501][a % 5],
          address: ["/gone/", "/visit/"][b % 2],
          to: [null, "/visit/cafe/"][a % 2],
        },
      ],
      moved: [{ id: [2, 12, 500, 502][b % 4], address: ["/old/", "/about/"][a % 2] }],
    }),
  removeHistory: ({ content }) => rmSync(join(content, "_history.json"), { force: true }),
  breakSite: ({ content }) => write(content, "_site.json", "{"),
  restore: ({ content }) => {
    for (const path of filesBelow(content))
      if (path.endsWith(".txt") || path.startsWith("linked-")) rmSync(join(content, path));
    rmSync(join(content, "_history.json"), { force: true });
    write(content, "_site.json", { ...SITE, ...localesOf(content) });
  },
} satisfies Record<string, Do>;

const LANGUAGES = [
  { en: "English", cy: "Cymraeg" },
  { en: "English", cy: "Cymraeg", fr: "Français" },
  { fr: "Français", cy: { label: "Cymraeg", path: "/visit/" } },
  { en: { label: "English", path: "/en/" }, cy: { label: "Welsh", path: "/" } },
];

/** Writes a page of another language with the values of a source. */
const translate =
  (name: (path: string, b: number) => string, meta: (id: unknown) => object): Do =>
  ({ content }, a, b) => {
    const path = pick(sources(content), a) ?? "";
    const folder = ["cy", "fr", ""][b % 3] ?? "";
    const file = join(content, folder, name(path.replace(/^(?:cy|fr)\//, ""), b));
    if (path === "" || existsSync(file)) return;
    const above = basename(file) === "index.json" ? dirname(dirname(file)) : dirname(file);
    if (!existsSync(join(above, "index.json"))) return;
    mkdirSync(dirname(file), { recursive: true });
    cpSync(join(content, path), file);
    change(file, (page) => {
      Object.assign(page["meta"] ?? {}, meta(page["id"]));
      Object.assign(page, { id: 600 + (b % 100), ...("acno" in page && { acno: `T${b}` }) });
    });
  };

/** They mean something on a site with several languages. */
const LANGUAGE_EDITS = {
  translate: translate(
    (path) => path,
    () => ({}),
  ),
  translateApart: translate(
    (path, b) => join(dirname(path), `apart-${b % 5}.json`),
    (id) => ({ translation_of: id }),
  ),
  translationOf: on(
    ({ content }) => ["cy", "fr"].flatMap((folder) => filesIn(join(content, folder))),
    (file, b) =>
      change(file, (page) => {
        const meta = page["meta"] as Record<string, unknown> | undefined;
        if (b % 3 === 0) delete meta?.["translation_of"];
        else Object.assign(meta ?? {}, { translation_of: [2, 11, 12, 14, 22, 1, 501, 511][b % 8] });
      }),
  ),
  locales: ({ content }, a, b) =>
    change(join(content, "_site.json"), (site) => {
      delete site["translations"];
      Object.assign(site, { locales: LANGUAGES[a % 4] }, b % 4 === 0 && { translations: false });
      if (b % 7 === 0) delete site["locales"];
    }),
} satisfies Record<string, Do>;

const EDITS = {
  ...SOURCE_EDITS,
  ...LANGUAGE_EDITS,

  // Output
  removeWebsiteFile: onWebsiteFile((file) => rmSync(file)),
  damageWebsiteFile: onWebsiteFile((file) => appendFileSync(file, " ")),
  removeResponse: inPage((_, file) => rmSync(file, { recursive: true, force: true })),
  removePageFolder: onPage((folder) => rmSync(folder, { recursive: true })),
  editResponse: inPage((_, file) => {
    if (isFile(file))
      writeFileSync(file, readFileSync(file, "utf8").replace("true", "fals").replace("title", "TITLE"));
  }),
  growResponse: inPage((_, file) => {
    if (isFile(file)) appendFileSync(file, " ");
  }),
  touchResponse: inPage((_, file) => {
    if (existsSync(file)) utimesSync(file, 1, 1);
  }),
  linkResponse: inPage((_, file) => {
    if (!existsSync(file)) return;
    renameSync(file, `${file}.real`);
    symlinkSync("index.json.real", file);
  }),
  linkPage: inPage((folder) => {
    rmSync(`${folder}-real`, { recursive: true, force: true });
    renameSync(folder, `${folder}-real`);
    symlinkSync(`${basename(folder)}-real`, folder);
  }),
  fileForPage: onPage((folder) => {
    rmSync(folder, { recursive: true });
    writeFileSync(folder, "x");
  }),
  folderForResponse: inPage((_, file) => {
    rmSync(file, { recursive: true, force: true });
    mkdirSync(file);
  }),
  addBesideResponse: inPage((folder, _, b) => writeFileSync(join(folder, `extra-${b % 3}`), "x")),
  /** A page restored from a backup: the same content in new files, with a third-party file among them. */
  copyPage: inPage((folder, _, b) => {
    const aside = join(dirname(dirname(folder)), "aside");
    renameSync(folder, aside);
    cpSync(aside, folder, { recursive: true, preserveTimestamps: true });
    rmSync(aside, { recursive: true });
    if (b % 2 === 0) writeFileSync(join(folder, "index.json.gz"), "x");
  }),
  addAmongPages: addIn("api/v2/pages", ["100/index.json", "100/x", "x.txt", "07/index.json", "deep/er/x"]),
  editBeside: ({ out }, _, b) => {
    const file = join(out, pick(BESIDE, b) ?? "");
    if (isFile(file)) writeFileSync(file, "x");
  },
  removeBeside: removeFromOutput(...BESIDE),
  addElsewhere: ({ out }, _, b) =>
    write(out, ["robots.txt", "api/v2/other.json", "deep/er/x"][b % 3] ?? "", "kept"),
  folderForNotFound: ({ out }) => {
    const file = join(out, "api/v2/pages/404.html");
    if (!existsSync(file)) return;
    rmSync(file, { recursive: true });
    write(file, "x", "x");
  },
  removeShard: onShard((file) => rmSync(file)),
  damageShard: onShard((file, b) => {
    const bytes = readFileSync(file);
    bytes[b % bytes.length] = (bytes[b % bytes.length] ?? 0) ^ 1;
    writeFileSync(file, bytes);
  }),
  renameShard: onShard((file, b) => {
    renameSync(file, join(dirname(file), `${String(b % 2).repeat(64)}.zip`));
  }),
  addInBulk: addIn("bulk", ["x", "shards/x.zip", "y/x"]),
  removeBulkIndex: removeFromOutput("bulk/index.json"),
  removeBulk: removeFromOutput("bulk"),
  removePublishedImage: on(publishedImages, (file) => rmSync(file)),
  damagePublishedImage: on(publishedImages, replaceByOther),
  addInMedia: addIn("media", ["x", "reeds/x", "y/x"]),
  removeMedia: removeFromOutput("media"),
  editHome: ({ out }, _, b) => {
    const file = join(out, "browse/home.json");
    if (isFile(file))
      writeFileSync(file, ["", "{}", readFileSync(file, "utf8").replace("0", "1")][b % 3] ?? "");
  },
  removeHome: removeFromOutput("browse/home.json"),
  removePages: removeFromOutput("api/v2/pages"),
  removeOutput: removeFromOutput(""),

  // Manifest
  damageMemory: (place, a, b) => {
    for (const file of manifestsOf(place)) {
      const bytes = readFileSync(file);
      if (bytes.length > 0) bytes[a % bytes.length] = b % 256;
      writeFileSync(file, bytes.subarray(0, b % 5 === 0 ? a % bytes.length : bytes.length));
    }
  },
  removeHalfOfMemory: on(manifestsOf, (file) => rmSync(file)),
  removeMemory: (place) => {
    for (const file of manifestsOf(place)) rmSync(file);
  },
} satisfies Record<string, Do>;

export type Kind = keyof typeof EDITS;
export const KINDS = Object.keys(EDITS) as Kind[];
export const SOURCE_KINDS = Object.keys(SOURCE_EDITS) as (keyof typeof SOURCE_EDITS)[];
export const LANGUAGE_KINDS = Object.keys(LANGUAGE_EDITS) as (keyof typeof LANGUAGE_EDITS)[];

export function apply(place: Workplace, { kind, a, b }: Edit): void {
  const edit: Do = EDITS[kind];
  edit(place, a, b);
}

/** Random edits, each of a kind of one of the groups: a group is as frequent as another one. */
export const editsOf = (
  groups: readonly (readonly Kind[])[],
  length: fc.ArrayConstraints = { maxLength: 3 },
): fc.Arbitrary<Edit[]> => {
  const kind = fc.oneof(...groups.map((kinds) => fc.constantFrom(...kinds)));
  return fc.array(fc.record({ kind, a: fc.nat(1000), b: fc.nat(1000) }), length);
};
