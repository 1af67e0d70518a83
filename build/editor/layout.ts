import { lineEnding } from "../edit/text.ts";
import { formatLine, formatValue, STEP } from "../json/format.ts";
import type { Node } from "../json/node.ts";
import type { JsonValue } from "../json/object.ts";

/** A part of a file's text. */
interface TextSpan {
  start: number;
  end: number;
}

/** The position of a printed member or element. `indent`: of its line; undefined if it shares a line with others. */
export type Spot = { indent: string | undefined; isLast: boolean };

/** A member or element of the new text. `from`: its index in the old text, if it was there. */
export interface Entry {
  from?: number;
  text: (spot: Spot) => string;
}

/** The layout of a file; prints new values in the same layout. */
export class SourceLayout {
  private readonly text: string;
  private readonly newline: string;
  /** The indentation of one level. */
  private readonly step: string;
  /** Whether the file has no spaces beside its commas and colons. */
  private readonly isCompact: boolean;

  constructor(text: string, root: Node & { type: "object" }) {
    this.text = text;
    this.newline = lineEnding(text);
    const first = root.members[0];
    const lead = first === undefined ? this.newline : text.slice(root.start + 1, first.keyStart);
    this.step = /\n([ \t]+)$/.exec(lead)?.[1] ?? STEP;
    this.isCompact = first !== undefined && text[first.value.start - 1] === ":";
  }

  /** The text of a value that replaces another. */
  replacement({ start, end }: TextSpan, value: JsonValue): string {
    const from = this.text.lastIndexOf("\n", start - 1) + 1;
    const [indent = ""] = /^[ \t]*/.exec(this.text.slice(from, start)) ?? [];
    const isAlone = /^[ \t]*(?:"(?:[^"\\]|\\.)*"\s*:\s*)?$/.test(this.text.slice(from, start));
    const isLast = !/^\s*,/.test(this.text.slice(end, end + 200));
    return this.printed(
      value,
      { indent: isAlone ? indent : undefined, isLast },
      start - from - indent.length,
    );
  }

  member({ members }: Node & { type: "object" }, key: string, value: JsonValue, spot: Spot): string {
    const model = members.at(-1);
    const colon = model === undefined ? ": " : this.text.slice(model.keyEnd, model.value.start);
    const label = JSON.stringify(key) + (colon.includes("\n") ? ": " : colon);
    return label + this.printed(value, spot, label.length);
  }

  element(value: JsonValue, spot: Spot): string {
    return this.printed(value, spot, 0);
  }

  /** @param label number of columns between the indentation of the line and the value. */
  private printed(value: JsonValue, { indent, isLast }: Spot, label: number): string {
    if (indent === undefined) return this.isCompact ? JSON.stringify(value) : formatLine(value);
    const text = formatValue(value, indent, indent.length + label, isLast ? 0 : 1);
    const lines = text
      .split("\n")
      .map((line, i) => (i === 0 ? line : indent + this.stepped(line.slice(indent.length))));
    return lines.join(this.newline);
  }

  /** Replaces the standard indentation of a line by the file's own. */
  private stepped(line: string): string {
    const [spaces = ""] = /^ */.exec(line) ?? [];
    return this.step.repeat(spaces.length / STEP.length) + line.slice(spaces.length);
  }

  /**
   * A list or object of old and new entries, at least one of them old. The text between old entries stays if their
   * order stays, or if entries were only moved.
   */
  joined(node: TextSpan, spans: readonly TextSpan[], entries: readonly Entry[]): string {
    const { text } = this;
    const between = spans.slice(1).map(({ start }, k) => text.slice(spans[k]?.end, start));
    const lead = text.slice(node.start + 1, spans[0]?.start);
    const tail = text.slice(spans.at(-1)?.end, node.end - 1);
    const isMoved = entries.length === spans.length && entries.every(({ from }) => from !== undefined);
    let joined = text[node.start] + lead;
    let space = lead;
    for (const [i, entry] of entries.entries()) {
      if (i > 0) {
        const before = entries[i - 1]?.from;
        const kept = isMoved
          ? between[i - 1]
          : entry.from === undefined
            ? undefined
            : before === undefined
              ? between[entry.from - 1]
              : before < entry.from
                ? between[before]
                : undefined;
        space = kept ?? this.separator(between, lead, before ?? entry.from ?? 0);
        joined += space;
      }
      const indent = /\n([ \t]*)$/.exec(space)?.[1];
      joined += entry.text({ indent, isLast: i === entries.length - 1 });
    }
    return joined + tail + text[node.end - 1];
  }

  /** The text between a new entry and its neighbour: a copy of the text beside the neighbour, without empty lines. */
  private separator(between: readonly string[], lead: string, near: number): string {
    const model = between[Math.min(near, between.length - 1)];
    if (model !== undefined) return withoutEmptyLines(model);
    return lead.includes("\n") ? `,${withoutEmptyLines(lead)}` : this.isCompact ? "," : ", ";
  }
}

const withoutEmptyLines = (space: string): string => space.replace(/(\r?\n)(?:[ \t]*\r?\n)+/g, "$1");
