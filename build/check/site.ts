import { grouped } from "../base/grouped.ts";
import {
  entityOf,
  scopeOf,
  type Claims,
  claimsOf,
  claimText,
  folded,
  printed as printedValue,
} from "./claims.ts";
import { repeated } from "../base/columns.ts";
import { byPlace, finding, type Finding, type Place } from "../findings/finding.ts";
import { nodeAt, type Node, type Path } from "../source/json/object.ts";
import type { ParsedJson } from "../source/json/parse.ts";
import { placeAt, placeOf } from "../source/json/place.ts";
import { listName } from "../model/field.ts";
import { languageAt } from "../model/languages.ts";
import type { Identity } from "../model/model.ts";
import type { PageModel } from "../model/page.ts";
import { findInHistory } from "./history.ts";
import { findInOwnedPaths } from "./owned-paths.ts";
import { typeOf, walk, type AllPages } from "./nodes.ts";
import { likelyTypos } from "./unlikely-references.ts";

/** Maximum number of findings per entity on which pages disagree; the others, which follow, are counted. */
const MAX_PER_ENTITY = 20;
/** Approximate maximum number of such findings. After a mistake that affects everything, more do not help. */
const MAX_FINDINGS = 1000;
/** Maximum number of parsed sources kept for further findings. */
const MAX_KEPT_SOURCES = 50;

export function claimsIn(root: Node, model: PageModel): { identity: Identity; node: Node; text: string }[] {
  const found: ReturnType<typeof claimsIn> = [];
  const type = typeOf(root, model);
  if (type === undefined) return found;
  walk(model.sourceOf(type), root, [], (of, node) => {
    const identity = of.kind === "object" ? of.identity : undefined;
    if (identity !== undefined && node.type === "object" && printed(node, identity.key) !== "")
      found.push({ identity, node, text: claimText(identity, (field) => printed(node, field)) });
  });
  return found;
}

/** Without quotation marks; empty if the field is left out. */
function printed(owner: Node, field: string): string {
  const { node, found } = nodeAt(owner, [field]);
  return found && "value" in node ? printedValue(node.value) : "";
}

export const checkSite = (all: AllPages): Finding[] => [
  ...findClashes(all, all.ids, ["id"], (node, place, other) =>
    finding("id-clash", { id: idOf(node), file: place.file, other: other.file }, place, other),
  ),
  ...findDraftIds(all),
  ...findClashes(
    all,
    all.acnos,
    ["acno"],
    (node, place, other) => finding("acno-clash", { acno: textOf(node), other: other.file }, place, other),
    (text, file) => `${languageOf(all)(file)} ${folded(text)}`,
  ),
  ...findClashes(all, all.externalIds, ["meta", "external_id"], (node, place, other) =>
    finding("external-id-clash", { key: textOf(node), other: other.file }, place, other),
  ),
  ...(all.claims === undefined
    ? []
    : [
        ...findInconsistencies(all, all.claims),
        ...findUnlikelyReferences(all, all.claims),
        ...findValueClashes(all, all.claims),
      ]),
  ...(all.history === undefined ? [] : findInHistory(all, all.history)),
  ...(all.site === undefined ? [] : findInOwnedPaths({ ...all, site: all.site })),
];

/** A page that describes an entity unlike most others gets a finding, which refers to one of the others. */
function findInconsistencies(all: AllPages, claims: Claims): Finding[] {
  const { listing } = all;
  const { texts } = claims;
  const entities = disputed(texts);
  if (entities.size === 0) return [];
  // For each disputed claim, by its number: the files that state it, in the order of the listing.
  const statedBy = new Map<number, number[]>([...entities.values()].flat().map((number) => [number, []]));
  for (let file = 0; file < listing.count; file++) {
    for (const number of claimsOf(claims, file)) {
      const files = statedBy.get(number);
      if (files !== undefined && files.at(-1) !== file) files.push(file);
    }
  }
  const sources = parsedSources(all);
  const findings: Finding[] = [];
  let unlisted = 0;
  // Sorted, because the order in the map depends on the order of reading.
  for (const [, numbers] of [...entities].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const filesOf = (number: number): number[] => statedBy.get(number) ?? [];
    const [usual = 0, ...others] = numbers
      .filter((number) => filesOf(number).length > 0)
      .sort(
        (a, b) =>
          filesOf(b).length - filesOf(a).length ||
          (filesOf(a)[0] ?? 0) - (filesOf(b)[0] ?? 0) ||
          // Not by number, because numbers depend on the order of reading.
          ((texts[a] ?? "") < (texts[b] ?? "") ? -1 : 1),
      );
    const differing = others.flatMap((number) => filesOf(number).map((file) => ({ number, file })));
    const listed = differing.slice(0, findings.length < MAX_FINDINGS ? MAX_PER_ENTITY : 0);
    unlisted += differing.length - listed.length;
    const model = listed.length > 0 && sources.find(filesOf(usual)[0] ?? 0, texts[usual] ?? "");
    if (!model) continue;
    for (const { number, file } of listed) {
      const claim = sources.find(file, texts[number] ?? "");
      if (claim !== undefined) findings.push(inconsistency(claim, model, filesOf(usual).length));
    }
  }
  const last = findings.toSorted(byPlace).at(-1);
  if (unlisted > 0 && last !== undefined) {
    const more = { count: unlisted, limit: findings.length, of: "inconsistent" };
    findings.push({ ...finding("more-findings", more, last.place), severity: "warning" });
  }
  return findings;
}

