/** Pages as JSON, in few objects: a site may have a million pages. */
export interface ItemPart {
  /** By item: the row of its page in the table. */
  rows: number[];
  /** By item: the end of its bytes. */
  ends: number[];
  bytes: Uint8Array;
}

/** Maximum bytes of a UTF-16 unit in UTF-8. */
const MAX_UNIT_BYTES = 3;

/** The items of the pages that one thread has read. */
export class ItemCollector {
  private readonly rows: number[] = [];
  private readonly ends: number[] = [];
  private bytes = Buffer.allocUnsafe(1 << 12);
  private end = 0;

  add(row: number, item: string): void {
    const needed = this.end + MAX_UNIT_BYTES * item.length;
    if (needed > this.bytes.length) {
      const { bytes } = this;
      this.bytes = Buffer.allocUnsafe(Math.max(needed, 2 * bytes.length));
      this.bytes.set(bytes.subarray(0, this.end));
    }
    this.end += this.bytes.write(item, this.end);
    this.rows.push(row);
    this.ends.push(this.end);
  }

  part(): ItemPart {
    return { rows: this.rows, ends: this.ends, bytes: this.bytes.subarray(0, this.end) };
  }
}

/** A function that returns the item of a row; undefined if its page was not read. */
export function itemsIn(parts: readonly ItemPart[], rows: number): (row: number) => Uint8Array | undefined {
  if (parts.every((part) => part.rows.length === 0)) return () => undefined;
  /** By row: the number of its part from 1, and of its item there. */
  const [partOf, itemOf] = [new Uint8Array(rows), new Uint32Array(rows)];
  for (const [p, part] of parts.entries())
    for (const [k, row] of part.rows.entries()) [partOf[row], itemOf[row]] = [p + 1, k];
  return (row) => {
    const part = parts[(partOf[row] ?? 0) - 1];
    const k = itemOf[row] ?? 0;
    return part?.bytes.subarray(part.ends[k - 1] ?? 0, part.ends[k]);
  };
}
