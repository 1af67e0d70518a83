import { linksOf, pathsLinked, typeOf } from "../check/nodes.ts";
import type { PageModel, PageTypeModel } from "../model/page.ts";
import { referenceIn } from "../model/reference.ts";
import type { Site } from "../model/site.ts";
import { applyEdits } from "../source/json/edit.ts";
import { isObject, objectIn, type JsonObject } from "../source/json/object.ts";
import { parseJson } from "../source/json/parse.ts";
import { linkEdits, linksOfSource } from "./move-edits.ts";

/* The beginning of a translation, made of its original: for commands, and for the editor in the browser. */

interface TranslatedSite {
  model: PageModel;
  site: Site;
}

/** The fields of `meta` that belong to one page. */
const OWN_FIELDS = new Set(["slug", "first_published_at", "go_live_at", "expire_at", "external_id"]);

const without = (object: Readonly<JsonObject>, names: ReadonlySet<string>): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.has(name)));

/** The values of a page with which a copy and a translation begin: without those that belong to one page. */
export function sharedValues(page: Readonly<JsonObject>, { unique = [] }: PageTypeModel): JsonObject {
  const own = new Set(["$schema", ...unique.map(([name]) => name)]);
  return { ...without(page, own), meta: without(isObject(page["meta"]) ? page["meta"] : {}, OWN_FIELDS) };
}

const parsed = (text: string) => parseJson("", new TextEncoder().encode(text));

/** The ids of the pages that a source refers to, and the paths that it links to. */
export function targetsIn(text: string, { model, site }: TranslatedSite) {
  const { source, root } = parsed(text);
  const links = root === undefined ? [] : linksOf(source, root, model);
  const targets = pathsLinked(
    links.map(({ href }) => href),
    site,
  );
  return {
    ids: targets.flatMap((one) => referenceIn(one)?.id ?? []),
    paths: targets.filter((one) => referenceIn(one) === undefined),
  };
}

/**
 * The values of a page that begins as the translation of another.
 *
 * @param text of the original. @param id of the new page.
 * @param ids the translations of the pages that the original refers to, by id.
 * @param addresses the addresses, without host, of the translations of the pages that it links to, by path
 */
export function translate(
  text: string,
  id: number,
  { model, site }: TranslatedSite,
  ids: ReadonlyMap<number, number> = new Map(),
  addresses: ReadonlyMap<string, string> = new Map(),
): JsonObject {
  const { source, root } = parsed(text);
  const type = root && typeOf(root, model);
  if (root === undefined || type === undefined) return {};
  const paths = new Set(addresses.keys());
  const { links, references } = linksOfSource({ source, root, findings: [] }, paths, new Set(ids.keys()), {
    model,
    site,
  });
  const edits = [
    ...linkEdits(links, addresses, site).map(({ edit }) => edit),
    ...references.map(({ id: of, start, end }) => ({ start, end, text: String(ids.get(of)) })),
  ];
  const page = sharedValues(objectIn(applyEdits(source.text, edits)) ?? {}, model.of(type));
  return { ...page, id, meta: { ...(page["meta"] as object), translation_of: page["id"] } };
}
