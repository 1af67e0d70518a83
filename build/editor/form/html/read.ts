import type { Mark, Node } from "prosemirror-model";
import { ELEMENTS } from "../../../model/html/elements.ts";
import { readTokens, type OpenTag, type Span, type Tag } from "../../../model/html/tokens.ts";
import { isPhrase, schema } from "./schema.ts";

const unreadable = (): never => {
  throw new RangeError("The editor cannot show this as formatted text.");
};

interface Frame {
  name: string;
  attrs: Record<string, string>;
  content: Node[];
  line: Node[];
  space: string;
}

/** The character references that the editor writes. */
export const ENTITIES = new Map([
  ["&amp;", "&"],
  ["&lt;", "<"],
  ["&gt;", ">"],
  ["&quot;", '"'],
  ["&#39;", "'"],
  ["&nbsp;", "\u00a0"],
]);

const decoded = (text: string) => text.replace(/&[a-z\d#]+;/g, (entity) => ENTITIES.get(entity) ?? entity);

/** An HTML fragment as a document; undefined if the editor cannot show it. */
export function readHtml(html: string): Node | undefined {
  const reader = new Reader(html);
  try {
    readTokens(html, reader);
    return reader.finish();
  } catch (cause) {
    // The schema throws a RangeError too, if it does not allow the content.
    if (cause instanceof RangeError) return undefined;
    throw cause;
  }
}

class Reader {
  private readonly html: string;
  private readonly frames: Frame[] = [frameOf("doc", {})];
  private readonly marks: { name: string; mark: Mark }[] = [];

  constructor(html: string) {
    this.html = html;
  }

  text({ start, end }: Span): void {
    const text = decoded(this.html.slice(start, end));
    const { top } = this;
    const isSpace = /^[ \t\r\n]*$/.test(text);
    if (!this.isTextOnly(top) && isSpace && top.line.length === 0 && this.marks.length === 0) {
      top.space += text;
      return;
    }
    const before = top.line.length === 0 ? top.space : "";
    top.space = "";
    if (before !== "") top.line.push(schema.text(before));
    top.line.push(
      schema.text(
        text,
        this.marks.map(({ mark }) => mark),
      ),
    );
  }

  openTag(tag: OpenTag): void {
    const { name } = tag;
    const rules = ELEMENTS.get(name);
    if (rules === undefined) return unreadable();
    const source = this.html.slice(tag.start + 1 + name.length, tag.end - 1);
    if (tag.selfClosed && !rules.isVoid) return unreadable();
    const type = schema.nodes[name];
    if (type === undefined) {
      this.marks.push({ name, mark: schema.mark(name, { source }) });
      return;
    }
    const { top } = this;
    if (type.isInline) {
      if (top.line.length === 0 && top.space !== "") top.line.push(schema.text(top.space));
      top.space = "";
      const marks = this.marks.map(({ mark }) => mark);
      top.line.push(type.create({ source }, null, marks));
      return;
    }
    if (this.marks.length > 0 || this.isTextOnly(top)) return unreadable();
    flush(top);
    const frame = frameOf(name, { source, before: top.space });
    top.space = "";
    if (rules.isVoid) top.content.push(type.create(frame.attrs));
    else this.frames.push(frame);
  }

  closeTag({ name }: Tag): void {
    if (isPhrase(name)) {
      if (this.marks.pop()?.name !== name) return unreadable();
      return;
    }
    const frame = this.frames.pop();
    if (frame?.name !== name || this.frames.length === 0 || this.marks.length > 0) return unreadable();
    this.top.content.push(this.nodeOf(frame));
  }

  readonly other = unreadable;
  readonly unfinished = unreadable;
  readonly quotes = unreadable;
  readonly isDone = (): boolean => false;

  finish(): Node {
    const [doc, ...open] = this.frames;
    if (doc === undefined || open.length > 0 || this.marks.length > 0) return unreadable();
    return this.nodeOf(doc);
  }

  private get top(): Frame {
    return this.frames.at(-1) as Frame;
  }

  private isTextOnly({ name }: Frame): boolean {
    return schema.nodes[name]?.inlineContent === true;
  }

  private nodeOf(frame: Frame): Node {
    const type = schema.nodes[frame.name];
    if (type === undefined) return unreadable();
    const attrs = { ...frame.attrs, after: frame.space };
    if (this.isTextOnly(frame)) return type.createChecked(frame.attrs, frame.line);
    flush(frame);
    // An empty block, so that the editor has a line to write in.
    if (frame.content.length === 0) {
      const name = frame.name === "doc" ? "p" : "line";
      const space = frame.space === "" ? null : schema.text(frame.space);
      const block = schema.nodes[name]?.create(null, name === "p" ? null : space);
      return type.createChecked({ ...attrs, after: "" }, block);
    }
    return type.createChecked(attrs, frame.content);
  }
}

const frameOf = (name: string, attrs: Record<string, string>): Frame => ({
  name,
  attrs,
  content: [],
  line: [],
  space: "",
});

function flush(frame: Frame): void {
  if (frame.line.length === 0) return;
  const line = schema.nodes["line"];
  if (line !== undefined) frame.content.push(line.create(null, frame.line));
  frame.line = [];
}
