import * as z from "zod";
import { NO_FUTURE } from "../base/instant.ts";
import { thousands } from "../base/numbers.ts";
import { capFindings, finding, type Finding, type Place } from "../findings/finding.ts";
import {
  fieldName,
  nodeAt,
  valueOf,
  type Node,
  type Path,
  describeValue,
  isObject,
  type JsonObject,
} from "../source/json/object.ts";
import type { ParsedJson } from "../source/json/parse.ts";
import { placeOf } from "../source/json/place.ts";
import { HISTORY, SITE, SYNC } from "../source/site-files.ts";
import { id as idField, objectModel, requiredText } from "../model/field.ts";
import { formats } from "../model/formats.ts";
import { historySchema, type History } from "../model/history.ts";
import { languagesOf, LOCALE, LOCALE_PATH } from "../model/languages.ts";
import { NO_MEDIA } from "../model/media.ts";
import { MAX_LIMIT, siteSchema, URL_PATHS, type Site } from "../model/site.ts";
import { Engine } from "./engine.ts";
import { likeliest, unknownName } from "./mistakes.ts";
import { located } from "../source/report.ts";
import { NO_PLACE } from "./state.ts";
import { encodedSlug } from "../source/address.ts";
import type { SourceIndex } from "../source/read.ts";
import { homeAddress, isOwned, pathsOf, sitePath } from "../model/tree.ts";
import { placeAt, type AllPages } from "./nodes.ts";

/** `site` is undefined if `_site.json` has errors. */
export function checkSiteConfig(parsed: ParsedJson): { site?: Site; findings: Finding[] } {
  const checked = checkObject(parsed, siteSchema, SITE);
  const locales = checked.value === undefined ? [] : findLocaleMistakes(parsed, checked.value);
  const findings = capFindings([...checked.findings, ...findTails(parsed), ...locales]);
  return checked.value !== undefined && findings.length === 0
    ? { site: checked.value, findings }
    : { findings };
}

/** Checks the file by itself. `history` is undefined if it has errors. */
export function checkHistoryFile(parsed: ParsedJson): { history?: History; findings: Finding[] } {
  const { value, findings } = checkObject(parsed, historySchema, HISTORY);
  return value === undefined ? { findings: capFindings(findings) } : { history: value, findings };
}

const byName = (value: unknown, schema: z.ZodType): z.ZodObject =>
  z.strictObject(Object.fromEntries(Object.keys(isObject(value) ? value : {}).map((name) => [name, schema])));

/** Checks `_sync.json`, in which the names of collection systems and the keys of records are members. */
export function checkSync(parsed: ParsedJson): Finding[] {
  const value = parsed.root === undefined ? undefined : valueOf(parsed.root);
  const ofNames = Object.entries(isObject(value) ? value : {}).map(([name, own]): [string, z.ZodType] => [
    name,
    z.strictObject({
      label: requiredText().optional(),
      encoding: requiredText().optional(),
      fields: z.array(requiredText()),
      retired: byName(isObject(own) ? own["retired"] : undefined, idField()).optional(),
    }),
  ]);
  return capFindings(checkObject(parsed, z.strictObject(Object.fromEntries(ofNames)), SYNC).findings);
}

/** `value` is undefined if there are errors. */
function checkObject<T>(
  { source, root, findings }: ParsedJson,
  schema: z.ZodType<T>,
  file: string,
): { value?: T; findings: Finding[] } {
  if (root === undefined) return { findings };
  const nodes = new WeakMap<object, Node>();
  const value = valueOf(root, nodes);
  if (!isObject(value)) {
    const args = { found: describeValue(value) };
    return {
      findings: [...findings, ...located(source, [{ code: "not-an-object", args, path: [], on: "start" }])],
    };
  }
  const engine = new Engine({
    media: NO_MEDIA,
    times: NO_FUTURE,
    onlyKinds: true,
    unknown: (of, path, name, written) => {
      const owner = path.length === 0 ? file : `“${fieldName(path)}”`;
      return unknownName(of, owner, name, written, likeliest(name, [...of.fields.keys()]));
    },
  });
  const print = engine.compile(objectModel(schema));
  engine.begin(NO_PLACE, nodes);
  print(value);
  const all = [...findings, ...located(source, engine.reports, findings)];
  const { $schema: _, ...settings } = value;
  if (all.length > 0) return { findings: all };
  const parsedValue = schema.safeParse(settings);
  if (parsedValue.success) return { value: parsedValue.data, findings: all };
  return {
    findings: located(
      source,
      parsedValue.error.issues.map(({ path }) =>
        path[0] === "locales" ? wrongLocale(settings, path as string[]) : wrongIndex(settings, path),
      ),
    ),
  };
}

