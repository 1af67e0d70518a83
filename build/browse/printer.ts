import { Bytes } from "./bytes.ts";

const [QUOTE, COMMA, COLON, BRACKET, CLOSING_BRACKET, BRACE] = [0x22, 0x2c, 0x3a, 0x5b, 0x5d, 0x7b];

/** For a number and the signs around it. */
const ROOM = 32;

/** Prints parts, one after the other. */
export class PartPrinter {
  private readonly ids: Float64Array;
  private readonly out = new Bytes();

  /** @param ids of all pages, ascending. */
  constructor(ids: Float64Array) {
    this.ids = ids;
  }

  idKey(id: number): void {
    this.out.room(ROOM);
    this.openKey();
    this.out.number(id);
    this.closeKey();
  }

  wordKey(bytes: Uint8Array, start: number, end: number): void {
    this.out.room(ROOM + end - start);
    this.openKey();
    this.out.copy(bytes, start, end);
    this.closeKey();
  }

  private openKey(): void {
    this.out.byte(this.out.length === 0 ? BRACE : COMMA);
    this.out.byte(QUOTE);
  }

  private closeKey(): void {
    this.out.byte(QUOTE);
    this.out.byte(COLON);
  }

  /** A value that is JSON already. */
  json(bytes: Uint8Array, start: number, end: number): void {
    this.out.room(end - start);
    this.out.copy(bytes, start, end);
  }

  /** The ids at some places, each but the first as its difference to the one before. */
  idsAt(places: Uint32Array, from: number, to: number): void {
    const { ids, out } = this;
    out.room(ROOM * (to - from + 1));
    out.byte(BRACKET);
    let before = 0;
    for (let k = from; k < to; k++) {
      const id = ids[places[k] as number] as number;
      if (k > from) out.byte(COMMA);
      out.number(id - before);
      before = id;
    }
    out.byte(CLOSING_BRACKET);
  }

  /** A list of such lists; at `starts[from]` the places of the first begin. */
  listsAt(places: Uint32Array, starts: Uint32Array, from: number, to: number): void {
    this.out.room(ROOM);
    for (let list = from; list < to; list++) {
      this.out.byte(list === from ? BRACKET : COMMA);
      this.idsAt(places, starts[list] as number, starts[list + 1] as number);
    }
    this.out.byte(CLOSING_BRACKET);
  }

  /** The bytes of a part, good until the next. */
  finish(): Uint8Array {
    const { out } = this;
    out.room(ROOM);
    out.text(out.length === 0 ? "{}\n" : "}\n");
    const bytes = out.written();
    out.length = 0;
    return bytes;
  }
}
