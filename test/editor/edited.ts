import * as fc from "fast-check";
import { random, type Random } from "../../scripts/bench/input/random.ts";
import { type FieldEdit, withEdits } from "../../build/editor/edits.ts";
import { type Member, type Node, valueOf } from "../../build/json/node.ts";
import { isObject, type JsonValue } from "../../build/json/object.ts";
import { parseJson } from "../../build/json/parse.ts";
import { valueIn, type ValueModel } from "../../build/page/model.ts";
import { PROGRAM } from "../../build/page/page.ts";
import { PAGE_TYPES } from "../../build/page/types.ts";
import { anyValue } from "../response/sound.ts";

type Page = { [key: string]: JsonValue };

/** A source of a random type and layout, with one to five edits, none of which is within another. */
export interface Edited {
  text: string;
  page: Page;
  edits: FieldEdit[];
}

export function drawEdited(seed: number): Edited {
  const draw = random(seed);
  const type = draw.pick([...PAGE_TYPES, "artworks.ArtworkPage"] as const);
  const model = PROGRAM.types[type].source;
  const page = sample(model, draw) as Page;
  const text = draw.pick(["", "\ufeff"]) + scattered(page, draw) + draw.pick(["", "\n", "\r\n"]);
  const edits: FieldEdit[] = [];
  for (let n = 1 + draw.below(5); n > 0; n--) {
    const path = draw.pick(placesIn(model, page));
    if (edits.some((edit) => isWithin(path, edit.path) || isWithin(edit.path, path))) continue;
    // Removing an element changes the indexes of later ones, so no element is edited after another edit in its list.
    const list = path.replace(/\.\d+$/, "");
    if (list !== path && edits.some((edit) => isWithin(edit.path, list))) continue;
    edits.push({ path, value: newValue(model, page, path, draw) });
  }
  return { text, page, edits };
}

const sample = (model: ValueModel, draw: Random): JsonValue =>
  fc.sample(anyValue(model), { numRuns: 1, seed: draw.below(2 ** 31) })[0] as JsonValue;

export const isWithin = (path: string, other: string): boolean => `${path}.`.startsWith(`${other}.`);

/** The paths of all fields that the page has or may have, and of all elements of its lists. */
function placesIn(model: ValueModel, value: JsonValue, path = ""): string[] {
  const below = (step: string | number): string => (path === "" ? String(step) : `${path}.${step}`);
  const own = path === "" || path === "meta" || path === "meta.type" ? [] : [path];
  if (model.kind === "object" && isObject(value))
    return own.concat(
      [...model.fields].flatMap(([key, field]) =>
        field.kind === "derived"
          ? []
          : Object.hasOwn(value, key)
            ? placesIn(field, value[key] as JsonValue, below(key))
            : [below(key)],
      ),
    );
  if (model.kind === "list" && Array.isArray(value))
    return own.concat(value.flatMap((item, i) => placesIn(model.element, item, below(i))));
  return own;
}

function newValue(model: ValueModel, page: Page, path: string, draw: Random): JsonValue | undefined {
  const steps = path.split(".");
  const old = steps.reduce<unknown>((at, step) => (at as Page | undefined)?.[step], page);
  if (old !== undefined && draw.below(4) === 0) return undefined;
  const field = valueIn(model, steps) as ValueModel;
  if (field.kind === "open") return draw.pick<JsonValue>([null, [], {}, [{ b: [1.5], a: "é" }]]);
  if (!Array.isArray(old)) return sample(field, draw);
  const list = [...(old as JsonValue[])];
  for (let n = 1 + draw.below(3); n > 0; n--) {
    const at = draw.below(list.length + 1);
    const kind = draw.below(3);
    if (kind === 0 && field.kind === "list") list.splice(at, 0, sample(field.element, draw));
    else if (kind === 1) list.splice(at, 1);
    else list.splice(draw.below(list.length + 1), 0, ...list.splice(at, 1));
  }
  return list;
}

