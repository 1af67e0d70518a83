import { renamed, reversed, type FileChange, type Rename } from "../../change/change.ts";
import { historyOf, historyText } from "../../change/history.ts";
import { movedOwned, movedText, schemaIn } from "../../change/plan.ts";
import type { History } from "../../model/history.ts";
import type { PageModel } from "../../model/page.ts";
import type { Site } from "../../model/site.ts";
import { linkPath } from "../../model/tree.ts";
import { HISTORY, SITE } from "../../source/site-files.ts";

/** One operation of the editor: it is collected, and taken back, with all its files. */
export interface CollectedChange {
  /** The files, with their texts in the proposal before and after. */
  files: readonly FileChange[];
  /** The files of the pages that the editor chose to change, before and after. */
  pages: readonly string[];
  renames?: readonly Rename[];
  /** The old and new addresses on the website, without the host, of pages that get another; the chosen page first. */
  addresses?: readonly (readonly [before: string, after: string])[];
}

/** The effect of all changes: one for each file, also if it restores the former text. */
export function totals(collected: readonly CollectedChange[]): Map<string, FileChange> {
  const found = new Map<string, FileChange>();
  for (const { files } of collected)
    for (const change of files)
      found.set(change.file, { ...change, before: (found.get(change.file) ?? change).before });
  return found;
}

export const isEffective = ({ before, after }: FileChange): boolean => before !== after;

/** With a change of a single file, which continues from the last change of the file. */
export function withSaved(collected: readonly CollectedChange[], change: FileChange) {
  const { file } = change;
  const at = collected.findLastIndex(({ files }) => files.some((one) => one.file === file));
  const last = collected[at];
  const [only, ...others] = last?.files ?? [];
  if (only === undefined || others.length > 0)
    return isEffective(change) ? [...collected, { files: [change], pages: [file] }] : collected;
  const merged = { ...change, before: only.before };
  return isEffective(merged)
    ? collected.with(at, { files: [merged], pages: [file] })
    : collected.toSpliced(at, 1);
}

/** Without all changes of a file, so that the next one begins with its text in the repository. */
export const withoutFile = (collected: readonly CollectedChange[], file: string): CollectedChange[] =>
  collected.flatMap((change) => {
    const files = change.files.filter((one) => one.file !== file);
    return files.length === 0 ? [] : [{ ...change, files }];
  });

/** Without proposed changes; those that were collected in the meantime begin with the texts in the repository. */
export function withoutProposed(collected: readonly CollectedChange[], proposed: readonly CollectedChange[]) {
  const known = new Set(proposed.map((change) => JSON.stringify(change)));
  const left = collected.filter((change) => !known.has(JSON.stringify(change)));
  const first = totals(collected);
  const seen = new Set<string>();
  return left.map((change) => {
    const files = change.files.map((one) => {
      const { before } = (seen.has(one.file) ? one : first.get(one.file)) ?? one;
      seen.add(one.file);
      return Object.assign({}, one, { before });
    });
    return Object.assign({}, change, { files });
  });
}

interface TakenSite {
  model: PageModel;
  site: Site | undefined;
}

/**
 * Takes back the changes of the named pages, whole: with the links of other pages, the history and the settings. If there
 * are none, those that changed the named files.
 */
export function takenBack(collected: readonly CollectedChange[], named: readonly string[], site: TakenSite) {
  const isNamed = (files: readonly string[]): boolean => files.some((file) => named.includes(file));
  const own = collected.filter(({ pages }) => isNamed(pages));
  const taken =
    own.length > 0 ? own : collected.filter(({ files }) => isNamed(files.map(({ file }) => file)));
  return taken.reduceRight((left, change) => without(left, change, site), collected);
}

function without(
  collected: readonly CollectedChange[],
  change: CollectedChange,
  site: TakenSite,
): readonly CollectedChange[] {
  const at = collected.indexOf(change);
  if (at === -1) return collected;
  const dependent = collected.slice(at + 1).findLast((later) => dependsOn(later, change));
  // Each change is another object afterwards, so they are found again by their positions.
  if (dependent !== undefined) return without(without(collected, dependent, site), change, site);
  return [...collected.slice(0, at), ...collected.slice(at + 1).map((later) => rebased(later, change, site))];
}

/** Whether a change removes a file that another one made, makes one that it removed, or adds a page to a folder of it. */
function dependsOn(later: CollectedChange, { files, renames = [] }: CollectedChange): boolean {
  const made = new Set(
    files.flatMap(({ file, before, after }) => (before === null && after !== null ? [file] : [])),
  );
  const removed = new Set(files.flatMap(({ file, after }) => (after === null ? [file] : [])));
  const folders = [...made].flatMap((file) => {
    const folder = file.replace(/(?:^|\/)index\.json$/, "");
    return folder === file || renames.some(({ to }) => to === folder) ? [] : [`${folder}/`];
  });
  return later.files.some(
    ({ file, before, after }) =>
      (after === null && made.has(file)) ||
      (before === null && (removed.has(file) || folders.some((folder) => file.startsWith(folder)))),
  );
}

/** A later change, as if an earlier one had not been made. */
function rebased(later: CollectedChange, taken: CollectedChange, { model, site }: TakenSite) {
  const back = reversed(taken.renames ?? []);
  const changed = new Map(taken.files.map((one) => [one.file, one]));
  const addresses = new Map(taken.addresses?.map(([before, after]) => [linkPath(after), before]));
  const textBefore = (file: string, text: string | null): string | null => {
    if (text === null) return null;
    const own = changed.get(file);
    const former = changed.get(renamed(file, back)) ?? own;
    if (text === own?.after && former !== undefined) return former.before;
    if (file === HISTORY && own !== undefined) return historyBefore(text, own);
    if (site === undefined) return text;
    const [moved] = addresses;
    if (file === SITE && moved !== undefined) {
      const [settings] = movedOwned(text, [{ before: moved[0], after: linkPath(moved[1]) }], site).change;
      return settings?.after ?? text;
    }
    return movedText({ file, text }, back, addresses, { model, site, schemaOf: () => undefined }).text;
  };
  return {
    ...later,
    pages: later.pages.map((file) => renamed(file, back)),
    files: later.files.flatMap((one): FileChange[] => {
      const file = renamed(one.file, back);
      // A new page of the earlier change, with links that the later one has changed.
      if (changed.get(file)?.before === null && file !== HISTORY) return [];
      if (one.encoding !== undefined) return [{ ...one, file }];
      return [{ file, before: textBefore(one.file, one.before), after: textBefore(one.file, one.after) }];
    }),
  };
}

/** The history without the entries that a change has added, and with those that it has removed. */
function historyBefore(text: string, { before, after }: FileChange): string {
  const [was, is, now] = [before, after, text].map(historyOf) as [History, History, History];
  return historyText(schemaIn(text), {
    retired: restored(was.retired, is.retired, now.retired),
    moved: restored(was.moved, is.moved, now.moved),
  });
}

function restored<T>(before: readonly T[], after: readonly T[], now: readonly T[]): T[] {
  const [was, is] = [before, after].map((list) => new Set(list.map((one) => JSON.stringify(one))));
  const isIn = (known: ReadonlySet<string> | undefined, one: T) => known?.has(JSON.stringify(one)) === true;
  return [
    ...before.filter((one) => !isIn(is, one)),
    ...now.filter((one) => isIn(was, one) || !isIn(is, one)),
  ];
}
