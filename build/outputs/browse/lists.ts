import { byPosition, type Positioned } from "../../model/position.ts";
import { DIGITS } from "../../browse/words.js";

/** Minimum number of consecutive ids for which a run is shorter than single ids. */
const MIN_RUN_LENGTH = 3;

const CODES = Buffer.from(DIGITS);
const COMMA = 0x2c;

/** Prints texts, and lists of ascending ids in the format that `idsFrom` reads, one after another. */
export class DataPrinter {
  private bytes = Buffer.allocUnsafe(1 << 16);
  private length = 0;
  private last = 0;
  private run = 0;

  text(text: string): void {
    while (this.length + text.length > this.bytes.length) this.widen();
    const { bytes, length } = this;
    for (let k = 0; k < text.length; k++) {
      const code = text.charCodeAt(k);
      if (code >= 0x80) return this.copy(Buffer.from(text));
      bytes[length + k] = code;
    }
    this.length += text.length;
  }

  /** Begins a member of an object, after its first one. */
  key(key: string): void {
    this.text(`,"${key}":`);
  }

  copy(bytes: Uint8Array): void {
    while (this.length + bytes.length > this.bytes.length) this.widen();
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  add(id: number): void {
    const difference = id - this.last;
    this.last = id;
    if (difference === 1) this.run++;
    else {
      this.endRun();
      this.digits(difference);
    }
  }

  /** Ends a list, so that the next one can follow. */
  endList(): void {
    this.endRun();
    this.last = 0;
    this.put(COMMA);
  }

  /** Removes empty lists at the end. */
  endLists(): void {
    while (this.bytes[this.length - 1] === COMMA) this.length--;
  }

  /** All that was printed since the last call. */
  take(): Buffer {
    const printed = Buffer.from(this.bytes.subarray(0, this.length));
    this.length = 0;
    return printed;
  }

  private endRun(): void {
    if (this.run >= MIN_RUN_LENGTH) {
      this.digits(0);
      this.digits(this.run);
    } else for (; this.run > 0; this.run--) this.digits(1);
    this.run = 0;
  }

  private digits(value: number): void {
    let rest = value;
    for (; rest >= 32; rest = Math.floor(rest / 32)) this.put(CODES[32 + (rest % 32)] as number);
    this.put(CODES[rest] as number);
  }

  private put(byte: number): void {
    if (this.length === this.bytes.length) this.widen();
    this.bytes[this.length++] = byte;
  }

  private widen(): void {
    this.bytes = Buffer.concat([this.bytes, this.bytes]);
  }
}

/** A list of ascending ids in the format that `idsFrom` reads. */
export function listOf(ids: readonly number[]): string {
  const printer = new DataPrinter();
  for (const id of ids) printer.add(id);
  printer.endList();
  printer.endLists();
  return printer.take().toString("latin1");
}

/** Empty lists at the end are left out. */
export const joinLists = (lists: readonly string[]): string => lists.join(",").replace(/,+$/, "");

/**
 * The subpages of a page as JSON: a list of ids, if none has a position. Otherwise the list is the first element, and those with
 * a position follow in their order, each with its position.
 */
export function treeOf(subpages: readonly Positioned[]): string {
  const rest = listOf(subpages.filter(({ position }) => position === 0).map(({ id }) => id));
  const placed = subpages.filter(({ position }) => position !== 0).sort(byPosition);
  return JSON.stringify(
    placed.length === 0 ? rest : [rest, ...placed.map(({ id, position }) => [id, position])],
  );
}
