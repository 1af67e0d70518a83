import { Tokenizer, type QuoteType } from "htmlparser2";

type Callbacks = ConstructorParameters<typeof Tokenizer>[1];

export interface Span {
  start: number;
  end: number;
}

export interface Attribute extends Span {
  name: string;
  /** With its entities decoded. */
  value: string;
  /** The range of the value without its quotation marks. */
  valueSpan: Span;
}

export interface Tag extends Span {
  name: string;
}

export interface OpenTag extends Tag {
  attributes: Attribute[];
  selfClosed: boolean;
}

export interface Visitor {
  text: (span: Span) => void;
  openTag: (tag: OpenTag) => void;
  /** The name is empty for `</>`. */
  closeTag: (tag: Tag) => void;
  /** Anything that is neither text nor a tag: a comment, doctype, CDATA section or instruction. */
  other: (span: Span) => void;
  /** A tag that does not end before the next one begins, or at all. The rest of the fragment cannot be read. */
  unfinished: (span: Span) => void;
  /** A tag with quotation marks or signs that browsers and people would read differently. */
  quotes: (tag: Tag, place: Span) => void;
  isDone: () => boolean;
}

/**
 * Reads a fragment as a browser would, with the tokenizer of `htmlparser2`. If it is lenient in another way
 * than browsers, the visitor gets the tag as broken, and reading stops.
 */
export function readTokens(html: string, visitor: Partial<Visitor>): void {
  const reader = new TokenReader(html, visitor);
  const tokenizer = new Tokenizer({}, reader);
  reader.stop = () => tokenizer.pause();
  tokenizer.write(html);
  tokenizer.end();
}

/** Maximum number of attributes of a tag. People write fewer; more come from a missing quotation mark. */
const MAX_ATTRIBUTES = 1000;

/**
 * A closing tag, a comment, or a tag with attributes, inside an attribute's value. They come from a missing quotation
 * mark, and some could end the element into which a website puts the text (`</script>`). Any other `<` is an ordinary
 * character.
 */
const NO_PROSE = /<(?:[/!?]|[a-z][^<>]*=)/i;

class TokenReader implements Callbacks {
  readonly html: string;
  readonly visitor: Partial<Visitor>;
  stop: () => void = () => undefined;
  private isStopped = false;
  /** The end of the last complete token. The range from there to the next token is text. */
  private last = 0;
  private tag: OpenTag | undefined;
  private attribute: Attribute | undefined;
  private readonly hasEmptyTags: boolean;

  constructor(html: string, visitor: Partial<Visitor>) {
    this.html = html;
    this.hasEmptyTags = html.includes("</>");
    this.visitor = visitor;
  }

  onopentagname(start: number, end: number): void {
    if (this.isStopped) return;
    this.textUntil(start - 1);
    const name = this.html.slice(start, end).toLowerCase();
    this.tag = { name, start: start - 1, end, attributes: [], selfClosed: false };
    if (name.includes("<")) this.broken(() => this.visitor.unfinished?.({ start: start - 1, end }));
  }

