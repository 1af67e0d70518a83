/** Maximum number of texts in the pool, which is then emptied: equal texts are close together. */
const MAX_TEXTS = 5000;

/** Keeps one copy of repeated texts, such as the address of a page and of its parent. */
export class TextPool {
  private readonly known = new Map<string, string>();

  one(text: string): string {
    const known = this.known.get(text);
    if (known !== undefined) return known;
    if (this.known.size === MAX_TEXTS) this.known.clear();
    // V8 stores a concatenated text as its parts until one of its characters is read.
    text.charCodeAt(0);
    this.known.set(text, text);
    return text;
  }
}
