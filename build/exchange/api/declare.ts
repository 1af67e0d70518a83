import { plural } from "../../base/numbers.ts";
import { formatLine } from "../../source/json/format.ts";
import { isObject, type JsonObject } from "../../source/json/object.ts";
import { MAX_BLOCKS, NAMING, OWN_SHAPES } from "../../model/declared-values.ts";
import type { PageType } from "../../model/page-types.ts";
import { SHOWABLE } from "../../model/reference.ts";
import { Lists, Objects, type Observed, type Texts } from "./observe.ts";

/* Makes the declarations of `_types.json` (docs/types.md) from observed values. */

/** A declaration that more pages could show to be too wide or too narrow. */
export interface Guess {
  /** The field, such as `blog.BlogPage: tags`. */
  field: string;
  /** A sentence without its end. */
  reason: string;
}

interface SiteFacts {
  areFiles: (texts: Texts) => boolean;
  arePages: (ids: ReadonlySet<number>) => boolean;
  /** The types of the pages that these are the summaries of; undefined if one is not that of a page. */
  shownTypes: (summaries: ReadonlySet<string>) => PageType[] | undefined;
}

/** With fewer pages than this, a value on all of them does not show that there always is one. */
const FEW = 10;
const NEVER_EMPTY: ReadonlySet<string> = new Set(["integer", "number", "date", "time", "date-time", "page"]);

/** Values in several places that have one form, and get a shape. */
type SharedForm = Objects | Lists;

export class Declarer {
  readonly shapes: JsonObject = {};
  readonly guesses: Guess[] = [];
  private readonly facts: SiteFacts;
  private readonly names = new Map<SharedForm, string>();
  /** Declarations of fields of pages, by the names of the fields; and the guesses about those without any value. */
  private readonly known = new Map<string, Set<string>>();
  private readonly unknown: {
    name: string;
    field: Observed;
    isSparse: boolean;
    guess: Guess;
    declared: JsonObject;
  }[] = [];
  private readonly own = new Map<SharedForm, string>();

  /** @param fields all fields that will be declared; those that have one form share it afterwards */
  constructor(fields: readonly Observed[], facts: SiteFacts) {
    this.facts = facts;
    const formIn = (field: Observed): SharedForm | undefined => formOf(field, facts);
    shareForms(fields, formIn);
    const places = new Map<SharedForm, string[]>();
    const visit = (field: Observed): void => {
      const form = formIn(field);
      const others = form && places.get(form);
      if (form !== undefined) places.set(form, [...(others ?? []), field.name]);
      if (others === undefined) field.parts().forEach(visit);
    };
    fields.forEach(visit);
    for (const form of places.keys()) {
      const own = form instanceof Objects ? ownShapeOf(form, facts) : undefined;
      if (own?.fits === true) this.own.set(form, own.name);
    }
    const taken = new Set<string>(this.own.values());
    for (const [form, [name = "", ...more]] of places) {
      const like = form instanceof Objects ? ownShapeOf(form, facts)?.name : undefined;
      if (this.own.has(form) || (like === undefined && more.length === 0)) continue;
      const noun = like ?? shapeName(name, form);
      const isFree = (one: string): boolean =>
        !taken.has(one) && (like !== undefined || !(one in OWN_SHAPES));
      let chosen = noun;
      for (let i = 2; !isFree(chosen); i++) chosen = `${noun}${i}`;
      taken.add(chosen);
      this.names.set(form, chosen);
    }
  }

  /** The declarations of the fields of pages. @param owner begins the path of a field in guesses */
  fields(fields: ReadonlyMap<string, Observed>, owner: string, pages: number): JsonObject {
    const declared: JsonObject = {};
    for (const [name, field] of fields) {
      const lacking = pages - field.count;
      const path = `${owner}${name}`;
      if (lacking > 0)
        this.guess(path, `${plural(lacking, "page")} of ${pages} do not have it, so it may be null`);
      const one = (declared[name] = this.field(field, path, lacking > 0));
      const guess = this.guesses.at(-1);
      if (field.hasValues()) this.known.set(name, (this.known.get(name) ?? new Set()).add(formatLine(one)));
      else if (guess !== undefined)
        this.unknown.push({ name, field, isSparse: lacking > 0, guess, declared });
      if (pages < FEW && typeof one === "string" && NEVER_EMPTY.has(one))
        this.guess(
          path,
          `it has a value on ${pages === 1 ? "the only page" : `all ${pages} pages`}, so it is required`,
        );
    }
    return declared;
  }