function wrongLocale(settings: JsonObject, path: readonly string[]) {
  const found = path.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), settings);
  const [expected, example] =
    path.length === 1
      ? ["an object with the label of each language, by its code", '{"en": "English", "cy": "Cymraeg"}']
      : path.length === 2
        ? ["a label, or an object with “label” and “path”", '{"label": "Cymraeg", "path": "/cy/"}']
        : ["a text", '"Cymraeg"'];
  const args = {
    field: fieldName(path),
    found: describeValue(found),
    expected,
    example: { written: example },
  };
  return { code: "wrong-type" as const, path: [...path], args };
}

/** Finds codes and paths of languages that are wrong, or that two languages share. */
function findLocaleMistakes({ source, root }: ParsedJson, site: Site): Finding[] {
  const mistakes: Finding[] = [];
  const taken = new Set<string>();
  const report = (path: string[], found: string, expected: string, example: string): void => {
    if (root === undefined) return;
    const { node: at } = nodeAt(root, path);
    const args = { field: fieldName(path), found, expected, example };
    mistakes.push(finding("bad-form", args, placeOf(source, at.start, at.end)));
  };
  if (site.locales !== undefined && Object.keys(site.locales).length === 0)
    report(["locales"], "{}", "at least one language", '{"en": "English"}');
  for (const [code, written] of Object.entries(site.locales ?? {})) {
    const path = ["locales", code];
    if (!LOCALE.test(code)) report(path, code, "the BCP 47 code of a language", "cy");
    if (typeof written !== "string" && written.path !== undefined && !LOCALE_PATH.test(written.path))
      report([...path, "path"], written.path, "a path that begins and ends in a slash", "/cy/");
  }
  for (const { code, path: at, folder } of mistakes.length > 0 ? [] : languagesOf(site)) {
    const isTaken = taken.has(at) || taken.has(`folder ${folder}`);
    taken.add(at).add(`folder ${folder}`);
    const written = site.locales?.[code];
    const path = typeof written === "string" ? ["locales", code] : ["locales", code, "path"];
    if (isTaken)
      report(path, at === "" ? "/" : at, "a path that no other language has", `/${code.toLowerCase()}/`);
  }
  return mistakes;
}

/** The only value that can be of several kinds. */
function wrongIndex({ index }: JsonObject, path: readonly PropertyKey[]) {
  const args = isObject(index)
    ? {
        found: describeValue(index),
        expected: `an object with “limit”, a number from 1 to ${thousands(MAX_LIMIT)}`,
        example: { written: '{"limit": 100}' },
      }
    : { found: describeValue(index), expected: "true or false" };
  return {
    code: "wrong-type" as const,
    path: path.slice(0, 1) as string[],
    args: { field: "index", ...args },
  };
}

