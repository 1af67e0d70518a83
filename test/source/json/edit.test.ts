import * as fc from "fast-check";
import { expect, test } from "vitest";
import { applyEdits, editedText, JsonEditor, type SourceOperation } from "../../../build/source/json/edit.ts";
import { valueOf, type Node, type Path } from "../../../build/source/json/node.ts";
import { isObject } from "../../../build/source/json/object.ts";
import { parseJson } from "../../../build/source/json/parse.ts";
import { memberNames } from "../../../build/model/model.ts";
import { programModel } from "../../../build/model/program-model.ts";
import { random, type Random } from "../../random.ts";
import { anyValue } from "../../response/valid.ts";
import { runsOf } from "../../runs.ts";

const RUNS = runsOf(150);

const nodeOf = (text: string): Node => {
  const { root, findings } = parseJson("", Buffer.from(text));
  if (root === undefined) throw new Error(`no JSON: ${JSON.stringify(findings)}`);
  return root;
};

const NAMES = memberNames(programModel.sourceOf("artworks.ArtworkPage"));
const edited = (text: string, ...operations: SourceOperation[]): string =>
  editedText(text, nodeOf(text), operations, NAMES);

const set = (path: Path, value: unknown): SourceOperation => ({ kind: "set", path, value });
const insert = (path: Path, value: unknown): SourceOperation => ({ kind: "insert", path, value });
const remove = (...path: Path): SourceOperation => ({ kind: "remove", path });
const move = (path: Path, to: number): SourceOperation => ({ kind: "move", path, to });

const PAGE = `{
  "id": 7,
  "meta": { "type": "standardpages.GeneralPage", "search_description": "caf\\u00e9" },

  "title": "Visit"
}
`;

test("writes an edited value, and nothing else", () => {
  expect(edited(PAGE, set(["title"], "Visit “us”"))).toBe(PAGE.replace('"Visit"', '"Visit “us”"'));
  expect(edited(PAGE)).toBe(PAGE);
  expect(edited(PAGE, set(["title"], "Visit"), remove("meta", "seo_title"))).toBe(PAGE);
  expect(edited('{"a":1.50,"b":2}', set(["b"], [3]), set(["c"], { d: 4 }))).toBe(
    '{"a":1.50,"b":[3],"c":{"d":4}}',
  );
});

test("puts a new member where the names have it, within an object too", () => {
  expect(edited(PAGE, set(["meta", "seo_title"], "See"))).toBe(
    PAGE.replace('"search', '"seo_title": "See", "search'),
  );
  expect(edited(PAGE, set(["$schema"], "s"))).toBe(PAGE.replace("{\n", '{\n  "$schema": "s",\n'));
  expect(edited(PAGE, set(["other"], 1))).toBe(
    PAGE.replace('"Visit"', '"Visit",\n\n  "other": 1'.replace("\n\n", "\n")),
  );
  expect(edited("{}", set(["title"], "A"), set(["meta", "type"], "b"))).toBe(
    '{ "meta": { "type": "b" }, "title": "A" }',
  );
});

test("removes a member with any name, and each repeated one", () => {
  for (const name of ["a.b", "", "\\", "0", "__proto__"]) {
    const text = PAGE.replace('"title"', `${JSON.stringify(name)}: 1,\n  "title"`);
    expect([name, edited(text, remove(name))]).toEqual([name, PAGE]);
  }
  expect(edited('{"a": 1, "b": 2, "a": 3}', remove("a"))).toBe('{"b": 2}');
  expect(edited('{"a": 1, "b": 2, "a": 3}', set(["a"], 4))).toBe('{"a": 1, "b": 2, "a": 4}');
});

const LIST = (...subjects: string[]): string =>
  `{\n\t"meta": {"type":"artworks.ArtworkPage"},\r\n\t"subjects": [\r\n\t\t${subjects.join(",\r\n\t\t")}\r\n\t]\r\n}`;
const [A, B, C] = ['{"id": 1.0}', '{ "name": "b", "id": 2 }', '{"id":3}'] as const;
const [a, b, c] = [{ id: 1 }, { name: "b", id: 2 }, { id: 3 }];
const D = '{ "id": 9 }';

