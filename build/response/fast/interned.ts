import { areSame, viewOf } from "./bytes.ts";

/** A power of two, twice as many as objects are kept. */
const PLACES = 1 << 15;
const MOST_OBJECTS = PLACES >> 1;
/** Bytes that the objects of one kind may take in all; from there on new ones are not kept. */
const MOST_BYTES = 1 << 21;
/** The first fields tell most objects apart. */
const FIELDS_HASHED = 2;
const MOST_HASHED = 96;
/** So many places are looked at: where the first fields tell too little apart, searching would cost more than judging. */
const MOST_TRIED = 8;
const NO_PLACE = -1;

// What is known of an object, in so many numbers; after these its record.
const HASH = 0;
const START = 1;
const LENGTH = 2;
const CLAIM = 3;
/** The object that came after it in a list last time. */
const NEXT = 4;
const RECORD = 5;

/** Four commas. */
const COMMAS = 0x2c2c2c2c;

/** Whether any of the four bytes is 0. */
const hasZero = (four: number): boolean => ((four - 0x01010101) & ~four & 0x80808080) !== 0;

/**
 * Objects that many pages hold word for word, such as a subject or an artist: each is judged and printed once, and
 * known again by its bytes. What an object is judged to be and printed as depends on nothing else.
 */
export class InternedObjects {
  /** The number of the object whose hash leads here, plus one; 0 for none. */
  private readonly places = new Int32Array(PLACES);
  /** How many numbers the record of an object has: where its values stand, ends 0 where there are none. */
  private readonly recordSize: number;
  private readonly size: number;
  private count = 0;
  readonly known: Int32Array;
  /** By the object's number: what it is printed as; undefined where it was not printed yet. */
  readonly printed: (DataView | undefined)[] = [];
  /** Sources and printed forms of the objects. The system gives memory as it is written to, here and in `known`. */
  private readonly bytes = Buffer.allocUnsafeSlow(MOST_BYTES);
  /** The same bytes. */
  readonly view = viewOf(this.bytes);
  private used = 0;
  /** Of the object last looked for. */
  private hash = 0;
  private place = NO_PLACE;

  constructor(recordSize: number) {
    this.recordSize = recordSize;
    this.size = RECORD + recordSize;
    this.known = new Int32Array(this.size * MOST_OBJECTS);
  }

  length(number: number): number {
    return this.known[number * this.size + LENGTH] as number;
  }

  /** The number of what an object states; -1 for nothing. */
  claim(number: number): number {
    return this.known[number * this.size + CLAIM] as number;
  }

  /** The number of the object that stands at `start`, after the object `last` in its list; -1 where it is not known. */
  find(source: DataView, start: number, last: number): number {
    if (last !== -1) {
      const next = this.known[last * this.size + NEXT] as number;
      if (this.isAt(next, source, start)) return next;
    }
    const number = this.search(source, start);
    if (last !== -1 && number !== -1) this.known[last * this.size + NEXT] = number;
    return number;
  }

  private search(source: DataView, start: number): number {
    let hash = 0;
    let fields = 0;
    const last = Math.min(start + MOST_HASHED, source.byteLength) - 4;
    for (let at = start; at <= last; at += 4) {
      const four = source.getInt32(at, true);
      hash = Math.imul(hash ^ four ^ (hash >>> 15), 0x01000193);
      if (hasZero(four ^ COMMAS) && ++fields === FIELDS_HASHED) break;
    }
    const first = hash ^ (hash >>> 15);
    this.place = NO_PLACE;
    for (let tried = 0; tried < MOST_TRIED;) {
      const place = (first + tried++) & (PLACES - 1);
      const number = (this.places[place] as number) - 1;
      if (number === -1) {
        this.hash = hash;
        this.place = place;
        return -1;
      }
      if (this.known[number * this.size + HASH] === hash && this.isAt(number, source, start)) return number;
    }
    return -1;
  }

  private isAt(number: number, source: DataView, start: number): boolean {
    const length = this.length(number);
    return (
      start + length <= source.byteLength &&
      areSame(this.view, this.known[number * this.size + START] as number, source, start, length)
    );
  }

  /**
   * Keeps the object that was not found just now, with its record and the number of what it states. Gives its number;
   * -1 where it is not kept.
   */
  add(
    source: Buffer,
    start: number,
    end: number,
    numbers: Int32Array,
    record: number,
    claim: number,
  ): number {
    if (this.place === NO_PLACE || this.count === MOST_OBJECTS || this.used + end - start > MOST_BYTES)
      return -1;
    // What is printed otherwise than it was written does not stand in the object.
    for (let k = 0; k < this.recordSize; k += 2) if ((numbers[record + k] as number) < 0) return -1;
    const number = this.count++;
    this.printed.push(undefined);
    let at = number * this.size;
    const { known } = this;
    this.places[this.place] = number + 1;
    known[at + HASH] = this.hash;
    const kept = this.keep(source, start, end);
    known[at + START] = kept;
    known[at + LENGTH] = end - start;
    known[at + CLAIM] = claim;
    at += RECORD;
    for (let k = 0; k < this.recordSize; k += 2) {
      if (numbers[record + k + 1] === 0) continue;
      known[at + k] = (numbers[record + k] as number) - start + kept;
      known[at + k + 1] = (numbers[record + k + 1] as number) - start + kept;
    }
    return number;
  }

  /** Where in `known` the record of an object begins; the values stand in `view`. */
  recordOf(number: number): number {
    return number * this.size + RECORD;
  }

  /** Keeps what a known object is printed as. */
  addPrinted(number: number, bytes: Buffer): void {
    if (this.used + bytes.length > MOST_BYTES) return;
    const kept = this.keep(bytes, 0, bytes.length);
    this.printed[number] = new DataView(this.bytes.buffer, kept, bytes.length);
  }

  private keep(from: Buffer, start: number, end: number): number {
    const at = this.used;
    this.used += from.copy(this.bytes, at, start, end);
    return at;
  }
}
