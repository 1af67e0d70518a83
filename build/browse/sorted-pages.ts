import type { Entries } from "./log.ts";
import { PartPrinter } from "./printer.ts";

/**
 * The pages of all logs in the order of their ids.
 *
 * What is done for each page, or each list of ids, is a function of its own, here and where words are sorted and printed:
 * the engine compiles a function of several long loops once for each of them, and a generator badly.
 */
export class SortedPages {
  readonly ids: Float64Array;
  /** By place in the order: the log of the page, and its place there. */
  readonly logOf: Uint8Array;
  readonly placeInLog: Uint32Array;
  readonly printer: PartPrinter;
  private readonly logs: readonly Entries[];

  constructor(logs: readonly Entries[]) {
    this.logs = logs;
    this.ids = new Float64Array(logs.reduce((count, { ids }) => count + ids.length, 0));
    let filled = 0;
    for (const { ids } of logs) {
      this.ids.set(ids, filled);
      filled += ids.length;
    }
    this.ids.sort();
    this.printer = new PartPrinter(this.ids);
    this.logOf = new Uint8Array(this.ids.length);
    this.placeInLog = new Uint32Array(this.ids.length);
    for (const [log, { ids }] of logs.entries())
      for (const [k, id] of ids.entries()) {
        const place = placeOf(this.ids, id);
        this.logOf[place] = log;
        this.placeInLog[place] = k;
      }
  }

  /** By id: the places of the pages below it. */
  below(): Map<number, number[]> {
    const below = new Map<number, number[]>();
    for (let place = 0; place < this.ids.length; place++) {
      const parent = this.logs[this.logOf[place] as number]?.parents[this.placeInLog[place] as number] ?? 0;
      const siblings = below.get(parent);
      if (siblings === undefined) below.set(parent, [place]);
      else siblings.push(place);
    }
    below.delete(0);
    return below;
  }

  printRecords(places: readonly number[]): Uint8Array {
    for (let n = 0; n < places.length; n++) this.printRecord(places[n] as number);
    return this.printer.finish();
  }

  private printRecord(place: number): void {
    const { rows, rowEnds } = this.logs[this.logOf[place] as number] as Entries;
    const k = this.placeInLog[place] as number;
    this.printer.idKey(this.ids[place] as number);
    this.printer.json(rows, rowEnds[k - 1] ?? 0, rowEnds[k] as number);
  }

  printTrees(parents: readonly number[], below: ReadonlyMap<number, number[]>): Uint8Array {
    for (const parent of parents) {
      const places = Uint32Array.from(below.get(parent) ?? []);
      this.printer.idKey(parent);
      this.printer.idsAt(places, 0, places.length);
    }
    return this.printer.finish();
  }
}

function placeOf(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