test.each<[what: string, operations: SourceOperation[], subjects: string[]]>([
  ["moves", [move(["subjects", 2], 0)], [C, A, B]],
  ["moves back", [move(["subjects", 2], 0), move(["subjects", 0], 2)], [A, B, C]],
  ["removes", [remove("subjects", 1)], [A, C]],
  ["removes both ends", [remove("subjects", 0), remove("subjects", 1)], [B]],
  ["inserts", [insert(["subjects", 1], { id: 9 })], [A, D, B, C]],
  ["inserts the first", [insert(["subjects", 0], { id: 9 })], [D, A, B, C]],
  ["adds the last", [set(["subjects", 3], { id: 9 })], [A, B, C, D]],
  ["replaces", [remove("subjects", 0), insert(["subjects", 0], { id: 9 })], [D, B, C]],
  [
    "edits a moved one",
    [move(["subjects", 1], 2), set(["subjects", 2, "name"], "x")],
    [A, C, B.replace('"b"', '"x"')],
  ],
  ["edits, then removes", [set(["subjects", 0, "name"], "x"), remove("subjects", 0)], [B, C]],
  [
    "inserts, moves and removes",
    [insert(["subjects", 3], { id: 9 }), move(["subjects", 3], 0), remove("subjects", 2)],
    [D, A, C],
  ],
  [
    "writes a whole list, with equal ones",
    [set(["subjects"], [c, { id: 2, name: "x" }, a])],
    [C, B.replace('"b"', '"x"'), A],
  ],
  ["writes a longer list", [set(["subjects"], [a, { id: 9 }, b, c])], [A, D, B, C]],
])("in a list, %s elements", (_what, operations, subjects) => {
  expect(edited(LIST(A, B, C), ...operations)).toBe(LIST(...subjects));
});

test("writes an emptied list on one line, and begins a missing one", () => {
  const text = LIST(A);
  expect(edited(text, remove("subjects", 0))).toBe(text.replace(/\[[^]*\]/, "[]"));
  expect(edited("{}", insert(["subjects", 0], { id: 9 }))).toBe('{ "subjects": [{ "id": 9 }] }');
});

test.each<[SourceOperation]>([
  [remove()],
  [remove("subjects", 3)],
  [move(["subjects", 3], 0)],
  [set(["subjects", 4], 1)],
  [move(["meta"], 0)],
])("refuses a place that is missing: %j", (operation) =>
  expect(() => edited(LIST(A, B, C), operation)).toThrow(RangeError),
);

test("refuses edits that overlap", () => {
  const edit = { start: 1, end: 3, text: "" };
  expect(() => applyEdits("12345", [edit, { ...edit, start: 2 }])).toThrow(RangeError);
});

/*
 * Random operations on random sources. The shadow of a source carries out the same operations, and keeps the bytes of
 * everything that no operation concerns.
 */

interface Shadow {
  value?: unknown;
  items?: Shadow[];
  members?: Map<string, Shadow>;
  /** The bytes of a value that was not edited. */
  bytes?: string;
  /** The text between this entry and the next in the source; after the last one, up to the closing bracket. */
  gap?: { text: string; next: Shadow | undefined };
  isReordered?: boolean;
}

const spansOf = (node: Node): [key: string | number, start: number, value: Node][] =>
  node.type === "array"
    ? node.items.map((item, index) => [index, item.start, item])
    : node.type === "object"
      ? node.members.map(({ key, keyStart, value }) => [key, keyStart, value])
      : [];

function shadowOf(text: string, node: Node): Shadow {
  const spans = spansOf(node);
  const children = spans.map(([, , value]) => shadowOf(text, value));
  for (const [i, child] of children.entries())
    child.gap = { text: text.slice(spans[i]?.[2].end, spans[i + 1]?.[1] ?? node.end), next: children[i + 1] };
  const bytes = text.slice(node.start, node.end);
  if (node.type === "array") return { bytes, items: children };
  if (node.type === "object")
    return { bytes, members: new Map(spans.map(([key], i) => [String(key), children[i] as Shadow])) };
  return { bytes, value: node.value };
}

const writtenShadow = (value: unknown): Shadow =>
  Array.isArray(value)
    ? { items: value.map(writtenShadow) }
    : isObject(value)
      ? { members: new Map(Object.entries(value).map(([key, one]) => [key, writtenShadow(one)])) }
      : { value };

const valueOfShadow = ({ items, members, value }: Shadow): unknown =>
  items?.map(valueOfShadow) ??
  (members && Object.fromEntries([...members].map(([key, one]) => [key, valueOfShadow(one)]))) ??
  value;

function carryOut(at: Shadow, [step, ...rest]: Path, operation: SourceOperation): void {
  delete at.bytes;
  const { items, members } = at;
  const [key, index] = [String(step), Number(step)];
  const below = items?.[index] ?? members?.get(key);
  if (below !== undefined && rest.length > 0) return carryOut(below, rest, operation);
  const { kind } = operation;
  if (kind === "move") {
    items?.splice(operation.to, 0, ...items.splice(index, 1));
    at.isReordered = true;
  } else if (kind === "remove") {
    items?.splice(index, 1);
    members?.delete(key);
  } else {
    const written = writtenShadow(operation.value);
    if (kind === "insert") items?.splice(index, 0, written);
    else if (below === undefined) members?.set(key, written);
    else {
      for (const one of ["bytes", "value", "items", "members"] as const) delete below[one];
      Object.assign(below, written);
    }
  }
}

