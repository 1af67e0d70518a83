import { subjectWord, wordsOf } from "./client/words.js";

/**
 * What the page to look at needs of a page of the site, read off the bytes of its response: both ways to a response end
 * there, and what is published is at hand when it changes.
 */
export interface Entry {
  id: number;
  type: string;
  slug: string;
  /** 0 for the home page. */
  parent: number;
  title: string;
  artists: string;
  acno: string;
  date: string;
  /** The address of the smallest image. */
  image: string;
  subjects: string[];
}

type Line = [number, string, string, number, string, string, string, string, string, string[]];

/** The place behind a text that begins at a place. */
function endOfText(json: string, start: number): number {
  for (let at = start + 1; ; at++) {
    at = json.indexOf('"', at);
    if (at === -1) throw new Error("a text of a response does not end");
    let backslashes = 0;
    while (json[at - 1 - backslashes] === "\\") backslashes++;
    if (backslashes % 2 === 0) return at + 1;
  }
}

const FIRST = '{"id":'.length;

/**
 * An entry as a line of JSON; its characters are the bytes of UTF-8. A key and its colon never stand inside a text, where
 * the quote would be escaped.
 *
 * @param response as the build prints it.
 */
export function entryLine(response: Buffer): string {
  const json = response.toString("latin1");
  const after = (key: string, from: number): number => json.indexOf(key, from) + key.length;
  const textAt = (start: number): string => json.slice(start, endOfText(json, start));
  const id = json.slice(FIRST, json.indexOf(",", FIRST));
  const type = textAt(after('"type":', FIRST));
  const slug = textAt(after('"slug":', FIRST));
  const parentAt = after('"parent":', FIRST);
  const isRoot = json[parentAt] !== "{";
  const parent = isRoot ? "0" : json.slice(parentAt + FIRST, json.indexOf(",", parentAt));
  // The first title behind it is the parent's own.
  const titleAt = after('"title":', isRoot ? parentAt : after('"title":', parentAt));
  const titleEnd = endOfText(json, titleAt);
  const title = json.slice(titleAt, titleEnd);
  const common = `${id},${type},${slug},${parent},${title}`;
  if (type !== '"artworks.ArtworkPage"') return `[${common},"","","","",[]]`;
  const find = (key: string): string => textAt(after(key, titleEnd));
  const work = `${find('"allArtists":')},${find('"acno":')},${find('"dateText":')}`;
  const subjectsAt = after('"subject_tags":[', titleEnd);
  let end = subjectsAt;
  while (json[end] === '"' || json[end] === ",") end = json[end] === "," ? end + 1 : endOfText(json, end);
  return `[${common},${work},${firstImage(json, end)},[${json.slice(subjectsAt, end)}]]`;
}

/** `[480,"0-480","https://…"]` */
function firstImage(json: string, from: number): string {
  const key = '"sizes":[[';
  const start = json.indexOf(key, from);
  if (start === -1) return '""';
  const label = json.indexOf('"', start + key.length);
  const address = json.indexOf('"', endOfText(json, label));
  return json.slice(address, endOfText(json, address));
}

export function entryIn(line: string): Entry {
  const [id, type, slug, parent, title, artists, acno, date, image, subjects] = JSON.parse(line) as Line;
  return { id, type, slug, parent, title, artists, acno, date, image, subjects };
}

/** The entry of a page. @param response as the build prints it. */
export const entryOf = (response: Buffer): Entry =>
  entryIn(Buffer.from(entryLine(response), "latin1").toString("utf8"));

/** How well a word stands for a page: its title is this word, or is short and has it, or has it, or something else has it. */
const WHOLE = 0;
const SHORT = 1;
const TITLE = 2;
const OTHER = 3;
export const CLASSES = 4;

/** So many words make a short title. */
const SHORT_TITLE = 4;

/**
 * Calls `use` with every word of a page and what it stands for. A word comes again where more than one thing has it, and
 * counts for the first.
 */
export function eachWord(entry: Entry, use: (word: string, kind: number) => void): void {
  const titled = wordsOf(entry.title);
  const kind = titled.length === 1 ? WHOLE : titled.length <= SHORT_TITLE ? SHORT : TITLE;
  for (const word of titled) use(word, kind);
  for (const word of knownWords(entry.artists)) use(word, OTHER);
  for (const word of wordsOf(entry.acno)) use(word, OTHER);
  for (const word of entry.slug.toLowerCase().split(/[-_]+/)) if (word !== "") use(word, OTHER);
  for (const name of entry.subjects) use(knownSubject(name), OTHER);
}

/** Few artists and subjects stand on many pages. */
const knownWords = remembering(wordsOf);
const knownSubject = remembering(subjectWord);

const MOST_KNOWN = 20_000;

function remembering<T>(make: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    let value = known.get(text);
    if (value !== undefined) return value;
    if (known.size === MOST_KNOWN) known.clear();
    known.set(text, (value = make(text)));
    return value;
  };
}

/** The words of a page, each with what it counts for. */
export function wordClasses(entry: Entry): Map<string, number> {
  const words = new Map<string, number>();
  eachWord(entry, (word, kind) => {
    if (!words.has(word)) words.set(word, kind);
  });
  return words;
}
