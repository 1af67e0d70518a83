const COMMA = 0x2c;
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

// What is known of an object, in so many numbers; after these its frame.
const HASH = 0;
const START = 1;
const LENGTH = 2;
const FACT = 3;
const PRINTED_START = 4;
const PRINTED_LENGTH = 5;
const FRAME = 6;

export const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);

/**
 * Objects that many pages hold word for word, such as a subject or an artist: each is judged and printed once, and
 * known again by its bytes. What an object is judged to be and printed as depends on nothing else.
 */
export class Repeats {
  /** The number of the object whose hash leads here, plus one; 0 for none. */
  private readonly places = new Int32Array(PLACES);
  /** How many numbers the frame of an object has: where its values stand, ends 0 where there are none. */
  private readonly frameSize: number;
  private readonly size: number;
  private count = 0;
  private readonly known: Int32Array;
  /** Sources and printed forms of the objects. The system gives memory as it is written to, here and in `known`. */
  readonly bytes = Buffer.allocUnsafeSlow(MOST_BYTES);
  private readonly view = viewOf(this.bytes);
  private used = 0;
  /** Of the object last looked for. */
  private hash = 0;
  private place = NO_PLACE;

  constructor(frameSize: number) {
    this.frameSize = frameSize;
    this.size = FRAME + frameSize;
    this.known = new Int32Array(this.size * MOST_OBJECTS);
  }

  length(number: number): number {
    return this.known[number * this.size + LENGTH] as number;
  }

  /** The number of what an object states; -1 for nothing. */
  fact(number: number): number {
    return this.known[number * this.size + FACT] as number;
  }

  printedStart(number: number): number {
    return this.known[number * this.size + PRINTED_START] as number;
  }

  /** 0 where the object was not printed yet. */
  printedLength(number: number): number {
    return this.known[number * this.size + PRINTED_LENGTH] as number;
  }

  /** The number of the object that stands at `start`; -1 where it is not known. `view` is of the same bytes. */
  find(source: Buffer, view: DataView, start: number): number {
    let hash = 0;
    let fields = 0;
    for (let at = start; at < start + MOST_HASHED; at++) {
      const c = source[at] as number;
      hash = (Math.imul(hash, 31) + c) | 0;
      if (c === COMMA && ++fields === FIELDS_HASHED) break;
    }
    let place = (hash ^ (hash >>> 15)) & (PLACES - 1);
    for (let tried = 0; tried < MOST_TRIED; tried++) {
      const number = (this.places[place] as number) - 1;
      if (number === -1) {
        this.hash = hash;
        this.place = place;
        return -1;
      }
      if (this.known[number * this.size + HASH] === hash && this.isAt(number, view, start)) return number;
      place = (place + 1) & (PLACES - 1);
    }
    this.place = NO_PLACE;
    return -1;
  }

  private isAt(number: number, source: DataView, start: number): boolean {
    const { view } = this;
    let at = this.known[number * this.size + START] as number;
    let other = start;
    const end = at + this.length(number);
    if (other + end - at > source.byteLength) return false;
    // Four at a time while there are four.
    for (; at + 4 <= end; at += 4, other += 4)
      if (view.getInt32(at, true) !== source.getInt32(other, true)) return false;
    for (; at < end; at++, other++) if (view.getInt8(at) !== source.getInt8(other)) return false;
    return true;
  }

  /**
   * Keeps the object that was not found just now, with its frame and the number of what it states. Gives its number;
   * -1 where it is not kept.
   */
  add(source: Buffer, start: number, end: number, arena: Int32Array, frame: number, fact: number): number {
    if (this.place === NO_PLACE || this.count === MOST_OBJECTS || this.used + end - start > MOST_BYTES)
      return -1;
    // What is printed otherwise than it was written does not stand in the object.
    for (let k = 0; k < this.frameSize; k += 2) if ((arena[frame + k] as number) < 0) return -1;
    const number = this.count++;
    let at = number * this.size;
    const { known } = this;
    this.places[this.place] = number + 1;
    known[at + HASH] = this.hash;
    known[at + START] = this.keep(source, start, end);
    known[at + LENGTH] = end - start;
    known[at + FACT] = fact;
    at += FRAME;
    for (let k = 0; k < this.frameSize; k += 2) {
      if (arena[frame + k + 1] === 0) continue;
      known[at + k] = (arena[frame + k] as number) - start;
      known[at + k + 1] = (arena[frame + k + 1] as number) - start;
    }
    return number;
  }

  /** Puts down the frame of a known object that stands at `start`. */
  writeFrame(number: number, start: number, arena: Int32Array, frame: number): void {
    const { known } = this;
    const at = number * this.size + FRAME;
    for (let k = 0; k < this.frameSize; k += 2) {
      if (known[at + k + 1] === 0) continue;
      arena[frame + k] = (known[at + k] as number) + start;
      arena[frame + k + 1] = (known[at + k + 1] as number) + start;
    }
  }

  /** Keeps what a known object is printed as. */
  addPrinted(number: number, out: Buffer, start: number, end: number): void {
    if (this.used + end - start > MOST_BYTES) return;
    this.known[number * this.size + PRINTED_START] = this.keep(out, start, end);
    this.known[number * this.size + PRINTED_LENGTH] = end - start;
  }

  private keep(from: Buffer, start: number, end: number): number {
    const at = this.used;
    this.used += from.copy(this.bytes, at, start, end);
    return at;
  }
}
