import { lstatSync } from "node:fs";
import { join } from "node:path";
import { byPlace, isError, type Finding } from "../findings/finding.ts";
import { parseJson, type ParsedJson } from "../json/parse.ts";
import { listSources, type Found } from "../source/find.ts";
import { Reader } from "../source/read.ts";
import { findSlugClashes } from "../tree/tree.ts";
import type { Comparison } from "./comparison.ts";
import { changedChildren } from "./children.ts";
import {
  changedPaths,
  listTree,
  openRepository,
  readObjects,
  resolveBase,
  type Entry,
  type Repository,
} from "./git.ts";
import { foldersOf, type NameKind } from "./names.ts";
import { Pairing, type Pair } from "./pairing.ts";
import { Side } from "./side.ts";
import { compareSites } from "./site.ts";

export interface DiffOptions {
  content: string;
  /** A revision of git; where left out, the merge base with the main branch. */
  base?: string | undefined;
}

/**
 * Compares what the content folder publishes with what it did at a revision of git. Both sides are rendered in memory,
 * and of both only what changed is read.
 *
 * @throws Failure outside of a checkout of git, or where there is no such revision.
 */
export function diff({ content, base: revision }: DiffOptions): Comparison {
  const repository = openRepository(content);
  const base = resolveBase(repository, revision);
  const tree = listTree(repository, base.commit);
  const changed = sortedSources(changedPaths(repository, base.commit));
  const found = {
    before: listSources(
      foldersOf(Array.from(tree, ([path, { kind }]) => [path, kind === "file" ? "file" : linkOr(kind)])),
    ),
    after: listSources(foldersOf(namesOnDisk(content, tree, changed))),
  };
  const readBefore = new BaseReader(repository, content, tree, new Set(changed));
  const reader = new Reader();
  const readAfter = (file: string): ParsedJson => reader.read(content, file).parsed;

  const site = compareSites(
    found.before.hasSite ? readBefore.read("_site.json") : undefined,
    found.after.hasSite ? readAfter("_site.json") : undefined,
  );
  const before = new Side(found.before, site.before, (file) => readBefore.read(file));
  const after = new Side(found.after, site.after, readAfter);

  const pairing = new Pairing(site.former, before);
  for (const pair of pairs(readBefore, before, after, changed)) pairing.add(pair);
  const paired = pairing.result();
  const children = changedChildren(before, after, new Set(changed));
  const findings = [...newFindings(found), ...site.findings, ...paired.findings, ...children.findings];
  return {
    base,
    pages: after.countPages(),
    site: site.changes,
    ...paired,
    children: children.changed,
    findings: findings.sort(byPlace),
  };
}

const linkOr = (kind: Entry["kind"]): NameKind => (kind === "link" ? "link" : "other");

/** By code units, the same on every machine. */
const sortedSources = (paths: Set<string>): string[] =>
  [...paths].filter((path) => !path.endsWith("/")).sort();

/** What lies in the content folder: what lay there, but for the paths that may have changed. */
function* namesOnDisk(
  content: string,
  tree: Map<string, Entry>,
  changed: readonly string[],
): Generator<readonly [path: string, kind: NameKind]> {
  const looked = new Set(changed);
  for (const [path, { kind }] of tree)
    if (!looked.has(path)) yield [path, kind === "file" ? "file" : linkOr(kind)];
  for (const path of changed) {
    const stats = lstatSync(join(content, path), { throwIfNoEntry: false });
    if (stats?.isFile() === true) yield [path, "file"];
    else if (stats !== undefined && !stats.isDirectory())
      yield [path, stats.isSymbolicLink() ? "link" : "other"];
  }
}

/** Reads what the sources were: what did not change from the disk, the rest from git. */
class BaseReader {
  private readonly repository: Repository;
  private readonly content: string;
  private readonly tree: Map<string, Entry>;
  private readonly changed: ReadonlySet<string>;
  private readonly reader = new Reader();
  /** Of `_site.json` and of folders' pages, which other pages depend on. */
  private readonly kept = new Map<string, Buffer>();

  constructor(
    repository: Repository,
    content: string,
    tree: Map<string, Entry>,
    changed: ReadonlySet<string>,
  ) {
    this.repository = repository;
    this.content = content;
    this.tree = tree;
    this.changed = changed;
    const wanted = [...changed].filter((path) => path === "_site.json" || /(?:^|\/)index\.json$/.test(path));
    for (const [path, bytes] of this.contents(wanted)) this.kept.set(path, Buffer.from(bytes));
  }

  /** The former contents of those of the files that there were. */
  *contents(files: readonly string[]): Generator<[file: string, bytes: Buffer]> {
    const there = files.filter((path) => this.tree.get(path)?.kind === "file");
    const objects = readObjects(
      this.repository,
      there.map((path) => this.tree.get(path)?.object ?? ""),
    );
    for (const path of there) {
      const { value } = objects.next();
      if (value instanceof Buffer) yield [path, value];
    }
  }

  read(file: string): ParsedJson {
    const kept = this.kept.get(file);
    if (kept !== undefined) return parseJson(file, kept);
    if (!this.changed.has(file)) return this.reader.read(this.content, file).parsed;
    for (const [, bytes] of this.contents([file])) return parseJson(file, bytes);
    throw new RangeError(`${file} was not there`);
  }
}

function* pairs(base: BaseReader, before: Side, after: Side, changed: readonly string[]): Generator<Pair> {
  const contents = base.contents(changed.filter((file) => before.files.has(file)));
  for (const file of changed) {
    const wasThere = before.files.has(file);
    const isThere = after.files.has(file);
    if (!wasThere && !isThere) continue;
    const bytes = wasThere ? contents.next().value?.[1] : undefined;
    yield {
      file,
      ...(bytes instanceof Buffer ? { before: before.load(file, parseJson(file, bytes)) } : {}),
      ...(isThere ? { after: after.load(file) } : {}),
    };
  }
}

/** What is wrong with names and folders; warnings only where the change brought them. */
function newFindings({ before, after }: { before: Found; after: Found }): Finding[] {
  const old = new Set(nameFindings(before).map(keyOf));
  return nameFindings(after).filter((f) => isError(f) || !old.has(keyOf(f)));
}

const nameFindings = ({ findings, listing }: Found): Finding[] => [...findings, ...findSlugClashes(listing)];

const keyOf = ({ code, place }: Finding): string => `${code} ${place.file}`;
