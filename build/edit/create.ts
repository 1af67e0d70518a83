import { mkdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { Failure } from "../base/failure.ts";
import { hintOf, isError, messageOf, type Place } from "../findings/finding.ts";
import { nodeAt } from "../json/node.ts";
import { parseJson } from "../json/parse.ts";
import { placeOf } from "../json/place.ts";
import type { PageType } from "../page/types.ts";
import { schemaReference } from "../contract/location.ts";
import { checkPage, checkSiteConfig } from "../check/page.ts";
import { findSources } from "../sources/find.ts";
import { formatJson } from "../json/format.ts";
import { Reader } from "../sources/read.ts";
import { childAddress, folderAddress, homeAddress } from "../sources/tree.ts";
import { createFile } from "./files.ts";
import { freeId, takenIds } from "./ids.ts";
import { findTarget, type Target } from "./target.ts";
import { newSource, type NewPage } from "./template.ts";

export interface CreateOptions extends Pick<NewPage, "title" | "facts" | "allFields"> {
  content: string;
  type: PageType;
  /** As the editor wrote it. */
  path: string;
  draft: boolean;
  id?: number | undefined;
}

export interface Created {
  target: Target;
  id: number;
  title: string;
  /** The address on the website; absent where `_site.json` does not say. */
  address?: string;
  /** Values that nobody gave: a person has to look at them. */
  guessed: { place: Place; field: string; value: string }[];
}

/** Writes a new, valid source. @throws Failure where that cannot be, with the reason. */
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
  const { site } = hasSite ? checkSiteConfig(new Reader().read(content, "_site.json").parsed) : {};
  const wrong = checkPage(parsed, site).findings.filter(isError);
  if (wrong.length > 0) throw new Failure(wrong.map((f) => `${messageOf(f)}\n  ${hintOf(f)}`).join("\n"));
  mkdirSync(dirname(path), { recursive: true });
  createFile(path, text);
  const created: Created = { target, id, title: String(source["title"]), guessed: [] };
  for (const field of guessed) {
    const at = parsed.root && nodeAt(parsed.root, [field]).node;
    if (at !== undefined)
      created.guessed.push({
        place: placeOf(parsed.source, at.start),
        field,
        value: text.slice(at.start, at.end),
      });
  }
  if (site !== undefined)
    created.address =
      target.parent === undefined
        ? homeAddress(site)
        : childAddress(folderAddress(target.parent, site), target.slug, site);
  return created;
}
