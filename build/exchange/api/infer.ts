import { Failure } from "../../base/failure.ts";
import { grouped } from "../../base/grouped.ts";
import { memoized } from "../../base/memoized.ts";
import { isObject, type JsonObject } from "../../source/json/object.ts";
import { asNoun, NAMING } from "../../model/declared-values.ts";
import { declaredModel, MAX_TYPES, shortOf } from "../../model/declared.ts";
import { formatOf } from "../../model/model.ts";
import type { PageModel } from "../../model/page.ts";
import { nameOf, type PageType } from "../../model/page-types.ts";
import { patternProblem } from "../../model/pattern.ts";
import { SHOWABLE, type ShownPage } from "../../model/reference.ts";
import type { Progress } from "../report.ts";
import { type Declarer, filesIn, openDeclarer } from "./declare.ts";
import type { ResponseReader, SavedResponse } from "./documents.ts";
import { ObservedByName, Observed, type Texts } from "./observe.ts";
import { languagesAmong } from "./languages.ts";
import { factsIn, familiesOf, parentRefOf, responsesIn, type ParentRef } from "./tree.ts";
import { openVotes } from "./site.ts";
import { isId } from "./values.ts";

/* Infers the page types and fields of a site from its responses (`import --types`). */

export function inferTypes(
  program: PageModel,
  files: readonly SavedResponse[],
  reader: ResponseReader,
  progress: Progress,
) {
  const survey = openSurvey(program);
  for (const [i, file] of files.entries()) {
    progress(i, files.length);
    const found = responsesIn(file, reader);
    if ("responses" in found) for (const { value } of found.responses) survey.take(value);
  }
  return survey.infer();
}

/** A page, as far as its type's position in the tree needs it. */
interface PageSeen extends Pick<ReturnType<typeof factsIn>, "address" | "locale" | "shown"> {
  id: number;
  type: TypeSeen;
  parent: ParentRef;
}

interface TypeSeen {
  name: PageType;
  pages: number;
  first: number;
  fields: ObservedByName;
  meta: ObservedByName;
  /** Fields of the program that a site may declare again. */
  again: Map<string, Again>;
}

/** The values of such a field that the program's own declaration does not allow. */
interface Again {
  hasNull: boolean;
  /** A text of another form, and the patterns of all texts. */
  odd: string | undefined;
  patterns: Set<string>;
}

