import { mkdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { Failure } from "../base/failure.ts";
import { hintOf, isError, messageOf, type Finding, type Place } from "../findings/finding.ts";
import { nodeAt } from "../json/node.ts";
import { parseJson } from "../json/parse.ts";
import { placeOf } from "../json/place.ts";
import { programModel } from "../page/program-model.ts";
import type { PageModel, PageTypeModel } from "../page/page.ts";
import type { PageType } from "../page/page-types.ts";
import { schemaReference } from "../contract/location.ts";
import { checkSiteConfig } from "../check/config.ts";
import { PageChecker } from "../check/page.ts";
import { typeOf } from "../check/nodes.ts";
import { isObject } from "../json/object.ts";
import { findSources } from "../sources/find.ts";
import { formatJson } from "../json/format.ts";
import { SourceReader } from "../sources/read.ts";
import { childAddress, folderAddress, homeAddress } from "../sources/tree.ts";
import { writeSource } from "./files.ts";
import { freeId, takenIds } from "./ids.ts";
import { insertFirst } from "./members.ts";
import { sourceNamed } from "./pages.ts";
import { findTarget, type Target } from "./target.ts";
import { newSource, type NewPage } from "./template.ts";
import { applyEdits, type Edit } from "./text.ts";
import { SITE } from "../page/files.ts";

export interface CreateOptions extends Pick<NewPage, "title" | "facts" | "allFields"> {
  content: string;
  /** The page types of the site; the program's own by default. */
  model?: PageModel | undefined;
  type: PageType;
  /** The path as the editor wrote it. */
  path: string;
  draft: boolean;
  id?: number | undefined;
}

export interface Created {
  target: Target;
  id: number;
  title: string;
  /** The address on the website; absent if `_site.json` is missing or has errors. */
  address?: string;
  /** Required values that were not given. Each is an error until the editor fills it in. */
  guessed: { place: Place; field: string; value: string }[];
}

/** @throws Failure if pages of this type lack a field that is given. */
function assertFields({ own }: PageTypeModel, type: PageType, facts: CreateOptions["facts"]): void {
  const others = Object.keys(facts).filter((field) => !own.includes(field));
  if (others.length > 0)
    throw new Failure(`A page of type ${type} has no ${others.join(", ")}: leave out the option.`);
}

/** Writes a new source, valid except for its `guessed` values. @throws Failure with the reason if it cannot. */
export function create(options: CreateOptions): Created {
  const { content, model = programModel, type, facts, title, allFields } = options;
  assertFields(model.of(type), type, facts);
  const { listing, hasSite } = findSources(content);
  const target = findTarget(content, model, listing, options.path, type, options.draft);
  const id = chosenId(options.id, takenIds(content, listing));
  const path = join(resolve(content), target.file);
  const page = {
    model,
    type,
    reference: schemaReference(path, target.file),
    id,
    slug: target.slug,
    title,
    facts,
    allFields,
  };
  const { source, guessed } = newSource(page);
  const text = formatJson(source);
  const parsed = parseJson(target.file, Buffer.from(text));
  const { site } = hasSite ? checkSiteConfig(new SourceReader().read(content, SITE).parsed) : {};
  const places = guessed.flatMap((field) => {
    const at = parsed.root && nodeAt(parsed.root, [field]).node;
    if (at === undefined) return [];
    return [{ place: placeOf(parsed.source, at.start, at.end), field, value: text.slice(at.start, at.end) }];
  });
  const isPlaceholder = ({ place }: Finding): boolean =>
    places.some((one) => place.line >= one.place.line && place.line <= (one.place.endLine ?? place.line));
  refuseErrors(new PageChecker({ model, site }).check(parsed).findings.filter((f) => !isPlaceholder(f)));
  mkdirSync(dirname(path), { recursive: true });
  writeSource(path, text, true);
  const created: Created = { target, id, title: String(source["title"]), guessed: places };
  if (site !== undefined)
    created.address =
      target.parent === undefined
        ? homeAddress(site)
        : childAddress(folderAddress(target.parent, site), target.slug, site);
  return created;
}

/**
 * Writes a copy of a page with another id, the given facts, and without a date of first publication. Errors of the
 * original stay. @throws Failure if it cannot.
 */
export function copy(
  from: string,
  options: Omit<CreateOptions, "type" | "allFields">,
): Omit<Created, "guessed"> {
  const { content, model = programModel, path, draft, title, facts } = options;
  const file = sourceNamed(content, from);
  const { listing, hasSite } = findSources(content);
  const original = new SourceReader().read(content, file).parsed;
  const { source, root } = original;
  const type = root && typeOf(root, model);
  if (root?.type !== "object" || type === undefined)
    throw new Failure(`${file} is not a page with a known type: fix it first (npm run check).`);
  assertFields(model.of(type), type, facts);
  const target = findTarget(content, model, listing, path, type, draft);
  const to = join(resolve(content), target.file);
  const id = chosenId(options.id, takenIds(content, listing));
  const edits: Edit[] = [];
  const put = (at: readonly string[], written: unknown, isNew = false): void => {
    const { node, found } = nodeAt(root, at);
    if (found) edits.push({ start: node.start, end: node.end, text: JSON.stringify(written) });
    else if (isNew && node.type === "object")
      edits.push(insertFirst(source.text, node, at.at(-1) ?? "", written));
  };
  put(["id"], id, true);
  put(["$schema"], schemaReference(to, target.file));
  put(["meta", "first_published_at"], null);
  const given = { title, ...(model.of(type).infer?.(facts, target.slug) ?? facts) };
  for (const [field, value] of Object.entries(given))
    if (isObject(value) && nodeAt(root, [field]).node.type === "object")
      for (const [key, one] of Object.entries(value)) put([field, key], one, true);
    else if (value !== undefined) put([field], value, true);
  const text = applyEdits(source.text, edits);
  const { site } = hasSite ? checkSiteConfig(new SourceReader().read(content, SITE).parsed) : {};
  const before = new Set(new PageChecker({ model, site }).check(original).findings.map(messageOf));
  const copied = parseJson(target.file, Buffer.from(text));
  refuseErrors(
    new PageChecker({ model, site }).check(copied).findings.filter((f) => !before.has(messageOf(f))),
  );
  mkdirSync(dirname(to), { recursive: true });
  writeSource(to, text, true);
  const written = copied.root && nodeAt(copied.root, ["title"]).node;
  return { target, id, title: written?.type === "string" ? written.value : "" };
}

/** @throws Failure if another source has the id. */
function chosenId(id: number | undefined, taken: ReadonlyMap<number, string>): number {
  const other = id === undefined ? undefined : taken.get(id);
  if (other !== undefined)
    throw new Failure(`The id ${id} is taken: ${other} has it. Leave out --id for a free one.`);
  return id ?? freeId(taken);
}

/** @throws Failure with the errors among the findings, if there are any. */
function refuseErrors(findings: readonly Finding[]): void {
  const wrong = findings.filter(isError);
  if (wrong.length > 0) throw new Failure(wrong.map((f) => `${messageOf(f)}\n  ${hintOf(f)}`).join("\n"));
}
