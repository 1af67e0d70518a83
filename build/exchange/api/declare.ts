import { grouped } from "../../base/grouped.ts";
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

export type Declarer = ReturnType<typeof openDeclarer>;

/** @param observed all fields that will be declared; those that have one form share it afterwards */
export function openDeclarer(observed: readonly Observed[], facts: SiteFacts) {
  const shapes: JsonObject = {};
  const guesses: Guess[] = [];
  /** The names of forms that get a shape, and of those that have one of the program. */
  const [names, own] = [new Map<SharedForm, string>(), new Map<SharedForm, string>()];
  /** Declarations of fields of pages, by the names of the fields; and the guesses about those without any value. */
  const known = new Map<string, Set<string>>();
  const unknown: {
    name: string;
    field: Observed;
    isSparse: boolean;
    guessed: Guess;
    declared: JsonObject;
  }[] = [];
  const places = Array.from(shareForms(observed, facts), ([form, fields]) => {
    const like = form instanceof Objects ? ownShapeOf(form, facts) : undefined;
    return { form, fields, like };
  });
  const taken = new Set<string>(places.flatMap(({ like }) => (like?.fits === true ? like.name : [])));
  for (const { form, fields, like } of places) {
    if (like?.fits === true) own.set(form, like.name);
    if (like?.fits === true || (like === undefined && fields.length === 1)) continue;
    const noun = like?.name ?? shapeName(fields[0]?.name ?? "", form);
    const isFree = (one: string): boolean => !taken.has(one) && (like !== undefined || !(one in OWN_SHAPES));
    let chosen = noun;
    for (let i = 2; !isFree(chosen); i++) chosen = `${noun}${i}`;
    taken.add(chosen);
    names.set(form, chosen);
  }

  /** The declarations of the fields of pages. @param owner begins the path of a field in guesses */
  function declareFields(fields: ReadonlyMap<string, Observed>, owner: string, pages: number): JsonObject {
    const declared: JsonObject = {};
    for (const [name, field] of fields) {
      const lacking = pages - field.count;
      const path = `${owner}${name}`;
      if (lacking > 0)
        guess(path, `${plural(lacking, "page")} of ${pages} do not have it, so it may be null`);
      const one = (declared[name] = declareField(field, path, lacking > 0));
      const last = guesses.at(-1);
      if (field.hasValues()) known.set(name, (known.get(name) ?? new Set()).add(formatLine(one)));
      else if (last !== undefined)
        unknown.push({ name, field, isSparse: lacking > 0, guessed: last, declared });
      if (pages < FEW && typeof one === "string" && NEVER_EMPTY.has(one))
        guess(
          path,
          `it has a value on ${pages === 1 ? "the only page" : `all ${pages} pages`}, so it is required`,
        );
    }
    return declared;
  }

  /** Declares fields without any value as other types declare a field of the same name, if all these agree and it fits. */
  function compareTypes(): void {
    for (const { name, field, isSparse, guessed, declared } of unknown) {
      const elsewhere = [...(known.get(name) ?? [])].filter((one) => one !== '"text"');
      if (elsewhere.length === 0) continue;
      const [like, ...others] = new Set(elsewhere.map((one) => formatLine(withoutMark(JSON.parse(one)))));
      const may =
        like === undefined || others.length > 0 ? undefined : emptyLike(field, isSparse, JSON.parse(like));
      const inOthers = `in other types it is ${elsewhere.slice(0, 3).join(" or ")}`;
      if (may === undefined) guessed.reason += `; ${inOthers}`;
      else {
        declared[name] = may;
        guessed.reason = `it never has a value; ${inOthers}, so it is ${formatLine(may)} here too`;
      }
    }
  }

  /** The declaration, so that it allows the empty values of a field; undefined if it cannot. */
  function emptyLike({ nulls, texts, lists }: Observed, isSparse: boolean, declared: unknown): unknown {
    const form = typeof declared === "string" ? (shapes[declared] ?? declared) : declared;
    const kind = isObject(form) ? form["kind"] : form;
    const isList = Array.isArray(form) || (isObject(form) && ("list" in form || "blocks" in form));
    if (texts !== undefined && !["html", "raw-html", "url"].includes(String(kind))) return undefined;
    if (lists !== undefined && !isList) return undefined;
    return nulls > 0 || isSparse ? orNull(declared) : declared;
  }

  function declareField(field: Observed, path: string, isSparse = false): unknown {
    const declared = declareValue(field, path);
    return field.nulls === 0 && !isSparse ? declared : orNull(declared);
  }

  function guess(field: string, reason: string): void {
    guesses.push({ field, reason });
  }

  function declareValue(field: Observed, path: string): unknown {
    const [kind, ...others] = field.kinds();
    const asJson = (reason: string): string => {
      guess(path, `${reason}, so it is “json”`);
      return "json";
    };
    if (kind === undefined) return asJson(field.count === 0 ? "it never has a value" : "it is always null");
    if (others.length > 0) return asJson(`it has ${[kind, ...others].join(" and ")}`);
    if (field.texts !== undefined) return declareText(field.texts, path);
    if (field.lists !== undefined) return declareList(field.lists, path);
    if (field.objects !== undefined) {
      const { members, trouble } = field.objects;
      if (members.size === 0) return asJson(trouble ?? "it is always an empty object");
      return declareObject(field, field.objects, path);
    }
    if (field.booleans > 0) return "boolean";
    if (field.decimals > 0) return "number";
    if (field.ids === undefined || !facts.arePages(field.ids)) return "integer";
    guess(path, "all its numbers are ids of pages, so it is “page”");
    return "page";
  }

  function declareText(texts: Texts, path: string): unknown {
    const { filled, empty, forms, hasMarkup, html } = texts;
    if (filled === 0) guess(path, "it is always empty, so it is “text”");
    if (filled === 0) return "text";
    const [form] = forms;
    if (form === "address") return "url";
    // A date has no empty value.
    if (form !== undefined && empty === 0) return form;
    if (!hasMarkup) return "text";
    if (html === undefined)
      guess(path, "it has HTML that the build refuses, so it is “raw-html”, which is not checked");
    if (html === undefined) return "raw-html";
    return html === "raw" ? { kind: "html", raw: true } : "html";
  }

  function declareList(lists: Lists, path: string): unknown {
    const { elements, blocks } = lists;
    const open = (reason: string): string[] => {
      guess(path, `${reason}, so it is a list of “json”`);
      return ["json"];
    };
    if (blocks.size === 0)
      return elements.count === 0
        ? open("it is always an empty list")
        : [declareField(elements, `${path}[]`)];
    if (elements.count > 0) return open("its elements are blocks and others");
    const odd = [...blocks.keys()].find((type) => !NAMING.block.is(type));
    if (odd !== undefined) return open(`it has blocks of the type “${odd}”, which cannot be a name`);
    if (blocks.size > MAX_BLOCKS) return open(`it has ${blocks.size} types of blocks`);
    return withShape(lists, path, (at) => ({
      blocks: Object.fromEntries(
        Array.from(blocks, ([type, one]) => [type, declareField(one, `${at}.${type}`)]),
      ),
    }));
  }

  function declareObject(field: Observed, objects: Objects, path: string): unknown {
    const types = objects.summaries && facts.shownTypes(objects.summaries);
    if (types !== undefined) {
      guess(path, `it shows pages of ${types.join(" and ")}, so it is “page” with only these types`);
      const meta = objects.members.get("meta")?.objects?.members;
      const shows = SHOWABLE.filter((name) => name === "title" || meta?.has(name) === true);
      return { kind: "page", types, shows };
    }
    return withShape(objects, path, (at) => {
      const members = [...objects.members].map(([name, member]) => {
        const only = textsOf(member)?.only;
        const isConstant = field.name === "meta" && name === "type" && NAMING.type.is(only ?? "");
        return [name, isConstant ? { const: only } : declareField(member, `${at}.${name}`)];
      });
      return { fields: Object.fromEntries(members) };
    });
  }

  /** The name of the value's shape, which is declared at its first use; without one, the declaration itself. */
  function withShape(form: SharedForm, path: string, declare: (path: string) => object): unknown {
    const name = own.get(form) ?? names.get(form);
    if (name === undefined) return declare(path);
    if (names.has(form) && !Object.hasOwn(shapes, name)) {
      shapes[name] = undefined;
      shapes[name] = declare(name);
    }
    return name;
  }

  return { shapes, guesses, guess, declareFields, compareTypes };
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

/** Gives values of one form, at different places, one set of observations. Returns the fields with each form. */
function shareForms(fields: readonly Observed[], facts: SiteFacts): Map<SharedForm, Observed[]> {
  for (;;) {
    const places = placesOf(fields, facts);
    const groups = grouped(places, ([form, [field]]) => keyOf(field?.name ?? "", form)).values();
    const pairs = Array.from(groups, (group) => pairIn(group.map(([form]) => form)));
    const [first, second] = pairs.find((pair) => pair !== undefined) ?? [];
    if (first === undefined || second === undefined) return places;
    first.add(second as Lists & Objects);
    for (const place of places.get(second) ?? [])
      if (place.objects === second) place.objects = first as Objects;
      else if (place.lists === second) place.lists = first as Lists;
  }
}

function placesOf(fields: readonly Observed[], facts: SiteFacts): Map<SharedForm, Observed[]> {
  const places = new Map<SharedForm, Observed[]>();
  const visit = (field: Observed): void => {
    const form = formOf(field, facts);
    const others = form && places.get(form);
    if (form !== undefined) places.set(form, [...(others ?? []), field]);
    if (others === undefined) field.parts().forEach(visit);
  };
  fields.forEach(visit);
  return places;
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

/** The texts of a field that has no other values. */
const textsOf = (field: Observed | undefined): Texts | undefined =>
  field?.kinds().join() === "texts" && field.nulls === 0 ? field.texts : undefined;

/** The shape of the program that has the same members, and whether their values fit too. */
function ownShapeOf({ members }: Objects, { areFiles }: Pick<SiteFacts, "areFiles">) {
  const texts = (name: string, of = members): Texts | undefined => textsOf(of.get(name));
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
