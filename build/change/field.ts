import { resolve } from "node:path";
import {
  isObject,
  valueAt,
  type JsonObject,
  type Path,
  nodeAt,
  valueOf,
  type Node,
} from "../source/json/object.ts";
import { Failure } from "../base/failure.ts";
import { checkTypes, localizedIn, modelFrom, modelOf } from "../model/types.ts";
import { hintOf, isError, messageOf } from "../findings/finding.ts";
import { editedText, type SourceOperation } from "../source/json/edit.ts";
import { parseJson, type ParsedJson } from "../source/json/parse.ts";
import { HISTORY, SITE, TYPES } from "../source/site-files.ts";
import { SourceReader } from "../source/read.ts";
import { changeSources, sourceText, type ApplyOptions } from "./apply.ts";
import type { FileChange } from "./change.ts";
import { namedSources } from "./files.ts";
import { schemaChange } from "./schema.ts";

interface Declaration {
  /** The object in `_types.json` that declares it, beside others. */
  owner: Path;
  name: string;
  isBlock: boolean;
}

/** The members of an object, or the types of the blocks of a list; the elements of another list; anything else. */
type Form = { kind: "fields" | "blocks" | "list"; at: Path } | undefined;

const MARK = /[?!]$/;

/** Finds the declarations of `_types.json`, and the values in pages that each of them declares. */
export class Declarations {
  private readonly declared: JsonObject;

  /** @param declared the object in `_types.json`, without mistakes */
  constructor(declared: JsonObject) {
    this.declared = declared;
  }

  /**
   * @param written the path of a field, which begins with a type, a shape or `every`: `talks.TalkPage.speakers.role`. In a
   *   block, the path has its type: `talks.TalkPage.body.heading.size`
   */
  find(written: string): Declaration | undefined {
    const [first = "", second = "", ...rest] = written.split(".");
    const type = `${first}.${second}`;
    if (isObject(this.at(["types", type]))) return this.inPage(["types", type], rest);
    if (first === "every") return this.inPage(["every"], [second, ...rest]);
    const shape = this.form(["shapes", first]);
    return shape && this.inForm(shape, [second, ...rest]);
  }

  private inPage(owner: Path, steps: readonly string[]): Declaration | undefined {
    const [first, ...rest] = steps;
    return first === "meta"
      ? this.inForm({ kind: "fields", at: [...owner, "meta"] }, rest)
      : this.inForm({ kind: "fields", at: [...owner, "fields"] }, steps);
  }

  private inForm({ kind, at }: Exclude<Form, undefined>, steps: readonly string[]): Declaration | undefined {
    if (kind === "list") {
      const element = this.form(at);
      return element && this.inForm(element, steps);
    }
    const [name, ...rest] = steps;
    if (name === undefined || !this.has(at, name)) return undefined;
    if (rest.length === 0) return { owner: at, name, isBlock: kind === "blocks" };
    const inner = this.form([...at, name]);
    return inner && this.inForm(inner, rest);
  }

  /** The paths of the values in a page that a declaration is of: the values of a field, or whole blocks. */
  *valuesIn(page: unknown, target: Declaration): Generator<Path> {
    if (!isObject(page) || !isObject(page["meta"])) return;
    for (const owner of [["every"], ["types", String(page["meta"]["type"])]]) {
      yield* this.values({ kind: "fields", at: [...owner, "fields"] }, page, [], target);
      yield* this.values({ kind: "fields", at: [...owner, "meta"] }, page["meta"], ["meta"], target);
    }
  }

  private *values(form: Form, value: unknown, path: Path, target: Declaration): Generator<Path> {
    if (form?.kind === "fields" && isObject(value)) {
      for (const [name, member] of Object.entries(value)) {
        if (!this.has(form.at, name)) continue;
        if (isTarget(form.at, name, target)) yield [...path, name];
        else yield* this.values(this.form([...form.at, name]), member, [...path, name], target);
      }
    } else if (form !== undefined && Array.isArray(value))
      for (const [i, element] of value.entries()) {
        if (form.kind === "list") yield* this.values(this.form(form.at), element, [...path, i], target);
        if (form.kind !== "blocks" || !isObject(element)) continue;
        const type = String(element["type"]);
        if (isTarget(form.at, type, target)) yield [...path, i];
        else if (this.has(form.at, type))
          yield* this.values(this.form([...form.at, type]), element["value"], [...path, i, "value"], target);
      }
  }

