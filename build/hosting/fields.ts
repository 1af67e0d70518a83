import type { ListedFields } from "../base/website.ts";

/* The parameter `fields` of lists, with the syntax, the results and the messages of Wagtail. */

/** A request that gets the status 400. */
export class BadRequest extends Error {}

interface ChosenField {
  name: string;
  isNegated: boolean;
  /** The fields in it, if they are chosen. */
  within: ChosenField[] | undefined;
}

type Json = Record<string, unknown>;

export function parseFields(text: string): ChosenField[] {
  let at = 0;
  const unexpected = (char = text[at]): BadRequest =>
    new BadRequest(`fields error: unexpected char '${char}' at position ${at}`);

  function identifier(): { name: string; isNegated: boolean } {
    const from = at;
    let name = "";
    for (; at < text.length; at++) {
      const char = text[at] as string;
      if ("(),".includes(char)) {
        if (name === "" || (char === "(" && (name === "*" || name === "_"))) throw unexpected();
        break;
      }
      if (/\s/.test(char)) throw new BadRequest(`fields error: unexpected whitespace at position ${at}`);
      if (char === "-" && at === from) continue;
      const isValid = char === "*" ? name === "" : /[\p{L}\p{N}_]/u.test(char) && name !== "*";
      if (!isValid) throw unexpected();
      name += char;
    }
    return { name, isNegated: text[from] === "-" };
  }

  function list(isNested: boolean): ChosenField[] {
    const fields: ChosenField[] = [];
    while (at < text.length) {
      const { name, isNegated } = identifier();
      const [first] = fields;
      if (name === "*" || name === "_") {
        if (first !== undefined)
          throw new BadRequest(`fields error: '${name}' must be in the first position`);
        if (isNegated) throw new BadRequest(`fields error: '${name}' cannot be negated`);
      }
      let within: ChosenField[] | undefined;
      if (text[at] === "(") {
        if (isNegated) throw unexpected();
        at++;
        within = list(true);
      }
      if (first?.name === "_" && isNegated)
        throw new BadRequest("fields error: negated fields with '_' doesn't make sense");
      if (first?.name === "*" && !isNegated && !within?.length)
        throw new BadRequest("fields error: additional fields with '*' doesn't make sense");
      fields.push({ name, isNegated, within });
      if (text[at] === ")") {
        if (!isNested) throw unexpected();
        at++;
        return fields;
      }
      if (text[at] === ",") {
        at++;
        if (at === text.length || text[at] === ",") throw unexpected(",");
      }
    }
    if (isNested)
      throw new BadRequest("fields error: unexpected end of input (did you miss out a close bracket?)");
    return fields;
  }

  return list(false);
}

/** The fields that lists show by default. */
const DEFAULT = "id type detail_url html_url slug show_in_menus first_published_at locale title".split(" ");

/** The names of the chosen fields, and the fields in them. */
function choose(
  config: readonly ChosenField[],
  all: readonly string[],
  usual: readonly string[],
): Map<string, ChosenField[] | undefined> {
  const [first] = config;
  const start = first?.name === "*" ? all : first?.name === "_" ? [] : usual;
  const rest = /^[*_]$/.test(first?.name ?? "") ? config.slice(1) : config;
  // Every page of Wagtail's has a language, so front ends name its field on a site without languages too.
  const known = usual === all ? all : [...all, "locale"];
  const unknown = [...new Set(rest.map(({ name }) => name))].filter((name) => !known.includes(name)).sort();
  const chosen = new Map<string, ChosenField[] | undefined>(start.map((name) => [name, undefined]));
  for (const { name, isNegated, within } of rest)
    if (isNegated) chosen.delete(name);
    else chosen.set(name, within);
  if (unknown.length > 0) throw new BadRequest(`unknown fields: ${unknown.join(", ")}`);
  return chosen;
}

/** A function that returns the chosen fields of a page's response. */
export function projection(parameter: string | undefined, of: ListedFields): (page: Json) => Json {
  const all = [...of.body, ...of.meta];
  const usual = DEFAULT.filter((name) => all.includes(name));
  const chosen = choose(parameter === undefined ? [] : parseFields(parameter), all, usual);
  for (const [name, within] of chosen)
    if (within?.length && !of.nested.includes(name))
      throw new BadRequest(`'${name}' does not support nested fields`);
  // As few steps as possible for each field, because a list may show thousands.
  const fields = of.body.filter((name) => name !== "id" && chosen.has(name));
  const metas = of.meta.filter((name) => chosen.has(name));
  const copy = (to: Json, from: Json, names: readonly string[]): Json => {
    for (const name of names) {
      const value = from[name];
      if (value === undefined) continue;
      const within = chosen.get(name);
      to[name] = within?.length ? nested(value, within) : value;
    }
    return to;
  };
  return (page) => {
    const item: Json = chosen.has("id") ? { id: page["id"] } : {};
    const meta = copy({}, (page["meta"] ?? {}) as Json, metas);
    if (metas.length > 0) item["meta"] = meta;
    return copy(item, page, fields);
  };
}

/** The chosen fields of an object, or of each object in a list. All are shown by default, as in the page's response. */
function nested(value: unknown, config: readonly ChosenField[]): unknown {
  if (Array.isArray(value)) return value.map((one) => nested(one, config));
  if (typeof value !== "object" || value === null) return value;
  const { meta, ...rest } = value as { meta?: Json };
  const isMeta = typeof meta === "object";
  const names = [...Object.keys(isMeta ? rest : value), ...Object.keys(isMeta ? meta : {})];
  const chosen = choose(config, names, names);
  const pick = (from: object): Json =>
    Object.fromEntries(
      Object.entries(from).flatMap(([name, one]) => {
        const within = chosen.get(name);
        return chosen.has(name) ? [[name, within?.length ? nested(one, within) : (one as unknown)]] : [];
      }),
    );
  const metas = isMeta ? pick(meta) : {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]): [string, unknown][] => {
      if (name === "meta" && isMeta) return Object.keys(metas).length === 0 ? [] : [[name, metas]];
      return Object.entries(pick({ [name]: one as unknown }));
    }),
  );
}
