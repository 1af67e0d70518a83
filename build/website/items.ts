import { hash } from "node:crypto";
import { IntegerColumn } from "../base/columns.ts";

/** Pages as JSON, in few objects: a site may have a million pages. They are in shared memory, so that threads copy nothing. */
export interface ItemPart {
  /** By item: the row of its page in the table. */
  rows: Uint32Array;
  /** By item: the end of its bytes. */
  ends: Uint32Array;
  bytes: Uint8Array;
}

/** Maximum bytes of a UTF-16 unit in UTF-8. */
const MAX_UNIT_BYTES = 3;

const shared = (bytes: number): Buffer => Buffer.from(new SharedArrayBuffer(bytes));

/** The items of the pages that one thread has read. */
export class ItemCollector {
  private readonly rows = new IntegerColumn(1);
  private readonly ends = new IntegerColumn(1);
  private bytes = shared(1 << 12);
  private end = 0;

  /** @returns the first 48 bits of its hash. */
  add(row: number, item: string): number {
    const { end: from } = this;
    const needed = from + MAX_UNIT_BYTES * item.length;
    if (needed > this.bytes.length) {
      const { bytes } = this;
      this.bytes = shared(Math.max(needed, 2 * bytes.length));
      this.bytes.set(bytes.subarray(0, from));
    }
    this.end += this.bytes.write(item, from);
    this.rows.push(row);
    this.ends.push(this.end);
    return Number.parseInt(hash("sha1", this.bytes.subarray(from, this.end)).slice(0, 12), 16);
  }

  part(): ItemPart {
    return { rows: this.rows.finish(), ends: this.ends.finish(), bytes: this.bytes.subarray(0, this.end) };
  }
}

/** A function that returns the item of a row; undefined if its page was not read. */
export function itemsIn(parts: readonly ItemPart[], rows: number): (row: number) => Uint8Array | undefined {
  if (parts.every((part) => part.rows.length === 0)) return () => undefined;
  /** By row: the number of its part from 1, and of its item there. */
  const [partOf, itemOf] = [new Uint8Array(rows), new Uint32Array(rows)];
  for (const [p, part] of parts.entries())
    for (const [k, row] of part.rows.entries()) {
      partOf[row] = p + 1;
      itemOf[row] = k;
    }
  return (row) => {
    const part = parts[(partOf[row] ?? 0) - 1];
    const k = itemOf[row] ?? 0;
    return part?.bytes.subarray(k === 0 ? 0 : part.ends[k - 1], part.ends[k]);
  };
}
