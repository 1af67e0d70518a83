import { mkdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { Failure } from "../base/failure.ts";
import { hintOf, isError, messageOf, type Finding, type Place } from "../findings/finding.ts";
import { nodeAt, valueOf } from "../json/node.ts";
import { parseJson } from "../json/parse.ts";
import { placeOf } from "../json/place.ts";
import { isPageType, rowOf, type PageType } from "../page/types.ts";
import { schemaReference } from "../contract/location.ts";
import { checkSiteConfig } from "../check/config.ts";
import { checkPage } from "../check/page.ts";
import { findSources } from "../sources/find.ts";
import { formatJson } from "../json/format.ts";
import { SourceReader } from "../sources/read.ts";
import { childAddress, folderAddress, homeAddress } from "../sources/tree.ts";
import { createFile, namedSources } from "./files.ts";
import { freeId, takenIds } from "./ids.ts";
import { findTarget, type Target } from "./target.ts";
import { newSource, type NewPage } from "./template.ts";
import { applyEdits, type Edit } from "./text.ts";
import { SITE } from "../page/files.ts";

export interface CreateOptions extends Pick<NewPage, "title" | "facts" | "allFields"> {
  content: string;
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

/** Writes a new source, valid except for its `guessed` values. @throws Failure with the reason if it cannot. */
export function create(options: CreateOptions): Created {
  const { content, type, facts, title, allFields } = options;
  const { listing, hasSite } = findSources(content);
  const target = findTarget(content, listing, options.path, type, options.draft);
  const taken = takenIds(content, listing);
  const other = options.id === undefined ? undefined : taken.get(options.id);
  if (other !== undefined)
    throw new Failure(`The id ${options.id} is taken: ${other} has it. Leave out --id for a free one.`);
  const id = options.id ?? freeId(taken);
  const path = join(resolve(content), target.file);
  const page = {
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
  const wrong = checkPage(parsed, site).findings.filter((f) => isError(f) && !isPlaceholder(f));
  if (wrong.length > 0) throw new Failure(wrong.map((f) => `${messageOf(f)}\n  ${hintOf(f)}`).join("\n"));
  mkdirSync(dirname(path), { recursive: true });
  createFile(path, text);
  const created: Created = { target, id, title: String(source["title"]), guessed: places };
  if (site !== undefined)
    created.address =
      target.parent === undefined
        ? homeAddress(site)
        : childAddress(folderAddress(target.parent, site), target.slug, site);
  return created;
}

/** Writes a copy of a page with a new id, and without a date of first publication. @throws Failure if it cannot. */
export function copy(content: string, from: string, path: string, draft: boolean): Omit<Created, "guessed"> {
  const [file = ""] = namedSources(content, [from]);
  const { listing } = findSources(content);
  const { source, root } = new SourceReader().read(content, file).parsed;
  const value =
    root && (valueOf(root) as { meta?: { type?: unknown; first_published_at?: unknown }; title?: unknown });
  const type = value?.meta?.type;
  if (root === undefined || typeof type !== "string" || !isPageType(type))
    throw new Failure(`${file} is not a page with a known type: fix it first (npm run check).`);
  const target = findTarget(content, listing, path, type, draft);
  const to = join(resolve(content), target.file);
  const id = freeId(takenIds(content, listing));
  const edits: Edit[] = [];
  const put = (at: readonly string[], written: unknown): void => {
    const { node, found } = nodeAt(root, at);
    if (found) edits.push({ start: node.start, end: node.end, text: JSON.stringify(written) });
  };
  put(["id"], id);
  put(["$schema"], schemaReference(to, target.file));
  put(["meta", "first_published_at"], null);
  for (const [field, written] of Object.entries(rowOf(type).infer?.({}, target.slug) ?? {}))
    put([field], written);
  mkdirSync(dirname(to), { recursive: true });
  createFile(to, applyEdits(source.text, edits));
  return { target, id, title: String(value?.title) };
}