function openSurvey(program: PageModel) {
  const votes = openVotes(program);
  let haveTranslations = true;
  const seenTypes = new Map<PageType, TypeSeen>();
  const seenPages = new Map<number, PageSeen>();

  function take(response: unknown): void {
    if (!isObject(response) || !isObject(response["meta"])) return;
    const { id } = response;
    const facts = factsIn(response);
    const { meta, address, locale, shown } = facts;
    const name = meta["type"];
    if (!isId(id) || seenPages.has(id) || typeof name !== "string" || !NAMING.type.is(name)) return;
    const type = typeOf(name);
    type.pages++;
    type.first = Math.min(type.first, id);
    seenPages.set(id, { id, type, parent: parentRefOf(facts, true), address, locale, shown });
    haveTranslations &&= facts.codes !== undefined;
    votes.count(response, id, program.has(name) ? name : undefined, address);
    const { common } = program;
    const own = program.has(name) ? program.of(name) : undefined;
    for (const [key, value] of Object.entries(response))
      if (own?.redeclarable !== undefined && Object.hasOwn(own.redeclarable, key))
        observeAgain(type, key, value);
      else if (!common.fields.has(key) && own?.source.fields.has(key) !== true)
        observe(type.fields, key, value);
    const ofMeta = common.fields.get("meta");
    for (const [key, value] of Object.entries(meta))
      if (ofMeta?.kind === "object" && !ofMeta.fields.has(key) && !OF_SOURCES.has(key))
        observe(type.meta, key, value);
  }

  const arePages = (ids: ReadonlySet<number>): boolean => [...ids].every((id) => seenPages.has(id));

  function infer() {
    const types = sorted();
    const tree = treeOf(types);
    // The site has these fields because it has several languages.
    if (tree.languages.locales !== undefined)
      for (const { meta } of types) {
        meta.delete("locale");
        if (haveTranslations) meta.delete("translations");
      }
    const every = everyOf(types);
    const all = [every, ...types].flatMap(({ fields, meta }) => [fields, meta]);
    const fields = all.flatMap((part) => Array.from(part.values()));
    const areFiles = fileTest(fields);
    const declarer = openDeclarer(fields, { areFiles, arePages, shownTypes });
    const rows = rowsOf(types, tree);
    const ofEvery = defined({
      meta: declarer.declareFields(every.meta, "every: meta.", every.pages),
      fields: declarer.declareFields(every.fields, "every: ", every.pages),
    });
    const parts = types.map((type) => ({
      name: type.name,
      again: declaredAgain(type, declarer),
      own: declarer.declareFields(type.fields, `${type.name}: `, type.pages),
      meta: declarer.declareFields(type.meta, `${type.name}: meta.`, type.pages),
    }));
    declarer.compareTypes();
    const ofTypes = parts.map(({ name, again, own, meta }): [PageType, JsonObject] => [
      name,
      defined({ ...rows.get(name), fields: { ...again, ...own }, meta }),
    ]);
    const uses = program.names.filter((name) => seenTypes.has(name));
    const added = ofTypes.filter(([name, one]) => !program.has(name) || Object.keys(one).length > 0);
    /** The object in `_types.json`. */
    const declared = defined({
      uses: uses.length < program.names.length ? uses : undefined,
      types: Object.fromEntries(added),
      every: ofEvery,
      shapes: declarer.shapes,
    });
    widen(declared, declarer);
    return { declared, guesses: declarer.guesses };
  }

  function typeOf(name: PageType): TypeSeen {
    let type = seenTypes.get(name);
    if (type === undefined) {
      const nothing = { fields: new ObservedByName(), meta: new ObservedByName(), again: new Map() };
      seenTypes.set(name, (type = { name, pages: 0, first: Infinity, ...nothing }));
    }
    return type;
  }

  /**
   * By the lowest ids of their pages, so that the order of the responses does not matter. Of too many types, those with the
   * most pages.
   */
  function sorted(): TypeSeen[] {
    const all = [...seenTypes.values()];
    const isKnown = ({ name }: TypeSeen): number => Number(program.has(name));
    const most = all.sort((a, b) => isKnown(b) - isKnown(a) || b.pages - a.pages).slice(0, MAX_TYPES);
    return most.sort(byFirst);
  }

  const shownTypes = memoized((summaries: ReadonlySet<string>): PageType[] | undefined => {
    const types = new Set<TypeSeen>();
    for (const summary of summaries) {
      const [id, shown] = JSON.parse(summary) as [number, Partial<ShownPage>];
      const page = seenPages.get(id);
      const isSame = SHOWABLE.every((name) => shown[name] === undefined || shown[name] === page?.shown[name]);
      if (page === undefined || !isSame) return undefined;
      types.add(page.type);
    }
    return types.size === 0 ? undefined : [...types].sort(byFirst).map(({ name }) => name);
  });

  /** Tests whether addresses are those of files of the media host, as `_site.json` will name it. */
  function fileTest(fields: readonly Observed[]): (texts: Texts) => boolean {
    const { base_url, media_url } = votes.elect("", undefined).site;
    const isOwn = (origin: string): boolean => `${base_url}/`.startsWith(`${origin}/`);
    const counts = new Map<string, number>();
    if (votes.hasFiles()) counts.set(media_url, Infinity);
    for (const { prefix = "", filled } of filesIn(fields)) {
      const origin = /^https?:\/\/[^/?#\\]+(?=\/)/.exec(prefix)?.[0];
      if (origin !== undefined) counts.set(origin, (counts.get(origin) ?? 0) + filled);
    }
    const [host] = [...counts].sort(([, a], [, b]) => b - a)[0] ?? [];
    if (host === undefined) return () => false;
    // The build needs a copy of each image of the API's own host, and copies nothing else.
    const start = isOwn(host) ? `${base_url}/media/` : `${host}/`;
    return ({ prefix, areDirect, areImages }) =>
      prefix?.startsWith(start) === true && areDirect && (areImages || !isOwn(host));
  }

  function rowsOf(
    types: readonly TypeSeen[],
    { home, above, withSubpages }: ReturnType<typeof treeOf>,
  ): Map<PageType, JsonObject> {
    const known = types.filter(({ name }) => program.has(name));
    const words = new Set(known.flatMap(({ name }) => wordsOf(program, name)));
    return new Map(
      types.map((type): [PageType, JsonObject] => {
        const { name } = type;
        const usual = program.has(name) ? program.of(name).parents : [];
        const found = [...(above.get(type) ?? [])].sort(byFirst).map((parent) => parent.name);
        const isPlaced = found.length > 0 || usual.some((parent) => seenTypes.has(parent));
        const parents = type === home ? [] : isPlaced ? found : [home.name];
        const added = parents.filter((parent) => !usual.includes(parent));
        if (program.has(name)) return [name, added.length === 0 ? {} : { parents: added }];
        const isFolder = type !== home && (withSubpages.get(type)?.length ?? 0) * 2 > type.pages;
        return [name, { ...namesOf(name, words), parents, ...(isFolder && { folder: true }) }];
      }),
    );
  }

  /** The type of the home page; the types of parents, and the pages with subpages, by type. */
  function treeOf(types: readonly TypeSeen[]) {
    const pages = [...seenPages.values()];
    const families = familiesOf(pages);
    const { parents, largestFirst } = families;
    const above = new Map<TypeSeen, Set<TypeSeen>>();
    const withSubpages = grouped(new Set(parents.values()), ({ type }) => type);
    for (const [page, { type }] of parents)
      if (types.includes(type)) above.set(page.type, (above.get(page.type) ?? new Set()).add(type));
    const tops = pages.filter((page) => !parents.has(page) && types.includes(page.type));
    const largest = largestFirst(tops);
    const first = largest.find(({ parent }) => parent === "none") ?? largest[0];
    if (first === undefined) throw new Failure("No response is a page of a type that could be declared.");
    const homes = pages.filter(
      ({ type, parent }) => type === first.type && !(parent !== "none" && "id" in parent),
    );
    return { home: first.type, above, withSubpages, languages: languagesAmong(homes, families) };
  }

  function observeAgain({ name, again }: TypeSeen, key: string, value: unknown): void {
    const field = again.get(key) ?? { hasNull: false, odd: undefined, patterns: new Set() };
    again.set(key, field);
    field.hasNull ||= value === null;
    const model = program.of(name).source.fields.get(key);
    if (typeof value !== "string" || value === "" || model?.kind !== "text") return;
    if (formatOf(model)?.matches(value) === false) field.odd ??= value;
    if (field.patterns.size < 2) field.patterns.add(patternOf(value));
  }

  /** The declarations of fields of the program that have other values than the program allows. */
  function declaredAgain({ name: type, again }: TypeSeen, declarer: Declarer): JsonObject {
    const declared: JsonObject = {};
    for (const [name, { hasNull, odd, patterns }] of again) {
      const { redeclarable, source } = program.of(type);
      const [pattern = "", ...more] = patterns;
      if (redeclarable?.[name] === "null" && hasNull)
        declared[name] = source.fields.get(name)?.kind === "number" ? "integer?" : { null: true };
      else if (redeclarable?.[name] === "pattern" && odd !== undefined) {
        const isSimple = more.length === 0 && patternProblem(pattern) === undefined;
        declared[name] = { kind: "text!", pattern: isSimple ? pattern : ".+", example: odd };
        declarer.guess(`${type}: ${name}`, "its pattern is the form of all texts so far");
      }
    }
    return declared;
  }

  /** Replaces declarations that exceed a limit of `_types.json`. @throws Failure if that does not help */
  function widen(declared: JsonObject, declarer: Declarer): void {
    for (let round = 0; ; round++) {
      const wrong: PropertyKey[][] = [];
      const model = declaredModel(declared, program, (path, { code }) => {
        if (code !== "unused-shape") wrong.push([...path]);
      });
      if (model !== undefined && wrong.length === 0) return;
      for (const path of wrong) {
        // types, a type, “fields” or “meta”, a field; every, “fields” or “meta”, a field; shapes, a shape.
        const owner = path.slice(0, { types: 3, every: 2 }[String(path[0])] ?? 1);
        const name = String(path[owner.length]);
        const of = owner.reduce<unknown>(
          (at, step) => (isObject(at) ? at[String(step)] : undefined),
          declared,
        );
        if (!isObject(of) || !Object.hasOwn(of, name) || of[name] === "json" || round > MAX_ROUNDS)
          throw new Failure(
            `No _types.json fits these responses: the declaration at ${path.join(" → ")} is not possible. Write one, and give it with --types FILE.`,
          );
        of[name] = "json";
        declarer.guess(
          path.slice(1, owner.length + 1).join(" → "),
          "it exceeds a limit of _types.json, so it is “json”",
        );
      }
    }
  }

  return { take, infer };
}

const byFirst = (a: TypeSeen, b: TypeSeen): number => a.first - b.first;

/** Maximum number of times that declarations are made wider. */
const MAX_ROUNDS = 10;

/** Names in `meta` that only sources have. */
const OF_SOURCES: ReadonlySet<string> = new Set(["go_live_at", "expire_at", "order"]);

function observe(fields: ObservedByName, name: string, value: unknown): void {
  // Another name cannot be declared: the import reports it as left out.
  if (NAMING.field.is(name)) fields.at(name).take(value);
}

/** Takes the fields that all types have from them: of the page, those at the beginning, because these come first. */
function everyOf(types: readonly TypeSeen[]): Pick<TypeSeen, "fields" | "meta" | "pages"> {
  const pages = types.reduce((sum, type) => sum + type.pages, 0);
  const every = { fields: new ObservedByName(), meta: new ObservedByName(), pages };
  const [first, ...others] = types;
  if (first === undefined || others.length === 0) return every;
  for (const part of ["meta", "fields"] as const) {
    for (const name of first[part].keys()) {
      const all = types.map((type) =>
        part === "meta" || [...type[part].keys()][0] === name ? type[part].get(name) : undefined,
      );
      const merged = new Observed(name);
      const isOfEvery = all.every((field, i) => {
        if (field === undefined || field.count < (types[i]?.pages ?? 0) || merged.widens(field)) return false;
        merged.add(field);
        return true;
      });
      if (!isOfEvery && part === "fields") break;
      if (!isOfEvery) continue;
      every[part].set(name, merged);
      for (const type of types) type[part].delete(name);
    }
  }
  return every;
}

const wordsOf = (program: PageModel, type: PageType): string[] =>
  [program.of(type).label, program.of(type).shortName].map((word) => word.toLowerCase());

/** A label, and a short name if that of the class is taken. @param taken receives both */
function namesOf(type: PageType, taken: Set<string>): JsonObject {
  const app = type.slice(0, type.indexOf("."));
  const words = asNoun(nameOf(type).replace(/(.)Page$/, "$1")).trim();
  const noun = words.charAt(0).toUpperCase() + words.slice(1);
  const free = (word: string, other: string): string => (taken.has(word.toLowerCase()) ? other : word);
  const label = free(noun, `${noun} (${app})`);
  const short = shortOf(type);
  const chosen = free(short, `${app.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}-${short}`);
  for (const word of [label, chosen]) taken.add(word.toLowerCase());
  return { label, ...(chosen !== short && { short: chosen }) };
}

/** `KM 1987.42` as a pattern of such texts. */
const patternOf = (text: string): string =>
  text
    .replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
    .replaceAll(/[A-Z]+/g, "[A-Z]+")
    .replaceAll(/\d+/g, "[0-9]+");

/** Without members that are undefined or empty objects. */
const defined = (object: object): JsonObject =>
  Object.fromEntries(
    Object.entries(object).filter(
      ([, value]) => value !== undefined && (!isObject(value) || Object.keys(value).length > 0),
    ),
  );
