import { crc32 } from "node:zlib";
import { bytesOf, IntegerColumn, TextColumn, type TextList } from "../../base/columns.ts";

/** Pages as JSON. */
export interface ItemPart {
  /** By item: the row of its page in the table. */
  rows: Uint32Array;
  texts: TextList;
  /** The values by which lists filter the page, in the order of the type's fields, as JSON; empty if there are none. */
  filters: TextList;
}

/** Of an item, in its digest. */
const MAX_LENGTH = 2 ** 20;

/** The items of the pages that one thread has read. */
export class ItemCollector {
  private readonly rows: IntegerColumn;
  private readonly texts: TextColumn;
  private readonly filters: TextColumn;

  /** @param expected a guess of the number of items */
  constructor(expected: number) {
    this.rows = new IntegerColumn(expected);
    this.texts = new TextColumn(expected);
    this.filters = new TextColumn(expected);
  }

  /** @returns a digest: its checksum and its length. Hashes of `node:crypto` make two threads wait for each other. */
  add(row: number, item: string, filters: string): number {
    this.rows.push(row);
    const bytes = this.texts.push(item) + this.filters.push(filters);
    return MAX_LENGTH * crc32(filters, crc32(item)) + Math.min(bytes, MAX_LENGTH - 1);
  }

  part(): ItemPart {
    return { rows: this.rows.finish(), texts: this.texts.finish(), filters: this.filters.finish() };
  }
}

/** The items of the pages that were read, by row; undefined for other pages. */
export interface ReadItems {
  itemOf: (row: number) => Uint8Array | undefined;
  filtersOf: (row: number) => Uint8Array | undefined;
}

export function itemsIn(parts: readonly ItemPart[], rows: number): ReadItems {
  if (parts.every((part) => part.rows.length === 0))
    return { itemOf: () => undefined, filtersOf: () => undefined };
  /** By row: the number of its part from 1, and of its item there. */
  const [partOf, itemOf] = [new Uint8Array(rows), new Uint32Array(rows)];
  for (const [p, part] of parts.entries())
    for (const [k, row] of part.rows.entries()) {
      partOf[row] = p + 1;
      itemOf[row] = k;
    }
  const reading = (column: "texts" | "filters") => (row: number) => {
    const part = parts[(partOf[row] ?? 0) - 1];
    return part && bytesOf(part[column], itemOf[row] ?? 0);
  };
  return { itemOf: reading("texts"), filtersOf: reading("filters") };
}