  /** The paths of the texts in `_types.json` that name a field beside them, or the fields of a type, with the new text. */
  *references({ owner, name }: Declaration, to: string): Generator<[path: Path, text: string]> {
    const beside = this.at(owner);
    for (const [other, field] of Object.entries(isObject(beside) ? beside : {}))
      for (const key of ["after", "image"]) {
        const named = isObject(field) ? field[key] : undefined;
        if (named === name) yield [[...owner, other, key], to];
        if (isObject(named))
          for (const [part, member] of Object.entries(named))
            if (member === name) yield [[...owner, other, key, part], to];
      }
    const holder = owner.slice(0, -1);
    if (holder[0] === "shapes" && holder.length === 2 && this.at([...holder, "key"]) === name)
      yield [[...holder, "key"], to];
    const types = this.at(["types"]);
    for (const [type, declared] of Object.entries(isObject(types) ? types : {})) {
      const shown = isObject(declared) ? declared["shown"] : undefined;
      const { searched, ...one } = isObject(shown) ? shown : {};
      const paths: [at: Path, path: unknown][] = [
        ...Object.entries(one).map(([key, path]): [Path, unknown] => [[key], path]),
        ...(Array.isArray(searched) ? searched : []).map((path, i): [Path, unknown] => [
          ["searched", i],
          path,
        ]),
      ];
      for (const [at, path] of paths) {
        const steps = String(path).split(".");
        const k = steps.findIndex((_, i) => {
          return [type, "every"].some((start) => {
            const found = this.find([start, ...steps.slice(0, i + 1)].join("."));
            return found !== undefined && isTarget(found.owner, found.name, { owner, name, isBlock: false });
          });
        });
        if (k !== -1) yield [["types", type, "shown", ...at], steps.with(k, to).join(".")];
      }
    }
  }

  private form(at: Path): Form {
    const declared = this.at(at);
    if (Array.isArray(declared)) return { kind: "list", at: [...at, 0] };
    const kind = isObject(declared) ? declared["kind"] : declared;
    if (typeof kind === "string") {
      const shape = kind.replace(MARK, "");
      return this.has(["shapes"], shape) ? this.form(["shapes", shape]) : undefined;
    }
    const form = (["fields", "blocks", "list"] as const).find((one) => this.has(at, one));
    return form && { kind: form, at: [...at, form] };
  }

  private has(at: Path, name: string): boolean {
    const value = this.at(at);
    return isObject(value) && Object.hasOwn(value, name);
  }

  private at(path: Path): unknown {
    return valueAt(this.declared, path);
  }
}

const isTarget = (owner: Path, name: string, target: Declaration): boolean =>
  name === target.name &&
  owner.length === target.owner.length &&
  owner.every((step, i) => step === target.owner[i]);

const PROGRAM = modelOf(undefined);

/** The changed files, relative to the content folder: `_types.json` first. */
export interface ChangedField {
  files: string[];
  values: number;
}

/**
 * Renames a field or a block that `_types.json` declares, or removes it, there and in every source.
 *
 * @param field its path: `talks.TalkPage.speakers.role`
 * @param to the new name; undefined to remove it
 * @throws Failure, before any change, if it is not declared, or a file has errors
 */
