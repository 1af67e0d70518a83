/** More are not remembered: what comes again comes soon. */
// tuning: it only saves memory
const MOST = 5000;

/** Keeps one copy of texts that come again and again, such as the address of a page and that of its parent. */
export class TextPool {
  private readonly known = new Map<string, string>();

  one(text: string): string {
    const known = this.known.get(text);
    if (known !== undefined) return known;
    if (this.known.size === MOST) this.known.clear();
    // V8 keeps a joined text as its parts until one of its characters is asked for.
    text.charCodeAt(0);
    this.known.set(text, text);
    return text;
  }
}
