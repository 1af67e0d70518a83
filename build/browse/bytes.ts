const ZERO = 0x30;

/** Bytes, one after the other. Who writes has made room before: no write looks whether there is any. */
export class Bytes {
  length = 0;
  private bytes = Buffer.allocUnsafeSlow(1 << 10);

  room(count: number): void {
    if (this.length + count <= this.bytes.length) return;
    const wider = Buffer.allocUnsafeSlow(2 * (this.length + count));
    this.bytes.copy(wider, 0, 0, this.length);
    this.bytes = wider;
  }

  byte(byte: number): void {
    this.bytes[this.length++] = byte;
  }

  copy(from: Uint8Array, start: number, end: number): void {
    const { bytes } = this;
    let to = this.length;
    for (let at = start; at < end; at++) bytes[to++] = from[at] as number;
    this.length = to;
  }

  text(text: string): void {
    this.length += this.bytes.write(text, this.length);
  }

  /** The digits of a whole number. */
  number(value: number): void {
    if (value < 2 ** 31) this.digits(value | 0);
    else this.text(String(value));
  }

  private digits(value: number): void {
    const { bytes } = this;
    let end = this.length + 1;
    for (let power = 10; power <= value; power *= 10) end++;
    this.length = end;
    let rest = value;
    do {
      const tenth = (rest / 10) | 0;
      bytes[--end] = ZERO + rest - 10 * tenth;
      rest = tenth;
    } while (rest > 0);
  }

  isAt(place: number, from: Uint8Array, start: number, end: number): boolean {
    const { bytes } = this;
    let to = place;
    for (let at = start; at < end; at++) if (bytes[to++] !== from[at]) return false;
    return true;
  }

  /** What was written, good until the next write. */
  written(): Buffer<ArrayBuffer> {
    if (this.length > this.bytes.length) throw new Error("more was written than room was made for");
    return this.bytes.subarray(0, this.length);
  }
}