export const changeField = (
  content: string,
  field: string,
  to: string | undefined,
  options: ApplyOptions = {},
): ChangedField =>
  changeSources(
    content,
    () => {
      // Throws if the declarations have errors.
      modelOf(content);
      const reader = new SourceReader();
      const parsed = (file: string): ParsedJson => reader.read(resolve(content), file).parsed();
      const read = (file: string): ReadSource => {
        const { source, root, findings } = parsed(file);
        const first = findings.find(isError);
        if (root !== undefined && first === undefined) return { text: source.text, root };
        throw new Failure(`${file} has errors; fix it first (npx page-api check lists them).`);
      };
      if (!namedSources(content, []).includes(TYPES))
        throw new Failure(`There is no ${TYPES}, so the site declares no fields.`);
      const types = read(TYPES);
      const declared = valueOf(types.root);
      const declarations = new Declarations(isObject(declared) ? declared : {});
      const target = declarations.find(field);
      if (target === undefined)
        throw new Failure(
          `${TYPES} declares no field ${field}. Write its type and its path, such as talks.TalkPage.speakers.role.`,
        );
      const [part, type = ""] = target.owner.map(String);
      const { source: own } = part === "types" && PROGRAM.has(type) ? PROGRAM.of(type) : {};
      if (target.owner.length === 3 && own?.fields.has(target.name) === true)
        throw new Failure(`${field} is a field of the program, which a site cannot rename or remove.`);
      const files = [TYPES];
      let values = 0;
      const text = changedTypes(types, declarations, target, to);
      const changes: FileChange[] = [];
      const change = (file: string, source: ReadSource, after: string): void => {
        const before = sourceText(content, file);
        // The byte order mark stays.
        const mark = before?.slice(0, before.length - source.text.length) ?? "";
        changes.push({ file, before, after: mark + after });
      };
      change(TYPES, types, text);
      for (const file of namedSources(content, [])) {
        if ([SITE, HISTORY, TYPES].includes(file) || !mayName(reader, content, file, target.name)) continue;
        const source = read(file);
        const paths = [...declarations.valuesIn(valueOf(source.root), target)];
        if (paths.length === 0) continue;
        change(file, source, changedSource(file, source, paths, target, to));
        files.push(file);
        values += paths.length;
      }
      return [
        { files: [...changes, ...schemaChange(content, modelFrom(text, localizedIn(content)))] },
        { files, values },
      ];
    },
    options,
  );

interface ReadSource {
  text: string;
  root: Node;
}

/** Most sources do not have the field, and need not be parsed. A name may be written with escapes. */
function mayName(reader: SourceReader, content: string, file: string, name: string): boolean {
  const text = reader.readBytes(resolve(content, file), file).bytes?.toString("utf8");
  return text === undefined || text.includes(JSON.stringify(name)) || text.includes("\\u");
}

function changedTypes(
  { text, root }: ReadSource,
  declarations: Declarations,
  target: Declaration,
  to: string | undefined,
): string {
  const { owner, name } = target;
  if (to !== undefined && nodeAt(root, [...owner, to]).found)
    throw new Failure(`There is a “${to}” beside “${name}” already. Choose another name.`);
  const operations: SourceOperation[] =
    to === undefined
      ? [{ kind: "remove", path: [...owner, name] }]
      : Array.from(declarations.references(target, to), ([path, value]) => ({ kind: "set", path, value }));
  // The paths of the references are those before.
  if (to !== undefined) operations.push({ kind: "rename", path: [...owner, name], to });
  const changed = editedText(text, root, operations);
  const mistake = checkTypes(parseJson(TYPES, Buffer.from(changed)), PROGRAM).findings.find(isError);
  if (mistake === undefined) return changed;
  throw new Failure(`${TYPES} would then have an error: ${messageOf(mistake)} ${hintOf(mistake)}`);
}

function changedSource(
  file: string,
  { text, root }: ReadSource,
  paths: readonly Path[],
  { isBlock }: Declaration,
  to: string | undefined,
): string {
  // From the last one, so that the places of the others stay.
  const operations = paths.toReversed().map((path): SourceOperation => {
    if (to === undefined) return { kind: "remove", path };
    if (isBlock) return { kind: "set", path: [...path, "type"], value: to };
    if (nodeAt(root, [...path.slice(0, -1), to]).found)
      throw new Failure(
        `${file} has a “${to}” beside “${String(path.at(-1))}” already. Delete one of them first.`,
      );
    return { kind: "rename", path, to };
  });
  return editedText(text, root, operations);
}
