/** A text that is looked for among bytes, by Horspool's algorithm: no string need be made of them. */
export class Key {
  private readonly text: Buffer;
  /** By a byte that stands where the text's last one would: how far on the text may end. */
  private readonly shift: Uint8Array;

  constructor(text: string) {
    this.text = Buffer.from(text);
    const last = this.text.length - 1;
    this.shift = new Uint8Array(256).fill(last + 1);
    for (let k = 0; k < last; k++) this.shift[this.text[k] as number] = last - k;
  }

  /** The place behind the text; the end of the bytes where they do not have it. */
  after(bytes: Uint8Array, from: number): number {
    const { text, shift } = this;
    for (let end = from + text.length; end <= bytes.length; end += shift[bytes[end - 1] as number] as number)
      if (endsAt(text, bytes, end)) return end;
    return bytes.length;
  }
}

function endsAt(text: Uint8Array, bytes: Uint8Array, end: number): boolean {
  const start = end - text.length;
  for (let k = text.length - 1; k >= 0; k--) if (bytes[start + k] !== text[k]) return false;
  return true;
}