/** Descriptions of the differences between a text and a shadow. */
function* differences(text: string, node: Node, shadow: Shadow, path = ""): Generator<string> {
  const { bytes, items, members, isReordered } = shadow;
  if (bytes !== undefined && bytes !== text.slice(node.start, node.end)) yield `bytes of ${path}`;
  if (bytes !== undefined) return;
  const spans = spansOf(node);
  for (const [i, [key, , value]] of spans.entries()) {
    const child = items?.[i] ?? members?.get(String(key));
    if (child === undefined) return;
    yield* differences(text, value, child, `${path}.${key}`);
    const [nextKey = "", end = node.end] = spans[i + 1] ?? [];
    const { gap } = child;
    const isKept = gap !== undefined && gap.next === (items?.[i + 1] ?? members?.get(String(nextKey)));
    if (isKept && isReordered !== true && gap.text !== text.slice(value.end, end))
      yield `the text after ${path}.${key}`;
  }
}

/** The paths of all members and elements. */
function* pathsIn(value: unknown, path: Path = []): Generator<Path> {
  for (const [key, one] of Array.isArray(value)
    ? value.entries()
    : Object.entries(isObject(value) ? value : {})) {
    yield [...path, key];
    yield* pathsIn(one, [...path, key]);
  }
}

const VALUES = [null, "é", 1.5, [], {}, [{ b: [1.5], a: "é" }, 2], { name: "a", id: 9 }];

function drawOperation(page: unknown, draw: Random): SourceOperation {
  const paths = [...pathsIn(page)];
  const path = draw.pick(paths.length === 0 ? [["title"]] : paths);
  const list = path.slice(0, -1);
  const length = paths.filter(
    (one) => one.length === path.length && list.every((step, i) => step === one[i]),
  ).length;
  const value = draw.pick(VALUES);
  if (typeof path.at(-1) === "string")
    return draw.pick([
      set(path, value),
      set([...list, draw.pick(NAMES(list)) ?? "new"], value),
      remove(...path),
    ]);
  return draw.pick([
    set(path, value),
    insert([...list, draw.below(length + 1)], value),
    remove(...path),
    move(path, draw.below(length)),
  ]);
}

/** A value as JSON with random spaces, line breaks, escapes and spellings of numbers. */
function scattered(value: unknown, draw: Random): string {
  const newline = draw.pick(["\n", "\r\n"]);
  const spaces = draw.pick([
    [""],
    ["", " "],
    ["", " ", "\t", newline, `${newline}  `, `${newline}${newline}\t`],
  ]);
  const space = (): string => draw.pick(spaces);
  const text = (of: string): string =>
    JSON.stringify(of).replace(/\\u0000|[^\\"]/gu, (written) =>
      draw.below(12) === 0 && written.length === 1
        ? `\\u${written.charCodeAt(0).toString(16).padStart(4, "0")}`
        : written,
    );
  const print = (of: unknown): string => {
    if (typeof of === "string") return text(of);
    if (Number.isInteger(of) && Number(of) < 1e15) return `${String(of)}${draw.pick(["", "", ".0", "e0"])}`;
    if (!isObject(of) && !Array.isArray(of)) return JSON.stringify(of);
    const items = Array.isArray(of)
      ? of.map(print)
      : Object.entries(of).map(([key, one]) => `${text(key)}${space()}:${space()}${print(one)}`);
    const inside = items.map((item) => `${space()}${item}${space()}`).join(",");
    return Array.isArray(of) ? `[${inside}]` : `{${inside}}`;
  };
  return space() + print(value) + space();
}

test("keeps every byte outside of the edited values, of any source and any operations", () => {
  for (let seed = 1; seed <= RUNS; seed++) {
    const draw = random(seed);
    const model = programModel.sourceOf(draw.pick([...programModel.names, "artworks.ArtworkPage"] as const));
    const [page] = fc.sample(anyValue(model), { numRuns: 1, seed: draw.below(2 ** 31) });
    const text = scattered(page, draw);
    const root = nodeOf(text);
    const editor = new JsonEditor(text, root);
    const shadow = shadowOf(text, root);
    const operations: SourceOperation[] = [];
    for (let n = draw.below(6); n > 0; n--) {
      const operation = drawOperation(editor.value, draw);
      operations.push(operation);
      editor.apply(operation);
      carryOut(shadow, operation.path, operation);
    }
    const now = applyEdits(text, editor.edits(memberNames(model)));
    expect({
      value: editor.value,
      written: valueOf(nodeOf(now)),
      differences: [...differences(now, nodeOf(now), shadow)],
      operations,
    }).toEqual({ value: valueOfShadow(shadow), written: valueOfShadow(shadow), differences: [], operations });
  }
});