  /** Declares fields without any value as other types declare a field of the same name, if all these agree and it fits. */
  compareTypes(): void {
    for (const { name, field, isSparse, guess, declared } of this.unknown) {
      const known = [...(this.known.get(name) ?? [])].filter((one) => one !== '"text"');
      if (known.length === 0) continue;
      const [like, ...others] = new Set(known.map((one) => formatLine(withoutMark(JSON.parse(one)))));
      const may =
        like === undefined || others.length > 0
          ? undefined
          : this.emptyLike(field, isSparse, JSON.parse(like));
      const inOthers = `in other types it is ${known.slice(0, 3).join(" or ")}`;
      if (may === undefined) guess.reason += `; ${inOthers}`;
      else {
        declared[name] = may;
        guess.reason = `it never has a value; ${inOthers}, so it is ${formatLine(may)} here too`;
      }
    }
  }

  /** The declaration, so that it allows the empty values of a field; undefined if it cannot. */
  private emptyLike({ nulls, texts, lists }: Observed, isSparse: boolean, declared: unknown): unknown {
    const form = typeof declared === "string" ? (this.shapes[declared] ?? declared) : declared;
    const kind = isObject(form) ? form["kind"] : form;
    const isList = Array.isArray(form) || (isObject(form) && ("list" in form || "blocks" in form));
    if (texts !== undefined && !["html", "raw-html", "url"].includes(String(kind))) return undefined;
    if (lists !== undefined && !isList) return undefined;
    return nulls > 0 || isSparse ? orNull(declared) : declared;
  }

  private field(field: Observed, path: string, isSparse = false): unknown {
    const declared = this.value(field, path);
    return field.nulls === 0 && !isSparse ? declared : orNull(declared);
  }

  guess(field: string, reason: string): void {
    this.guesses.push({ field, reason });
  }

  private value(field: Observed, path: string): unknown {
    const [kind, ...others] = field.kinds();
    const asJson = (reason: string): string => {
      this.guess(path, `${reason}, so it is “json”`);
      return "json";
    };
    if (kind === undefined) return asJson(field.count === 0 ? "it never has a value" : "it is always null");
    if (others.length > 0) return asJson(`it has ${[kind, ...others].join(" and ")}`);
    if (field.texts !== undefined) return this.text(field.texts, path);
    if (field.lists !== undefined) return this.list(field.lists, path);
    if (field.objects !== undefined) {
      const { members, trouble } = field.objects;
      if (members.size === 0) return asJson(trouble ?? "it is always an empty object");
      return this.object(field, field.objects, path);
    }
    if (field.booleans > 0) return "boolean";
    if (field.decimals > 0) return "number";
    if (field.ids === undefined || !this.facts.arePages(field.ids)) return "integer";
    this.guess(path, "all its numbers are ids of pages, so it is “page”");
    return "page";
  }

  private text(texts: Texts, path: string): unknown {
    const { filled, empty, forms, hasMarkup, html } = texts;
    if (filled === 0) this.guess(path, "it is always empty, so it is “text”");
    if (filled === 0) return "text";
    const [form] = forms;
    if (form === "address") return "url";
    // A date has no empty value.
    if (form !== undefined && empty === 0) return form;
    if (!hasMarkup) return "text";
    if (html === undefined)
      this.guess(path, "it has HTML that the build refuses, so it is “raw-html”, which is not checked");
    if (html === undefined) return "raw-html";
    return html === "raw" ? { kind: "html", raw: true } : "html";
  }

