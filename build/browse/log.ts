import { entryIn, entryLine, type Entry } from "./entry.ts";

/** So many lines are put together: fewer, larger pieces are handed from thread to thread. */
const TOGETHER = 512;

/** Entries as one thread made them; subjects, of which pages have many alike, by their numbers. */
export interface Entries {
  pieces: Uint8Array<ArrayBuffer>[];
  subjects: string[];
}

/** The entries of pages, as one thread reads them, in pieces that another can take over. */
export class EntryLog {
  private readonly pieces: Uint8Array<ArrayBuffer>[] = [];
  private readonly subjects = new Map<string, number>();
  private lines: string[] = [];

  /** @param bytes a response, which need not stay. */
  add(bytes: Buffer): void {
    if (this.lines.push(entryLine(bytes, this.numberOf)) === TOGETHER) this.close();
  }

  finish(): Entries {
    if (this.lines.length > 0) this.close();
    const names = [...this.subjects.keys()].join(",");
    const subjects = JSON.parse(`[${Buffer.from(names, "latin1").toString("utf8")}]`) as string[];
    return { pieces: this.pieces, subjects };
  }

  private readonly numberOf = (subject: string): number => {
    let number = this.subjects.get(subject);
    if (number === undefined) {
      number = this.subjects.size;
      this.subjects.set(subject, number);
    }
    return number;
  };

  private close(): void {
    this.pieces.push(bytesOf(`${this.lines.join("\n")}\n`));
    this.lines = [];
  }
}

/** In a piece of memory of its own, which can be handed over. */
function bytesOf(latin1: string): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.allocUnsafeSlow(latin1.length);
  bytes.write(latin1, "latin1");
  return bytes;
}

const NEWLINE = 0x0a;
const COMMA = 0x2c;

/** The entries of all logs, in the order of their ids, each made when its turn comes. */
export function* entriesIn(logs: readonly Entries[]): Generator<Entry> {
  const lines: { id: number; bytes: Buffer; start: number; nameOf: (subject: string | number) => string }[] =
    [];
  for (const { pieces, subjects } of logs) {
    const nameOf = (subject: string | number): string => subjects[Number(subject)] ?? "";
    for (const { buffer, byteOffset, byteLength } of pieces) {
      const bytes = Buffer.from(buffer, byteOffset, byteLength);
      for (let start = 0; start < bytes.length; start = bytes.indexOf(NEWLINE, start) + 1) {
        const id = Number(bytes.toString("latin1", start + 1, bytes.indexOf(COMMA, start)));
        lines.push({ id, bytes, start, nameOf });
      }
    }
  }
  lines.sort((a, b) => a.id - b.id);
  for (const { bytes, start, nameOf } of lines)
    yield entryIn(bytes.toString("utf8", start, bytes.indexOf(NEWLINE, start)), nameOf);
}
