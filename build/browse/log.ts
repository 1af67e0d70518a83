import { entryIn, entryLine, type Entry } from "./entry.ts";

/** So many lines are put together: fewer, larger pieces are handed from thread to thread. */
const TOGETHER = 512;

/** The entries of pages, as one thread reads them, in pieces that another can take over. */
export class EntryLog {
  private readonly pieces: Uint8Array<ArrayBuffer>[] = [];
  private lines: string[] = [];

  /** @param bytes a response, which need not stay. */
  add(bytes: Buffer): void {
    if (this.lines.push(entryLine(bytes)) === TOGETHER) this.close();
  }

  finish(): Uint8Array<ArrayBuffer>[] {
    if (this.lines.length > 0) this.close();
    return this.pieces;
  }

  private close(): void {
    this.pieces.push(bytesOf(`${this.lines.join("\n")}\n`));
    this.lines = [];
  }
}

/** In a piece of memory of its own, which can be handed over. */
function bytesOf(latin1: string): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.allocUnsafeSlow(latin1.length);
  bytes.write(latin1, "latin1");
  return bytes as Uint8Array<ArrayBuffer>;
}

const NEWLINE = 0x0a;
const COMMA = 0x2c;

/** The entries of all pieces, in the order of their ids, each made when its turn comes. */
export function* entriesIn(pieces: readonly Uint8Array[]): Generator<Entry> {
  const buffers = pieces.map(({ buffer, byteOffset, byteLength }) =>
    Buffer.from(buffer, byteOffset, byteLength),
  );
  const lines: { id: number; piece: number; start: number; end: number }[] = [];
  for (const [piece, bytes] of buffers.entries())
    for (let start = 0; start < bytes.length;) {
      const end = bytes.indexOf(NEWLINE, start);
      const id = Number(bytes.toString("latin1", start + 1, bytes.indexOf(COMMA, start)));
      lines.push({ id, piece, start, end });
      start = end + 1;
    }
  lines.sort((a, b) => a.id - b.id);
  for (const { piece, start, end } of lines)
    yield entryIn(buffers[piece]?.toString("utf8", start, end) ?? "");
}
