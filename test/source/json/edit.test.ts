import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  applyEdits,
  editedText,
  isLaidOut,
  JsonEditor,
  laidOut,
  type SourceOperation,
} from "../../../build/source/json/edit.ts";
import {
  valueOf,
  type JsonObject,
  type Node,
  type Path,
  isObject,
} from "../../../build/source/json/object.ts";
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

const set = (path: Path, value: unknown): SourceOperation & { kind: "set" } => ({ kind: "set", path, value });
const insert = (path: Path, value: unknown): SourceOperation => ({ kind: "insert", path, value });
const remove = (...path: Path): SourceOperation => ({ kind: "remove", path });
const move = (path: Path, to: number): SourceOperation => ({ kind: "move", path, to });

const PAGE = `{
  "id": 7.0,
  "meta": { "type": "home.HomePage", "search_description": "caf\\u00e9" },
  "title": "Visit"
}
`;
/** The same page in another layout, in the order of its fields. */
const SCATTERED = PAGE.replace('"title"', '\n\t "title" ').replace('{ "type": ', '{"type":');

test("changes the line of an edited value in a source of the layout, and lays out any other as a whole", () => {
  for (const text of [PAGE, SCATTERED, SCATTERED.replaceAll("\n", " ")])
    expect(edited(text, set(["title"], "Visit “us”"))).toBe(PAGE.replace('"Visit"', '"Visit “us”"'));
  const windows = PAGE.replaceAll("\n", "\r\n");
  expect(edited(windows, set(["id"], 8))).toBe(windows.replace("7.0", "8"));
  expect(edited(windows.replace("\r\n", "\n"), set(["id"], 8))).toBe(PAGE.replace("7.0", "8"));
});

test("changes nothing without a changed value", () => {
  for (const text of [PAGE, SCATTERED]) {
    expect(edited(text)).toBe(text);
    expect(edited(text, set(["title"], "Visit"), remove("meta", "seo_title"))).toBe(text);
    expect(edited(text, set(["id"], 7), set(["meta", "search_description"], "café"))).toBe(text);
  }
});

test("keeps the order of members, the spelling of names, texts and numbers, and repeated members", () => {
  const text = '{"b\\u0062":1.50,"10":"\\u0041\\/","2":1e2,"a":[1.0,2],"10":-0.0}';
  const inLayout = `{\n  "b\\u0062": 1.50,\n  "10": "\\u0041\\/",\n  "2": 1e2,\n  "a": [1.0, 2],\n  "10": -0.0\n}\n`;
  expect(laidOut(text, nodeOf(text))).toBe(inLayout);
  expect(edited(text, set(["a"], [3, 1]))).toBe(inLayout.replace("[1.0, 2]", "[3, 1.0]"));
  expect([PAGE, SCATTERED].map(isLaidOut)).toEqual([true, false]);
});

test("writes a value as a person has written it", () => {
  const written = '{"b": 1.50, "a": "\\u0041"}';
  expect(edited("{}", { ...set(["x"], { b: 1.5, a: "A" }), written })).toBe(
    '{\n  "x": { "b": 1.50, "a": "\\u0041" }\n}\n',
  );
  expect(edited(PAGE, { ...set(["id"], 7), written: "7.00" })).toBe(PAGE.replace("7.0", "7.00"));
});

test("puts a new member where the names have it, within an object too", () => {
  expect(edited(PAGE, set(["meta", "seo_title"], ""))).toBe(
    PAGE.replace('"search', '"seo_title": "", "search'),
  );
  expect(edited(PAGE, set(["$schema"], "s"))).toBe(PAGE.replace("{\n", '{\n  "$schema": "s",\n'));
  expect(edited(PAGE, set(["other"], 1))).toBe(PAGE.replace('"Visit"', '"Visit",\n  "other": 1'));
  expect(edited("{}", set(["title"], "A"), set(["x"], 1), set(["meta"], { seo_title: "", type: "b" }))).toBe(
    '{\n  "meta": { "type": "b", "seo_title": "" },\n  "title": "A",\n  "x": 1\n}\n',
  );
});