  private list(lists: Lists, path: string): unknown {
    const { elements, blocks } = lists;
    const open = (reason: string): string[] => {
      this.guess(path, `${reason}, so it is a list of “json”`);
      return ["json"];
    };
    if (blocks.size === 0)
      return elements.count === 0 ? open("it is always an empty list") : [this.field(elements, `${path}[]`)];
    if (elements.count > 0) return open("its elements are blocks and others");
    const odd = [...blocks.keys()].find((type) => !NAMING.block.is(type));
    if (odd !== undefined) return open(`it has blocks of the type “${odd}”, which cannot be a name`);
    if (blocks.size > MAX_BLOCKS) return open(`it has ${blocks.size} types of blocks`);
    return this.shaped(lists, path, (at) => ({
      blocks: Object.fromEntries(
        Array.from(blocks, ([type, one]) => [type, this.field(one, `${at}.${type}`)]),
      ),
    }));
  }

  private object(field: Observed, objects: Objects, path: string): unknown {
    const types = objects.summaries && this.facts.shownTypes(objects.summaries);
    if (types !== undefined) {
      this.guess(path, `it shows pages of ${types.join(" and ")}, so it is “page” with only these types`);
      const meta = objects.members.get("meta")?.objects?.members;
      const shows = SHOWABLE.filter((name) => name === "title" || meta?.has(name) === true);
      return { kind: "page", types, shows };
    }
    return this.shaped(objects, path, (at) => {
      const members = [...objects.members].map(([name, member]) => {
        const { only } = member.texts ?? {};
        const isConstant =
          field.name === "meta" && name === "type" && member.nulls === 0 && NAMING.type.is(only ?? "");
        return [name, isConstant ? { const: only } : this.field(member, `${at}.${name}`)];
      });
      return { fields: Object.fromEntries(members) };
    });
  }

  /** The name of the value's shape, which is declared at its first use; without one, the declaration itself. */
  private shaped(form: SharedForm, path: string, declare: (path: string) => object): unknown {
    const name = this.own.get(form) ?? this.names.get(form);
    if (name === undefined) return declare(path);
    if (this.names.has(form) && !Object.hasOwn(this.shapes, name)) {
      this.shapes[name] = undefined;
      this.shapes[name] = declare(name);
    }
    return name;
  }
}

function orNull(declared: unknown): unknown {
  if (typeof declared === "string") return declared === "json" ? declared : `${declared}?`;
  return Array.isArray(declared)
    ? { list: declared[0] as unknown, null: true }
    : { ...(declared as object), null: true };
}

function withoutMark(declared: unknown): unknown {
  if (typeof declared === "string") return declared.replace(/[?!]$/, "");
  if (!isObject(declared)) return declared;
  const { null: _, required: __, ...others } = declared;
  return Object.keys(others).join() === "list" ? [others["list"]] : others;
}

/** The form of a value for which a shape can be useful. */
function formOf(
  { name, objects, lists, ...field }: Observed,
  { shownTypes }: SiteFacts,
): SharedForm | undefined {
  if (objects === undefined) return lists !== undefined && lists.blocks.size > 0 ? lists : undefined;
  if (objects.summaries !== undefined && shownTypes(objects.summaries) !== undefined) return undefined;
  const isWhole = objects.trouble === undefined && lists === undefined && field.texts === undefined;
  return isWhole && objects.members.size > 1 && name !== "meta" ? objects : undefined;
}

/** Gives values of one form, at different places, one set of observations. */
function shareForms(fields: readonly Observed[], formIn: (field: Observed) => SharedForm | undefined): void {
  for (;;) {
    const groups = new Map<string, Set<SharedForm>>();
    const places: Observed[] = [];
    const visit = (field: Observed): void => {
      const form = formIn(field);
      if (form !== undefined) {
        places.push(field);
        const key = keyOf(field.name, form);
        const group = groups.get(key) ?? new Set();
        groups.set(key, group);
        if (group.has(form)) return;
        group.add(form);
      }
      field.parts().forEach(visit);
    };
    fields.forEach(visit);
    const pair = [...groups.values()].map((group) => pairIn([...group])).find((one) => one !== undefined);
    if (pair === undefined) return;
    const [first, second] = pair;
    first.add(second as Lists & Objects);
    for (const place of places)
      if (place.objects === second) place.objects = first as Objects;
      else if (place.lists === second) place.lists = first as Lists;
  }
}

