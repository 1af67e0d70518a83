import { viewOf } from "./bytes.ts";
import { ARRAY, NUMBER, RECORD_HEAD, SLOT_SIZE, TUPLE, type ReadPlan, type ValuePlan } from "./plan.ts";

/** A place in `rewritten` is noted as a negative number, shifted by one, as there is no negative zero. */
const placeInRewritten = (at: number): number => -at - 1;
/** The place that a noted number stands for, in the source or in `rewritten`. */
export const placeAt = (noted: number): number => (noted < 0 ? -noted - 1 : noted);

/**
 * Where the values of a page stand. Each object has a record: a head, and a slot of two numbers (start and end) for each
 * of its fields; an end of 0 says that the field is not there.
 */
export class Slots {
  numbers = new Int32Array(1 << 14);
  private top = 0;
  private src: Buffer = Buffer.alloc(0);
  private view: DataView = viewOf(this.src);
  /** Values that are printed otherwise than they were written; their places are negative. */
  private rewritten = Buffer.allocUnsafe(1 << 12);
  private rewrittenView = viewOf(this.rewritten);
  private rewrittenTop = 0;

  begin(source: Buffer, view: DataView): void {
    this.src = source;
    this.view = view;
    // 0 is no record: its head says that there is none after it, and that it is not interned.
    this.top = RECORD_HEAD;
    this.rewrittenTop = 0;
  }

  /** More bytes than all values take together. */
  get valueBytes(): number {
    return this.src.length + this.rewrittenTop;
  }

  /** A new record. */
  reserve(size: number): number {
    const record = this.top;
    this.top += size;
    if (this.top > this.numbers.length) {
      const wider = new Int32Array(2 * Math.max(this.top, this.numbers.length));
      wider.set(this.numbers);
      this.numbers = wider;
    }
    const { numbers, top } = this;
    for (let i = record; i < top; i++) numbers[i] = 0;
    return record;
  }

  note(slot: number, start: number, end: number): void {
    this.numbers[slot] = start;
    this.numbers[slot + 1] = end;
  }

  /** Keeps a value that is not printed as it was written; the slot 0 is nobody's. */
  rewrite(slot: number, text: string): void {
    const length = Buffer.byteLength(text);
    if (this.rewrittenTop + length > this.rewritten.length) {
      const wider = Buffer.allocUnsafe(2 * (this.rewrittenTop + length));
      this.rewritten.copy(wider, 0, 0, this.rewrittenTop);
      this.rewritten = wider;
      this.rewrittenView = viewOf(wider);
    }
    const start = this.rewrittenTop;
    this.rewrittenTop += this.rewritten.write(text, start);
    if (slot !== 0) this.note(slot, placeInRewritten(start), placeInRewritten(this.rewrittenTop));
  }

  /** What holds the value that begins there. */
  bytesAt(start: number): Buffer {
    return start < 0 ? this.rewritten : this.src;
  }

  /** The same, to be read four bytes at a time. */
  viewAt(start: number): DataView {
    const { view, rewrittenView } = this;
    return start < 0 ? rewrittenView : view;
  }

  /** A value as it is printed. */
  printed(slot: number): string {
    const start = this.numbers[slot] as number;
    const end = this.numbers[slot + 1] as number;
    return this.bytesAt(start).toString("utf8", placeAt(start), placeAt(end));
  }

  /** The value of a number. */
  numberAt(slot: number): number {
    const { src } = this;
    const start = this.numbers[slot] as number;
    const end = this.numbers[slot + 1] as number;
    let value = 0;
    // Few digits: exact, and no text is needed.
    if (start < 0 || end - start > 9) return Number(this.printed(slot));
    for (let at = start; at < end; at++) {
      const digit = (src[at] as number) - 0x30;
      if (digit < 0 || digit > 9) return Number(this.printed(slot));
      value = value * 10 + digit;
    }
    return value;
  }

  /** The values of fields of an object, for a rule or a derived field. */
  read({ fields, leftOut }: ReadPlan, record: number): unknown[] {
    const values: unknown[] = [];
    for (let k = 0; k < fields.length; k++) {
      const { plan, slot } = fields[k] as ReadPlan["fields"][number];
      const at = record + slot;
      values.push(this.numbers[at + 1] === 0 ? leftOut[k] : this.valueAt(plan, at));
    }
    return values;
  }

  /** A value as it will be published, decoded. It holds no objects. */
  private valueAt(plan: ValuePlan, slot: number): unknown {
    if (plan.kind === NUMBER) return this.numberAt(slot);
    if (plan.kind === TUPLE) {
      const first = (this.numbers[slot] as number) + RECORD_HEAD;
      return plan.items.map((item, k) => this.valueAt(item, first + SLOT_SIZE * k));
    }
    if (plan.kind !== ARRAY) return JSON.parse(this.printed(slot));
    const values: unknown[] = [];
    let record = this.numbers[slot] as number;
    for (let left = (this.numbers[slot + 1] as number) - 1; left > 0; left--) {
      values.push(this.valueAt(plan.element, record + RECORD_HEAD));
      record = this.numbers[record] as number;
    }
    return values;
  }
}