function disputed(texts: readonly string[]): Map<string, number[]> {
  const first = new Map<string, number>();
  const entities = new Map<string, number[]>();
  for (const [number, text] of texts.entries()) {
    const entity = entityOf(text);
    const before = first.get(entity);
    if (before === undefined) first.set(entity, number);
    else if (entities.has(entity)) entities.get(entity)?.push(number);
    else entities.set(entity, [before, number]);
  }
  return entities;
}

interface FoundClaim {
  parsed: ParsedJson;
  identity: Identity;
  node: Node;
}

/** The sources that findings name, with a cache of recent ones. */
function parsedSources({ model, read }: AllPages) {
  const kept = new Map<number, ParsedJson>();
  const get = (file: number): ParsedJson => {
    let parsed = kept.get(file);
    if (parsed === undefined && kept.size >= MAX_KEPT_SOURCES) kept.clear();
    if (parsed === undefined) kept.set(file, (parsed = read(file)));
    return parsed;
  };
  const find = (file: number, text: string): FoundClaim | undefined => {
    const parsed = get(file);
    const claims = parsed.root === undefined ? [] : claimsIn(parsed.root, model);
    const claim = claims.find((one) => one.text === text);
    return claim && { parsed, ...claim };
  };
  return { get, find };
}

/** The claims of few pages that are probably meant to be other pages' claims. */
function findUnlikelyReferences(all: AllPages, claims: Claims): Finding[] {
  const { listing } = all;
  const misses = likelyTypos(claims);
  if (misses.size === 0) return [];
  const { texts, entries, starts, counts } = claims;
  const sources = parsedSources(all);
  const findings: Finding[] = [];
  // A column, because almost all of a million claims are not among them.
  const isMiss = new Uint8Array(texts.length);
  for (const number of misses.keys()) isMiss[number] = 1;
  for (let file = 0; file < listing.count; file++) {
    const from = starts[file] as number;
    const to = from + (counts[file] as number);
    for (let k = from; k < to; k++) {
      const number = entries[k] as number;
      const meant = isMiss[number] === 1 ? misses.get(number) : undefined;
      // A page may make the same claim twice.
      if (meant === undefined || entries.indexOf(number, from) < k) continue;
      const claim = sources.find(file, texts[number] ?? "");
      if (claim === undefined) continue;
      const { identity, node, parsed } = claim;
      const at = nodeAt(node, [identity.key]).node;
      const { kind, key: field } = identity;
      const args = { kind, field, list: listName(identity), found: printed(node, field), ...meant };
      findings.push(finding("unlikely-reference", args, placeOf(parsed.source, at.start, at.end)));
    }
  }
  return findings;
}

function inconsistency({ parsed, identity, node }: FoundClaim, model: FoundClaim, times: number): Finding {
  const { kind, key, values } = identity;
  const field = values.find((value) => printed(node, value) !== printed(model.node, value)) ?? key;
  const at = (claim: FoundClaim) => {
    const { node: value, found } = nodeAt(claim.node, [field]);
    return placeOf(claim.parsed.source, value.start, found ? value.end : value.start + 1);
  };
  const args = {
    kind,
    key: printed(node, key),
    field,
    found: printed(node, field),
    usual: printed(model.node, field),
    times,
  };
  return finding("inconsistent", args, at({ parsed, identity, node }), at(model));
}