/** Objects with the same members, and of the same type, have one form; lists of blocks, if their fields have one name. */
function keyOf(name: string, form: SharedForm): string {
  if (form instanceof Lists) return `blocks ${name}`;
  return `object ${form.names()} ${form.members.get("meta")?.objects?.members.get("type")?.texts?.only ?? ""}`;
}

function pairIn(forms: readonly SharedForm[]): [SharedForm, SharedForm] | undefined {
  for (const [i, first] of forms.entries())
    for (const second of forms.slice(i + 1)) if (areAlike(first, second)) return [first, second];
  return undefined;
}

/** Whether two forms can be one, without wider kinds. None may be inside of the other. */
function areAlike(a: SharedForm, b: SharedForm): boolean {
  const isOverlapping =
    !(b instanceof Lists) || [...b.blocks.keys()].some((type) => (a as Lists).blocks.has(type));
  return isOverlapping && !a.widens(b as Lists & Objects) && !inside(a).includes(b) && !inside(b).includes(a);
}

const inside = (form: SharedForm): SharedForm[] =>
  (form instanceof Lists ? [form.elements, ...form.blocks.values()] : [...form.members.values()]).flatMap(
    (part) =>
      [part.lists, part.objects].flatMap((one) => (one === undefined ? [] : [one].concat(inside(one)))),
  );

const isUrl = (texts: Texts | undefined): boolean => texts?.forms.includes("address") === true;

/** The shape of the program that has the same members, and whether their values fit too. */
function ownShapeOf({ members }: Objects, { areFiles }: Pick<SiteFacts, "areFiles">) {
  const texts = (name: string, of = members): Texts | undefined => {
    const member = of.get(name);
    return member?.kinds().join() === "texts" && member.nulls === 0 ? member.texts : undefined;
  };
  const areNumbers = (...names: string[]): boolean =>
    names.every((name) => {
      const member = members.get(name);
      return member?.kinds().join() === "numbers" && member.decimals + member.nulls === 0;
    });
  const names = [...members.keys()].join();
  if (names === "url,full_url,width,height,alt") {
    const [url, whole] = [texts("url"), texts("full_url")];
    const fits = url && areFiles(url) && isUrl(whole) && areNumbers("width", "height") && texts("alt");
    return { name: "Rendition", fits: fits !== undefined && fits !== false };
  }
  const meta = members.get("meta")?.objects?.members;
  if (names !== "id,meta,title" || [...(meta?.keys() ?? [])].join() !== "type,detail_url,download_url")
    return undefined;
  const [type, file] = [texts("type", meta), texts("download_url", meta)];
  const name = /image/i.test(type?.only ?? "") ? "Image" : "Document";
  const isWhole = type !== undefined && isUrl(texts("detail_url", meta)) && texts("title") !== undefined;
  return { name, fits: isWhole && areNumbers("id") && file !== undefined && areFiles(file) };
}

/** Candidates for addresses of files of the media host. */
export function filesIn(fields: readonly Observed[]): Texts[] {
  const found = new Set<Texts>();
  const visit = (field: Observed): void => {
    const { objects } = field;
    const file = objects && ownShapeOf(objects, { areFiles: () => true });
    const address =
      file?.name === "Rendition"
        ? objects?.members.get("url")
        : objects?.members.get("meta")?.objects?.members.get("download_url");
    if (file?.fits === true && address?.texts !== undefined) found.add(address.texts);
    field.parts().forEach(visit);
  };
  fields.forEach(visit);
  return [...found];
}

/** `related_links` as the name of a shape: `RelatedLinks`, or `RelatedLink` for one of a list. */
function shapeName(field: string, form: SharedForm): string {
  const words = field.match(/[A-Za-z0-9]+/g) ?? [];
  const noun = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  const one = form instanceof Objects ? noun.replace(/(?<=[^aisu])s$/, "") : noun;
  return NAMING.shape.is(one) ? one : `Shape${one}`;
}
