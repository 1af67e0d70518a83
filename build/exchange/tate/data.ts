import { readdirSync } from "node:fs";
import { join } from "node:path";
import { isObject, type JsonObject } from "../../source/json/object.ts";
import { SourceReader, SourceMissing } from "../../source/read.ts";
import type { DamagedFile, LeftOut } from "./report.ts";

/** A JSON object of the data, with unchecked members. */
export type Data = Readonly<JsonObject>;

/** Whether a value is a text that a JSON source can contain: UTF-8 cannot encode half of a surrogate pair. */
export const isText = (value: unknown): value is string =>
  typeof value === "string" && value !== "" && !/\p{Surrogate}/u.test(value);

/** An integer, even if the data has it as digits in a text. */
export function integerOf(value: unknown): number | undefined {
  const number = typeof value === "string" && /^-?\d+$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) ? (number as number) : undefined;
}

const hasValue = (value: unknown): boolean => value !== undefined && value !== null && value !== "";

/** Reads the members of one object, and lists every value with an unexpected format: each is reported. */
export class MemberReader {
  readonly data: Data;
  readonly path: string;
  readonly leftOut: LeftOut[];

  constructor(data: Data, path: string, leftOut: LeftOut[]) {
    this.data = data;
    this.path = path;
    this.leftOut = leftOut;
  }

  text(key: string): string | undefined {
    return this.take(key, isText);
  }

  objects(key: string): MemberReader[] {
    const items = this.take(key, Array.isArray) ?? [];
    return items.flatMap((item: unknown, i) => {
      const path = `${this.path}${key}[${i}]`;
      if (isObject(item)) return [new MemberReader(item, `${path}.`, this.leftOut)];
      this.leftOut.push({ field: path, found: item });
      return [];
    });
  }

  object(key: string): MemberReader | undefined {
    const data = this.take(key, isObject);
    return data && new MemberReader(data, `${this.path}${key}.`, this.leftOut);
  }

  take<T>(key: string, isForm: (value: unknown) => value is T): T | undefined {
    const value = this.data[key];
    if (isForm(value)) return value;
    if (hasValue(value)) this.leftOut.push({ field: `${this.path}${key}`, found: value });
    return undefined;
  }
}

/** The fields that have a value: a source leaves out empty ones. */
export function present(fields: Data): Data {
  const kept: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(fields)) {
    if (hasValue(value) && !(Array.isArray(value) && value.length === 0)) kept[key] = value;
  }
  return kept;
}

/** The JSON files below a folder, relative to `root`, with `/`, in the same order on every machine. */
export function jsonFiles(root: string, folder: string): string[] {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return jsonFiles(root, path);
      return entry.name.endsWith(".json") ? [path] : [];
    });
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * The object in a file of the data, or a reason why it cannot be used. As with sources, links are not
 * followed, and the size is limited.
 */
export function readData(path: string): { data: Data } | { damage: string } {
  try {
    const { bytes } = new SourceReader().readBytes(path, path);
    if (bytes === undefined) return { damage: "too large" };
    const data: unknown = JSON.parse(utf8.decode(bytes));
    return isObject(data) ? { data } : { damage: "not a JSON object" };
  } catch (cause) {
    if (cause instanceof SourceMissing) return { damage: "not a file" };
    const { code, message } = cause as NodeJS.ErrnoException;
    return { damage: code ?? message };
  }
}

/** The address of the page of a contributor with this id, name and dates; undefined if the data has none. */
export type AddressBook = (id: number | undefined, name?: string, date?: string) => string | undefined;

interface Artist {
  name: unknown;
  date: unknown;
  url: string;
}

const ADDRESS = /^https?:\/\/[^/?#\s]+(?:[/?#]\S*)?$/i;

export function readArtists(root: string): { addresses: AddressBook; damaged: DamagedFile[] } {
  const artists = new Map<unknown, Artist[]>();
  const damaged: DamagedFile[] = [];
  for (const file of jsonFiles(root, "artists")) {
    const read = readData(join(root, file));
    if ("damage" in read) {
      damaged.push({ file, damage: read.damage });
      continue;
    }
    const { id, fc, date, url } = read.data;
    if (!isText(url) || !ADDRESS.test(url)) damaged.push({ file, damage: "no address" });
    else artists.set(id, [...(artists.get(id) ?? []), { name: fc, date: date ?? undefined, url }]);
  }
  return { addresses: (id, name, date) => nearest(artists.get(id) ?? [], name, date)?.url, damaged };
}

/** A few artists have two files with the same id, but with different names, dates and addresses. */
const nearest = (artists: Artist[], name?: string, date?: string): Artist | undefined =>
  artists.find((a) => a.name === name && a.date === date) ??
  artists.find((a) => a.name === name) ??
  artists[0];
