import { isObject, valueAt, type JsonObject } from "../source/json/object.ts";
import type { Path } from "../source/json/node.ts";

export interface Declaration {
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