/** A value as JSON with random spaces, line breaks, escapes and spellings of numbers. */
function scattered(value: JsonValue, draw: Random): string {
  const newline = draw.pick(["\n", "\r\n"]);
  const spaces = draw.pick([
    [""],
    ["", " "],
    ["", " ", "  ", "\t", newline, `${newline}  `, `${newline}${newline}\t`],
  ]);
  const space = (): string => draw.pick(spaces);
  const text = (of: string): string =>
    JSON.stringify(of).replace(/\\u0000|[^\\"]/gu, (c) =>
      draw.below(12) === 0 && c.length === 1 ? `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}` : c,
    );
  const print = (of: JsonValue): string => {
    if (typeof of === "string") return text(of);
    if (typeof of === "number" && Number.isInteger(of) && of < 1e15)
      return `${of}${draw.pick(["", "", ".0", "e0"])}`;
    if (!isObject(of) && !Array.isArray(of)) return JSON.stringify(of);
    const items = Array.isArray(of)
      ? of.map(print)
      : Object.entries(of).map(([key, field]) => `${text(key)}${space()}:${space()}${print(field)}`);
    const inside = items.map((item) => `${space()}${item}${space()}`).join(",");
    return Array.isArray(of) ? `[${inside}]` : `{${inside}}`;
  };
  return print(value);
}

/** Descriptions of all differences between the new text and the old text with edited values. */
export function* differences({ text, page, edits }: Edited, now: string): Generator<string> {
  const [before, after] = [parsed(text), parsed(now)];
  if (before.around !== after.around) yield "the text around the page";
  const wanted = withEdits(page, edits);
  if (!isSame(valueOf(after.root), wanted)) yield `the page is not the edited one`;
  yield* compare(before, before.root, after, after.root, "", edits);
}

type Parsed = { text: string; around: string; root: Node };

function parsed(text: string): Parsed {
  const { root, source, findings } = parseJson("", Buffer.from(text));
  if (root === undefined) throw new Error(`no JSON: ${JSON.stringify(findings)}`);
  const mark = text.startsWith("\ufeff") ? "\ufeff" : "";
  const around = `${mark}${source.text.slice(0, root.start)}…${source.text.slice(root.end)}`;
  return { text: source.text, around, root };
}

function isSame(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((x, i) => isSame(x, b[i]));
  if (!isObject(a) || !isObject(b)) return Object.is(a, b);
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isSame(a[key], b[key]))
  );
}

const elementSpans = ({ items }: Node & { type: "array" }): Spans =>
  items.map(({ start, end }, key) => ({ key, start, end }));

const memberSpans = ({ members }: Node & { type: "object" }): Spans =>
  members.map(({ key, keyStart, value: { end } }) => ({ key, start: keyStart, end }));

function* compare(
  before: Parsed,
  old: Node,
  after: Parsed,
  now: Node,
  path: string,
  edits: readonly FieldEdit[],
): Generator<string> {
  const below = (step: string | number): string => (path === "" ? String(step) : `${path}.${step}`);
  const isEdited = edits.some((edit) => edit.path === path);
  const isShorter = edits.some(
    (edit) => edit.value === undefined && edit.path.replace(/\.\d+$/, "") === path && old.type === "array",
  );
  if (isEdited || isShorter) {
    if (old.type === "array" && now.type === "array") yield* compareElements(before, old, after, now, path);
  } else if (!edits.some((one) => isWithin(one.path, path) || path === "")) {
    if (before.text.slice(old.start, old.end) !== after.text.slice(now.start, now.end))
      yield `bytes of ${path}`;
  } else if (old.type === "object" && now.type === "object") {
    const kept = old.members.filter(({ key }) => now.members.some((one) => one.key === key));
    const still = now.members.filter(({ key }) => kept.some((one) => one.key === key));
    for (const [i, member] of kept.entries()) {
      const other = still[i] as Member;
      const name = before.text.slice(member.keyStart, member.value.start);
      if (name !== after.text.slice(other.keyStart, other.value.start))
        yield `the name of ${below(member.key)}, or its place`;
      yield* compare(before, member.value, after, other.value, below(member.key), edits);
    }
    yield* compareGaps(before, old, memberSpans(old), after, now, memberSpans(now), path);
  } else if (old.type === "array" && now.type === "array") {
    for (const [i, item] of old.items.entries())
      yield* compare(before, item, after, now.items[i] as Node, below(i), edits);
    yield* compareGaps(before, old, elementSpans(old), after, now, elementSpans(now), path);
  } else yield `the kind of ${path}`;
}

type Spans = { key: string | number; start: number; end: number }[];

/** Compares the text between elements that are still neighbours, before the first and after the last. */
function* compareGaps(
  before: Parsed,
  old: Node,
  was: Spans,
  after: Parsed,
  now: Node,
  is: Spans,
  path: string,
): Generator<string> {
  const gaps = (of: Parsed, node: Node, spans: Spans): Map<string, string> =>
    new Map(
      [...spans, undefined].map((span, i) => [
        `${spans[i - 1]?.key ?? "["} ${span?.key ?? "]"}`,
        of.text.slice(spans[i - 1]?.end ?? node.start, span?.start ?? node.end),
      ]),
    );
  const still = gaps(after, now, is);
  for (const [where, gap] of gaps(before, old, was))
    if (still.has(where) && still.get(where) !== gap) yield `between ${where} of ${path}`;
}

/** Checks that elements whose value is in both lists keep their bytes. */
function* compareElements(
  before: Parsed,
  old: Node & { type: "array" },
  after: Parsed,
  now: Node & { type: "array" },
  path: string,
): Generator<string> {
  const written = (of: Parsed, { start, end }: Node): string => of.text.slice(start, end);
  for (const item of now.items) {
    const equal = (other: Node): boolean => isSame(valueOf(other), valueOf(item));
    const texts = old.items.filter(equal).map((other) => written(before, other));
    const still = now.items.filter(equal).map((other) => written(after, other));
    const most = Math.min(texts.length, still.length);
    const kept = still.filter((text) => texts.includes(text) && texts.splice(texts.indexOf(text), 1));
    if (kept.length < most) yield `bytes of an element of ${path}`;
  }
}