/** Each page and draft with a value that only one may have gets a finding, which refers to another one. */
function findValueClashes(all: AllPages, claims: Claims): Finding[] {
  const { model } = all;
  if (model.names.every((type) => model.of(type).unique === undefined)) return [];
  const { texts } = claims;
  const statedBy = new Map<number, number[]>();
  for (const [number, text] of texts.entries()) if (scopeOf(text) !== undefined) statedBy.set(number, []);
  for (let file = 0; file < all.listing.count; file++)
    for (const number of claimsOf(claims, file)) statedBy.get(number)?.push(file);
  const sources = parsedSources(all);
  // By the first file, because the order in the map depends on the order of reading.
  const clashes = [...statedBy]
    .filter(([, files]) => files.length > 1)
    .flatMap(([number, files]) =>
      [...grouped(files, languageOf(all)).values()].map((some): [number, number[]] => [number, some]),
    )
    .filter(([, files]) => files.length > 1)
    .sort(([, a], [, b]) => (a[0] ?? 0) - (b[0] ?? 0));
  return clashes.flatMap(([number, files]) => {
    const field =
      scopeOf(texts[number] ?? "")
        ?.split(".")
        .at(-1) ?? "";
    return files.map((file, k) => {
      const parsed = sources.get(file);
      const other = placeAt(sources.get(files[k === 0 ? 1 : 0] ?? file), [field]);
      const found = parsed.root === undefined ? "" : printed(parsed.root, field);
      return finding("value-clash", { field, found, other: other.file }, placeAt(parsed, [field]), other);
    });
  });
}

/** Each file with a value of another file gets a finding at the field, which refers to such a file. */
function findClashes(
  all: AllPages,
  column: Float64Array,
  field: Path,
  clash: (node: Node | undefined, place: Place, other: Place) => Finding,
  compared = (text: string, _file: number): string => text.toUpperCase(),
): Finding[] {
  const sources = parsedSources(all);
  const findings: Finding[] = [];
  for (const files of repeated(column, all.mayClash).values()) {
    const byValue = new Map<string, { node: Node | undefined; place: Place }[]>();
    for (const file of files) {
      const parsed = sources.get(file);
      const node = parsed.root && nodeAt(parsed.root, field).node;
      // The numbers of different texts can be the same.
      const value = compared(textOf(node), file);
      byValue.set(value, [...(byValue.get(value) ?? []), { node, place: placeAt(parsed, field) }]);
    }
    for (const places of byValue.values())
      for (const [k, { node, place }] of places.entries())
        if (places.length > 1) findings.push(clash(node, place, places[k === 0 ? 1 : 0]?.place ?? place));
  }
  return findings;
}

/** The pages of a work in several languages have its numbers. */
const languageOf =
  ({ listing, site }: AllPages) =>
  (file: number): string | undefined =>
    site?.locales === undefined ? undefined : languageAt(listing.path(file), site)?.code;

const textOf = (node: Node | undefined): string => (node?.type === "string" ? node.value : "");
const idOf = (node: Node | undefined): number => (node?.type === "number" ? node.value : 0);

/** A draft with the id of a page or another draft gets a warning; a page keeps its id. */
function findDraftIds(all: AllPages): Finding[] {
  const { listing, ids, draftIds } = all;
  const drafts = new Map<number, number[]>();
  for (let file = 0; file < draftIds.length; file++) {
    const id = draftIds[file] ?? 0;
    if (id > 0 && listing.kind(file) === "draft") drafts.set(id, [...(drafts.get(id) ?? []), file]);
  }
  if (drafts.size === 0) return [];
  const pages = new Map<number, number>();
  for (const [file, id] of ids.entries()) if (drafts.has(id) && !pages.has(id)) pages.set(id, file);
  const sources = parsedSources(all);
  const placeIn = (file: number): Place => placeAt(sources.get(file), ["id"]);
  return [...drafts].flatMap(([id, files]) => {
    const page = pages.get(id);
    if (page === undefined && files.length === 1) return [];
    return files.map((file, k): Finding => {
      const [place, other] = [placeIn(file), placeIn(page ?? files[k === 0 ? 1 : 0] ?? file)];
      const args = { id, file: place.file, other: other.file, isDraft: true };
      return { ...finding("id-clash", args, place, other), severity: "warning" };
    });
  });
}

/** A number for a text that must be unique; 0 if it is empty. Case is ignored. Two texts can have one number. */
export function textNumber(text: string): number {
  let [high, low] = [0, 0];
  const upper = text.toUpperCase();
  for (let i = 0; i < upper.length; i++) {
    const c = upper.charCodeAt(i);
    low = (Math.imul(low ^ c, 0x9e3779b1) >>> 0) ^ (low >>> 15);
    high = Math.imul(high + c, 0x85ebca77) >>> 11;
  }
  return text === "" ? 0 : high * 2 ** 32 + (low >>> 0) + 1;
}
