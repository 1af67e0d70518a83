import { join } from "node:path";
import { jsonFiles, readData } from "./files.ts";
import type { DamagedFile } from "./report.ts";
import { isText } from "./values.ts";

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