/** Finds addresses in `_site.json` that end in a slash, a query or a fragment. */
function findTails({ source, root }: ParsedJson): Finding[] {
  return URL_PATHS.flatMap((path): Finding[] => {
    const { node, found: given } = root === undefined ? { node: root, found: false } : nodeAt(root, path);
    if (!given || node?.type !== "string" || !formats["site-url"].matches(node.value)) return [];
    const field = fieldName(path);
    const place = placeOf(source, node.start, node.end);
    if (node.value.endsWith("/")) return [finding("site-slash", { field, found: node.value }, place)];
    if (!/[?#]/.test(node.value)) return [];
    const { example } = formats["site-url"];
    const expected = "an address without a query (?) or a fragment (#)";
    return [finding("bad-form", { field, found: node.value, expected, example }, place)];
  });
}

export function findInHistory(all: AllPages, parsed: ParsedJson): Finding[] {
  const { history, findings } = checkHistoryFile(parsed);
  if (history === undefined) return findings;
  const placeIn: PlaceIn = (path) => placeAt(parsed, path);
  return [
    ...findings,
    ...findIds(all, history, placeIn),
    ...(all.site === undefined ? [] : findInAddresses(all, all.site, history, placeIn)),
  ];
}

type PlaceIn = (path: Path) => Place;

/** Finds retired ids that a page has, and moved ids that no file has. */
function findIds({ listing, ids, draftIds, read }: AllPages, history: History, placeIn: PlaceIn): Finding[] {
  const findings: Finding[] = [];
  const retired = new Map(history.retired.map((entry, k) => [entry.id, { ...entry, k }]));
  const lost = new Set(history.moved.map(({ id }) => id).filter((id) => !retired.has(id)));
  for (let file = 0; file < listing.count; file++) {
    const isDraft = listing.kind(file) === "draft";
    const id = (isDraft ? draftIds : ids)[file] ?? 0;
    lost.delete(id);
    const entry = retired.get(id);
    if (entry === undefined) continue;
    const at = placeIn(["retired", entry.k, "id"]);
    const args = {
      id,
      file: listing.path(file),
      address: entry.address,
      keptAt: `${HISTORY}, line ${at.line}`,
    };
    const found = finding("retired-id", args, placeAt(read(file), ["id"]), at);
    findings.push(isDraft ? { ...found, severity: "warning" } : found);
  }
  for (const [k, { id }] of history.moved.entries())
    if (lost.has(id)) findings.push(finding("unknown-moved-id", { id }, placeIn(["moved", k, "id"])));
  return findings;
}

function findInAddresses(all: AllPages, site: Site, history: History, placeIn: PlaceIn): Finding[] {
  const { listing, ids } = all;
  const pages = pathsOf(listing, site);
  const moved = new Set(history.moved.map(({ id }) => id));
  const addresses = new Map<number, string>();
  const addressAt = (path: string): string | undefined =>
    pages.has(path) ? addressAtPath(path, site) : undefined;
  if (moved.size > 0)
    for (const [path, file] of pages) {
      const id = ids[file] ?? 0;
      if (moved.has(id)) addresses.set(id, addressAtPath(path, site));
    }
  const published = { site, addressAt, addressOf: (id: number) => addresses.get(id) };
  return [
    ...findReturned(listing, pages, site, history, placeIn),
    ...findInDestinations(history, published, placeIn),
  ];
}

/** Finds old addresses that a page uses again. */
function findReturned(
  listing: SourceIndex,
  pages: ReadonlyMap<string, number>,
  site: Site,
  history: History,
  placeIn: PlaceIn,
): Finding[] {
  return (["retired", "moved"] as const).flatMap((list) =>
    history[list].flatMap(({ id, address }, k) => {
      const file = pages.get(sitePath(address, site) ?? address);
      if (file === undefined) return [];
      const page = listing.path(file);
      const retired = list === "retired" ? id : undefined;
      return [finding("former-address", { address, page, retired }, placeIn([list, k, "address"]))];
    }),
  );
}

/** Finds entries whose `to` leads into a loop, or to an address without a page. */
export function findInDestinations(history: History, published: PublishedPages, placeIn: PlaceIn): Finding[] {
  const { site } = published;
  const destinationOf = destinations(published, history);
  return history.retired.flatMap((entry, k) => {
    const { address, to } = entry;
    // An entry is not used if a page has its address again.
    if (to === null || published.addressAt(sitePath(address, site) ?? address) !== undefined) return [];
    const place = (): Place => placeIn(["retired", k, "to"]);
    const end = destinationOf(address);
    if (end.kind === "loop" && end.entries.has(entry))
      return [
        finding("redirect-loop", { address, through: circleFrom(address, end.through, site) }, place()),
      ];
    // At the end of a chain only the last entry is wrong, not those before it.
    return end.kind === "missing" && end.to === to ? [finding("dead-redirect", { to }, place())] : [];
  });
}

/** The published pages, as far as redirects depend on them. */
export interface PublishedPages {
  site: Site;
  /** By a path as `sitePath` gives it; undefined if no page has the path. */
  addressAt: (path: string) => string | undefined;
  /** Undefined if no published page has the id. */
  addressOf: (id: number) => string | undefined;
}

type RetiredEntry = History["retired"][number];

/** The destination of visitors of an old address. */
type Destination =
  | { kind: "address"; to: string }
  /** No address replaces the page. */
  | { kind: "gone" }
  /** The page that moved away is now a draft. */
  | { kind: "draft" }
  /** No page has the address, although its path is in `owned_paths`. */
  | { kind: "missing"; to: string }
  /** The addresses of a loop, and the entries that form it. */
  | { kind: "loop"; through: string[]; entries: ReadonlySet<RetiredEntry> };

interface RedirectStep {
  path: string;
  address: string;
  entry: RetiredEntry | undefined;
}

/**
 * Follows an address through any number of entries, up to a page. Of several entries for an address, one with
 * `to` comes first, then a page that moved away from it, then one without `to`.
 */
export function destinations(
  { site, addressAt, addressOf }: PublishedPages,
  { retired, moved }: History,
): (address: string) => Destination {
  const pathOf = (address: string): string => sitePath(address, site) ?? address;
  const retiredFrom = new Map(retired.map((entry) => [pathOf(entry.address), entry]));
  const retiredIds = new Map(retired.map((entry) => [entry.id, entry]));
  const movedFrom = new Map(moved.map(({ id, address }) => [pathOf(address), id]));
  const owned = isOwned(site);
  // Destinations by path, so that every path is followed only once.
  const known = new Map<string, Destination>();

  const next = (
    path: string,
  ): { to: string | null; entry?: RetiredEntry | undefined } | "draft" | undefined => {
    const here = retiredFrom.get(path);
    if (here?.to != null) return { to: here.to, entry: here };
    const id = movedFrom.get(path);
    if (id === undefined) return here && { to: null };
    const entry = retiredIds.get(id);
    const to = addressOf(id) ?? entry?.to;
    return to === undefined ? "draft" : { to, entry };
  };
  const end = (address: string, path: string | undefined): Destination => {
    const page = path === undefined ? undefined : addressAt(path);
    if (page !== undefined) return { kind: "address", to: /[?#]/.test(address) ? address : page };
    return { kind: path !== undefined && owned(path) ? "missing" : "address", to: address };
  };

  const follow = (from: string, steps: RedirectStep[]): Destination => {
    const seen = new Map<string, number>();
    for (let address = from; ;) {
      const path = sitePath(address, site);
      if (path === undefined || addressAt(path) !== undefined) return end(address, path);
      const before = known.get(path);
      if (before !== undefined) return before;
      const first = seen.get(path);
      if (first !== undefined) {
        const circle = steps.slice(first);
        const entries = new Set(circle.flatMap(({ entry }) => entry ?? []));
        return { kind: "loop", through: circle.map((step) => step.address), entries };
      }
      const step = next(path);
      if (step === undefined) return end(address, path);
      seen.set(path, steps.length);
      steps.push({ path, address, entry: step === "draft" ? undefined : step.entry });
      if (step === "draft") return { kind: "draft" };
      if (step.to === null) return { kind: "gone" };
      address = step.to;
    }
  };
  return (address) => {
    const steps: RedirectStep[] = [];
    const destination = follow(address, steps);
    for (const { path } of steps) known.set(path, destination);
    return destination;
  };
}

export interface Redirect {
  from: string;
  /** Absent if no address replaces the page. */
  to?: string;
}

/** The redirects of the old addresses, each directly to its final destination. Loops and missing pages are left out. */
export function redirectsIn(published: PublishedPages, history: History): Redirect[] {
  const destinationOf = destinations(published, history);
  const redirects = new Map<string, Redirect>();
  for (const { address } of [...history.retired, ...history.moved]) {
    const path = sitePath(address, published.site) ?? address;
    // A page uses the address again.
    if (published.addressAt(path) !== undefined) continue;
    const end = destinationOf(address);
    if (end.kind === "address") redirects.set(path, { from: address, to: end.to });
    else if (end.kind === "gone") redirects.set(path, { from: address });
  }
  return [...redirects.values()];
}

/** Maximum number of addresses of a loop that a message lists. */
const MAX_SHOWN = 10;

/** A loop as text. It begins and ends with `address`, an address in the loop or of an entry that forms it. */
export function circleFrom(address: string, through: readonly string[], site: Site): string {
  const path = sitePath(address, site);
  const start = through.findIndex((one) => sitePath(one, site) === path);
  const others = start === -1 ? through : [...through.slice(start + 1), ...through.slice(0, start)];
  const shown = others.length > MAX_SHOWN ? [...others.slice(0, MAX_SHOWN), "…"] : others;
  return [address, ...shown, address].join(" → ");
}

/** Without the host. */
export const addressAtPath = (path: string, site: Site): string =>
  path === "" ? new URL(homeAddress(site)).pathname : encodedSlug(path) + (site.append_slash ? "/" : "");
