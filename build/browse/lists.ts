import { DIGITS } from "./client/words.js";

const CODES = Buffer.from(DIGITS);
/** Minimum number of consecutive ids for which a run is shorter than single ids. */
const MIN_RUN_LENGTH = 3;
/** Maximum number of base-32 digits of an id. */
const MAX_DIGITS = 11;

/** Writes lists of ids in the format that `idsFrom` reads. */
export class ListWriter {
  private bytes = Buffer.allocUnsafeSlow(1 << 12);
  private length = 0;
  private before = 0;
  private run = 0;

  /** @param id must be greater than the previous id. */
  add(id: number): void {
    const difference = id - this.before;
    this.before = id;
    if (difference === 1) this.run++;
    else {
      this.endRun();
      this.number(difference);
    }
  }

  private endRun(): void {
    if (this.run >= MIN_RUN_LENGTH) {
      this.number(0);
      this.number(this.run);
    } else for (; this.run > 0; this.run--) this.number(1);
    this.run = 0;
  }

  private number(value: number): void {
    if (this.length + MAX_DIGITS > this.bytes.length)
      this.bytes = Buffer.concat([this.bytes], 2 * this.bytes.length);
    let rest = value;
    for (; rest >= 2 ** 31; rest = Math.floor(rest / 32))
      this.bytes[this.length++] = CODES[32 + (rest % 32)] as number;
    for (; rest >= 32; rest >>>= 5) this.bytes[this.length++] = CODES[32 + (rest & 31)] as number;
    this.bytes[this.length++] = CODES[rest] as number;
  }

  /** The list of the ids added since the last call. */
  finish(): string {
    this.endRun();
    const text = this.bytes.toString("latin1", 0, this.length);
    this.length = 0;
    this.before = 0;
    return text;
  }
}

/** Joins the lists of all classes. Empty lists at the end are left out. */
export function joinLists(lists: readonly string[]): string {
  return lists.join(",").replace(/,+$/, "");
}

export function listOf(ids: Iterable<number>, writer = new ListWriter()): string {
  for (const id of ids) writer.add(id);
  return writer.finish();
}