  onattribname(start: number, end: number): void {
    const name = this.html.slice(start, end).toLowerCase();
    this.attribute = { name, start, end, value: "", valueSpan: { start: end, end } };
    const tag = this.tag;
    if (this.isStopped || tag === undefined) return;
    if (name.includes("<")) this.broken(() => this.visitor.unfinished?.({ start: tag.start, end: start }));
    else if (/["'=]/.test(name)) this.broken(() => this.visitor.quotes?.(tag, { start, end }));
  }

  onattribdata(start: number, end: number): void {
    if (this.attribute !== undefined) this.attribute.value += this.html.slice(start, end);
  }

  onattribentity(codepoint: number): void {
    if (this.attribute !== undefined) this.attribute.value += String.fromCodePoint(codepoint);
  }

  onattribend(_quote: QuoteType, end: number): void {
    const { attribute, tag } = this;
    if (this.isStopped || attribute === undefined || tag === undefined) return;
    const before = /[ \t\n\f\r]*=[ \t\n\f\r]*(["']?)/y;
    before.lastIndex = attribute.end;
    const [assignment, quote] = before.exec(this.html) ?? [];
    if (assignment !== undefined) {
      attribute.valueSpan = { start: attribute.end + assignment.length, end: quote === "" ? end : end - 1 };
      attribute.end = end;
    }
    const { valueSpan } = attribute;
    const doubtful = quote === "" ? /["'`<“”‘’]/ : NO_PROSE;
    if (
      doubtful.test(this.html.slice(valueSpan.start, valueSpan.end)) ||
      tag.attributes.length >= MAX_ATTRIBUTES
    )
      this.broken(() => this.visitor.quotes?.(tag, { start: attribute.start, end: valueSpan.start }));
    tag.attributes.push(attribute);
  }

  onopentagend(last: number): void {
    this.openTag(last, false);
  }

  onselfclosingtag(last: number): void {
    this.openTag(last, true);
  }

  onclosetag(start: number, end: number): void {
    if (this.isStopped) return;
    this.textUntil(start - 2);
    const rest = /[ \t\n\f\r]*>/y;
    rest.lastIndex = end;
    const finish = rest.exec(this.html);
    if (finish === null || this.html.slice(start, end).includes("<"))
      return this.broken(() => this.visitor.unfinished?.({ start: start - 2, end }));
    const span = { start: start - 2, end: end + finish[0].length };
    this.visit(span, () =>
      this.visitor.closeTag?.({ name: this.html.slice(start, end).toLowerCase(), ...span }),
    );
  }

  oncomment(start: number, last: number): void {
    if (this.isStopped) return;
    const span = { start: this.html.lastIndexOf("<", start - 1), end: Math.min(last + 1, this.html.length) };
    this.textUntil(span.start);
    if (this.html.startsWith("</", span.start)) this.broken(() => this.visitor.unfinished?.(span));
    else this.visit(span, () => this.visitor.other?.(span));
  }

  oncdata(start: number, last: number): void {
    this.oncomment(start, last);
  }

  ondeclaration(start: number, last: number): void {
    this.oncomment(start, last);
  }

  onprocessinginstruction(start: number, last: number): void {
    this.oncomment(start, last);
  }

  onend(): void {
    if (this.isStopped) return;
    const rest = this.html.slice(this.last);
    const at = rest.search(/<(?:[a-z!?]|\/(?!>)|$)/i);
    this.textUntil(at < 0 ? this.html.length : this.last + at);
    if (at >= 0) this.visitor.unfinished?.({ start: this.last, end: this.html.length });
  }

  ontext(): void {
    // Text is found as the range between two tokens.
  }

  ontextentity(): void {
    // Entities are part of the text.
  }

  private openTag(last: number, selfClosed: boolean): void {
    const { tag } = this;
    if (this.isStopped || tag === undefined) return;
    this.tag = undefined;
    this.visit({ start: tag.start, end: last + 1 }, () =>
      this.visitor.openTag?.({ ...tag, end: last + 1, selfClosed }),
    );
  }

  /** Reports the text up to `end`. Browsers and the tokenizer drop `</>`, so it is searched for in the text. */
  private textUntil(end: number): void {
    const gap = this.hasEmptyTags ? this.html.slice(this.last, end) : "";
    for (const empty of gap.matchAll(/<\/>/g)) {
      const start = this.last + empty.index;
      this.visitor.closeTag?.({ name: "", start, end: start + empty[0].length });
      if (this.visitor.isDone?.()) break;
    }
    if (end > this.last) this.visitor.text?.({ start: this.last, end });
    this.last = end;
  }

  private visit(span: Span, call: () => void): void {
    call();
    this.last = span.end;
    if (this.visitor.isDone?.()) this.finish();
  }

  private broken(call: () => void): void {
    call();
    this.finish();
  }

  private finish(): void {
    this.isStopped = true;
    this.stop();
  }
}
