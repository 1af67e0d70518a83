const [QUOTE, COLON] = [0x22, 0x3a];

/** A field's name that is looked for among the bytes of JSON, by Horspool's algorithm: no string need be made of them. */
export class Key {
  private readonly name: Buffer;
  /** How the field's value begins, behind the name, its quotation mark and its colon. */
  private readonly value: Buffer;
  /** By a byte that stands where the name's last one would: how far on the name may end. */
  private readonly shift: Uint8Array;

  constructor(name: string, value = "") {
    this.name = Buffer.from(name);
    this.value = Buffer.from(value);
    const last = this.name.length - 1;
    this.shift = new Uint8Array(256).fill(last + 1);
    for (let k = 0; k < last; k++) this.shift[this.name[k] as number] = last - k;
  }

  /** The place behind the colon and the value's beginning; the end of the bytes where they do not have them. */
  after(bytes: Uint8Array, from: number): number {
    const { name, value, shift } = this;
    // What is quoted in JSON is most frequent there, so the marks around the name would spoil the shifts.
    for (
      let end = from + 1 + name.length;
      end < bytes.length;
      end += shift[bytes[end - 1] as number] as number
    )
      if (
        endsAt(name, bytes, end) &&
        bytes[end] === QUOTE &&
        bytes[end + 1] === COLON &&
        bytes[end - name.length - 1] === QUOTE &&
        endsAt(value, bytes, end + 2 + value.length)
      )
        return end + 2 + value.length;
    return bytes.length;
  }
}

function endsAt(text: Uint8Array, bytes: Uint8Array, end: number): boolean {
  const start = end - text.length;
  for (let k = text.length - 1; k >= 0; k--) if (bytes[start + k] !== text[k]) return false;
  return true;
}
