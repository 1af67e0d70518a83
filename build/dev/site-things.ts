import { noteOf, textOfThing, thingsIn, type Thing } from "../editor/form/things.ts";
import { findSources } from "../sources/find.ts";
import { SourceReader } from "../sources/read.ts";

/** Maximum number of things in one response. */
const MAX_FOUND = 12;

/** Maximum milliseconds of reading sources before other work gets a turn. */
// tuning: shorter parts only read the sources more slowly.
const PART_MS = 15;

/** Maximum milliseconds to wait for the things of changed sources; then the earlier ones are returned. */
// tuning: a longer time only gives newer suggestions.
const PATIENCE_MS = 400;

interface KnownThing extends Thing {
  text: string;
  pages: number;
}

/** By kind, and by the key that identifies a thing of the kind. */
type Kinds = ReadonlyMap<string, ReadonlyMap<unknown, KnownThing>>;

const fold = (text: string): string => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

/** The things in the sources, such as subjects, for the pickers of the editor. They are collected at the first request. */
export class SiteThings {
  private readonly content: string;
  private known: Kinds | undefined;
  private reading: Promise<Kinds> | undefined;

  constructor(content: string) {
    this.content = content;
  }

  /** Called when the sources have changed. */
  forget(): void {
    this.reading = undefined;
  }

  /** The things of a kind that contain all the words, most frequent first. */
  async find(kind: string, words: string): Promise<Thing[]> {
    const parts = fold(words)
      .split(/\s+/)
      .filter((part) => part !== "");
    const things = [...((await this.read()).get(kind)?.values() ?? [])];
    return things
      .filter(({ text }) => parts.every((part) => text.includes(part)))
      .sort((a, b) => b.pages - a.pages)
      .slice(0, MAX_FOUND)
      .map(({ written, pages, note = "" }) => ({ written, pages, note }));
  }

  private async read(): Promise<Kinds> {
    this.reading ??= collect(this.content).then((kinds) => (this.known = kinds));
    const { known, reading } = this;
    if (known === undefined) return reading;
    const late = new Promise<Kinds>((resolve) => {
      setTimeout(() => resolve(known), PATIENCE_MS).unref();
    });
    return Promise.race([reading, late]);
  }
}

async function collect(content: string): Promise<Kinds> {
  const { listing } = findSources(content);
  const reader = new SourceReader();
  const kinds = new Map<string, Map<unknown, KnownThing>>();
  let start = performance.now();
  for (let i = 0; i < listing.count; i++) {
    const file = listing.path(i);
    for (const { identity, key, written, note } of mentionsIn(reader, content, file)) {
      let things = kinds.get(identity);
      if (things === undefined) kinds.set(identity, (things = new Map()));
      const known = things.get(key);
      if (known === undefined)
        things.set(key, { written, note, pages: 1, text: fold(textOfThing({ written, note })) });
      else known.pages++;
    }
    if (performance.now() - start < PART_MS) continue;
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    start = performance.now();
  }
  return kinds;
}

function mentionsIn(reader: SourceReader, content: string, file: string) {
  let page: unknown;
  try {
    const { bytes } = reader.readBytes(`${content}/${file}`, file);
    page = JSON.parse(bytes?.toString("utf8") ?? "");
  } catch {
    // The source is not valid JSON, or has just been removed.
    return [];
  }
  const found = new Map<
    string,
    { identity: string; key: unknown; written: Thing["written"]; note: string }
  >();
  for (const {
    identity: { kind, values },
    key,
    written,
  } of thingsIn(page)) {
    const note = values.length === 0 ? noteOf(page) : "";
    found.set(JSON.stringify([kind, key]), { identity: kind, key, written, note });
  }
  return found.values();
}
