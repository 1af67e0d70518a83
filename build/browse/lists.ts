import { byPosition, type Positioned } from "../page/position.ts";
import { DIGITS } from "./client/words.js";

/** Minimum number of consecutive ids for which a run is shorter than single ids. */
const MIN_RUN_LENGTH = 3;

const CODES = Buffer.from(DIGITS);
const COMMA = 0x2c;

/** Prints lists of ascending ids in the format that `idsFrom` reads, one after another. */
export class ListPrinter {
  private bytes = Buffer.allocUnsafe(1 << 12);
  private length = 0;
  private last = 0;
  private run = 0;

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

  /** The lists, without empty lists at the end. */
  finish(): string {
    while (this.bytes[this.length - 1] === COMMA) this.length--;
    const text = this.bytes.toString("latin1", 0, this.length);
    this.length = 0;
    return text;
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
    if (this.length === this.bytes.length) this.bytes = Buffer.concat([this.bytes, this.bytes]);
    this.bytes[this.length++] = byte;
  }
}

/** A list of ascending ids in the format that `idsFrom` reads. */
export function listOf(ids: readonly number[]): string {
  const printer = new ListPrinter();
  for (const id of ids) printer.add(id);
  printer.endList();
  return printer.finish();
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