test("removes and renames a member with any name, and each repeated one", () => {
  for (const name of ["a.b", "", "\\", "0", "__proto__"]) {
    const text = PAGE.replace('"title"', `${JSON.stringify(name)}: 1,\n  "title"`);
    expect([name, edited(text, remove(name))]).toEqual([name, PAGE]);
    const renamed = edited(text, { kind: "rename", path: [name], to: "x" });
    expect(renamed).toBe(PAGE.replace('"title"', '"x": 1,\n  "title"'));
  }
  const twice = '{"a": 1, "b": 2, "a": 3}';
  expect(edited(twice, remove("a"))).toBe('{\n  "b": 2\n}\n');
  expect(edited(twice, set(["a"], 4))).toBe('{\n  "a": 1,\n  "b": 2,\n  "a": 4\n}\n');
  expect(edited(twice, { kind: "rename", path: ["a"], to: "x" })).toBe(
    '{\n  "x": 1,\n  "b": 2,\n  "x": 3\n}\n',
  );
});

const LIST = (...subjects: string[]): string => `{\n  "subjects": [${subjects.join(", ")}]\n}\n`;
const [A, B, C] = ['{ "id": 1.0 }', '{ "name": "b", "id": 2 }', '{ "id": 3 }'] as const;
const [a, b, c] = [{ id: 1 }, { name: "b", id: 2 }, { id: 3 }];
const D = '{ "id": 9 }';

test.each<[what: string, operations: SourceOperation[], subjects: string[]]>([
  [
    "edits a moved one",
    [move(["subjects", 1], 2), set(["subjects", 2, "name"], "x")],
    [A, C, B.replace('"b"', '"x"')],
  ],
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

test("empties a list, and begins a missing one", () => {
  expect(edited(LIST(A), remove("subjects", 0))).toBe(LIST());
  expect(edited("{}", insert(["subjects", 0], { id: 9 }))).toBe(LIST(D));
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

/* Random operations on random sources, in which no two texts or numbers are the same. */

/** A value of the same form with other texts and numbers, each of which it has only once. */
function distinct(value: unknown, next = { number: 1000 }): unknown {
  if (Array.isArray(value)) return value.map((item) => distinct(item, next));
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, distinct(one, next)]));
  if (typeof value === "string") return `é ${next.number++}`;
  return typeof value === "number" ? next.number++ : value;
}

/** The texts and numbers of a source with their spellings. */
function* spelledIn(text: string, node = nodeOf(text)): Generator<[value: unknown, spelling: string]> {
  if (node.type === "array") for (const item of node.items) yield* spelledIn(text, item);
  else if (node.type === "object") for (const { value } of node.members) yield* spelledIn(text, value);
  else if (node.type !== "literal") yield [node.value, text.slice(node.start, node.end)];
}

/** Carries out an operation on a value as it is. */
function carryOut(page: unknown, operation: SourceOperation): void {
  const [last = "", ...above] = operation.path.toReversed();
  const owner = above.reverse().reduce((value: unknown, step) => (value as JsonObject)[String(step)], page);
  const index = Number(last);
  const value = "value" in operation ? structuredClone(operation.value) : undefined;
  if (!Array.isArray(owner)) {
    if (operation.kind === "set") (owner as JsonObject)[String(last)] = value;
    else delete (owner as JsonObject)[String(last)];
  } else if (operation.kind === "insert") owner.splice(index, 0, value);
  else if (operation.kind === "set") owner[index] = value;
  else {
    const items = owner.splice(index, 1) as unknown[];
    if (operation.kind === "move") owner.splice(operation.to, 0, ...items);
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

test("keeps every spelling outside of the edited values, of any source and any operations", () => {
  for (let seed = 1; seed <= RUNS; seed++) {
    const draw = random(seed);
    const model = programModel.sourceOf(draw.pick([...programModel.names, "artworks.ArtworkPage"] as const));
    const [drawn] = fc.sample(anyValue(model), { numRuns: 1, seed: draw.below(2 ** 31) });
    const text = scattered(distinct(drawn), draw);
    const root = nodeOf(text);
    const editor = new JsonEditor(text, root);
    const value = valueOf(root);
    const operations: SourceOperation[] = [];
    for (let n = draw.below(6); n > 0; n--) {
      const operation = drawOperation(editor.value, draw);
      operations.push(operation);
      editor.apply(operation);
      carryOut(value, operation);
    }
    const now = editor.print(memberNames(model));
    const before = new Map(spelledIn(text));
    const respelled = [...spelledIn(now)].filter(
      ([one, spelling]) => (before.get(one) ?? spelling) !== spelling,
    );
    expect({
      value: editor.value,
      written: valueOf(nodeOf(now)),
      respelled,
      isLaidOut: isLaidOut(now),
      operations,
    }).toEqual({ value, written: value, respelled: [], isLaidOut: true, operations });
  }
});
