import { byPlace, compare, finding, type Finding } from "../../findings/finding.ts";
import type { Site } from "../../model/site.ts";
import type {
  AddedPage,
  ChangedPage,
  Comparison,
  RemovedAddress,
  MovedPage,
  RemovedPage,
} from "./comparison.ts";
import { fieldChanges, type FieldChange } from "../../source/json/changes.ts";
import type { NotLive, Loaded, PageName, Snapshot } from "./snapshot.ts";
import { SourceMissing } from "../../source/read.ts";

/** A file that may have changed, before and after the change; a state is missing if there was no file. */
export interface Pair {
  file: string;
  before?: Loaded;
  after?: Loaded;
  /** Whether the bytes of the file are the same: it was only touched. */
  isSame?: boolean;
}

type LoadedPage = Loaded & { kind: "page" };

type PageStatus = Pick<WaitingPage, "name" | "notLive" | "position">;

/** A page that waits for the page with the same id. There may be as many of them as pages. */
interface WaitingPage {
  name: PageName;
  notLive: NotLive | undefined;
  position: number;
  /** The differences from the page that it was compared with. */
  compared: { file: string; fields: FieldChange[] } | undefined;
}

/**
 * Pairs the pages before and after the change: the same id is the same page, in any file.
 *
 * @param former the settings of the site before the change, for its old addresses; undefined if they are the same.
 */
export function openPairing(former: Site | undefined, snapshotBefore: Snapshot, snapshotAfter: Snapshot) {
  /** Pages that are not in the same file before and after the change. */
  const waitingBefore = new Map<number, WaitingPage>();
  const waitingAfter = new Map<number, WaitingPage>();
  /** The current file of each id. */
  const holders = new Map<number, string>();
  /** Ids of pages that may still exist, in files that cannot be read. */
  const uncertain = new Set<number>();
  /** By id, pages that are left out before, or after the change, because they are not live. */
  const hiddenBefore = new Set<number>();
  const hiddenAfter = new Map<number, NotLive>();
  const added: AddedPage[] = [];
  const removed: RemovedPage[] = [];
  const changed: ChangedPage[] = [];
  /** The pages with another `meta.order` below the same parent. */
  const reordered: PageName[] = [];
  const broken: Comparison["broken"] = [];
  const findings: Finding[] = [];
  const touched = new Set<string>();
  const unaffectedFiles: Comparison["unaffectedFiles"] = [];

  function add({ file, before, after, isSame }: Pair): void {
    if (isSame === true) touched.add(file);
    for (const f of after?.findings ?? []) findings.push(f);
    if (after?.kind === "page") addId(after);
    if (before?.kind === "hidden") hiddenBefore.add(before.id);
    if (after?.kind === "hidden") hiddenAfter.set(after.id, after.notLive);
    if (after?.kind === "broken") {
      const { id, belowBroken } = after;
      broken.push({ file, ...(id === undefined ? {} : { id }), belowBroken });
      const known = id ?? (before?.kind === "page" ? before.name.id : undefined);
      if (known !== undefined) uncertain.add(known);
    }
    if (before?.kind === "page" && after?.kind === "page" && before.name.id === after.name.id) {
      addStatusChange(before, after);
      addChanged(before, after, responseChanges(before.response, after.response));
      return;
    }
    if (before?.kind === "page") put(waitingBefore, before);
    if (after?.kind === "page") put(waitingAfter, after);
    if (before?.kind !== "page" && (after === undefined || isUnpublished(after))) hasNoEffect(file);
  }

  function hasNoEffect(file: string): void {
    if (!touched.has(file)) unaffectedFiles.push({ file });
  }

  /** The files seem to be the same page. They are compared at once, so that no response has to be kept. */
  function addMoved(before: Pair, after: Pair): void {
    add(before);
    add(after);
    const [was, is] = [before.before, after.after];
    if (was?.kind !== "page" || is?.kind !== "page") return;
    if (was.name.id !== is.name.id) return;
    const fields = responseChanges(was.response, is.response);
    put(waitingBefore, was, { file: is.name.file, fields });
  }

  /** Of two pages with the same id, keeps the later path, so that the order of reading does not matter. */
  function put(
    pages: Map<number, WaitingPage>,
    { name, notLive, position }: LoadedPage,
    compared?: WaitingPage["compared"],
  ): void {
    const other = pages.get(name.id)?.name.file;
    if (other !== undefined && other > name.file) return;
    pages.set(name.id, { name, notLive, position, compared });
  }

  function addId({ name: { id, file } }: LoadedPage): void {
    const other = holders.get(id);
    if (other === undefined) {
      holders.set(id, file);
      return;
    }
    const [place, otherPlace] = [snapshotAfter.placeOfId(file), snapshotAfter.placeOfId(other)];
    findings.push(finding("id-clash", { id, file, other }, place, otherPlace));
    findings.push(finding("id-clash", { id, file: other, other: file }, otherPlace, place));
  }

  /** Adds a page to the removed or to the added pages, if the change makes it live, or not live. */
  function addStatusChange(before: PageStatus, after: PageStatus): void {
    if (before.notLive === undefined && after.notLive !== undefined)
      removed.push({ ...before.name, address: formerAddress(before.name), ...after.notLive });
    if (before.notLive !== undefined && after.notLive === undefined)
      added.push({ ...after.name, wasNotLive: true });
  }

  function addChanged(before: PageStatus, after: PageStatus, fields: FieldChange[]): void {
    const { name } = after;
    const isReordered = before.position !== after.position;
    if (isReordered) reordered.push(name);
    if (fields.length > 0) changed.push({ ...name, fields });
    else if (!isReordered) hasNoEffect(name.file);
  }

  /** @param dated files with effects at other instants. */
  function result(dated: ReadonlySet<string>) {
    const moved: MovedPage[] = [];
    const ids: Comparison["ids"] = { vanished: [], reused: [] };
    const addresses: RemovedAddress[] = [];
    const replacements = new Map(Array.from(waitingAfter.values(), ({ name }) => [name.address, name]));

    for (const [id, before] of [...waitingBefore].sort(([, a], [, b]) => byFile(a.name, b.name))) {
      const was = before.name;
      const after = waitingAfter.get(id);
      if (after === undefined && uncertain.has(id)) continue;
      const is = after?.name;
      const address = formerAddress(was);
      const successor = replacements.get(was.address);
      const hidden = hiddenAfter.get(id);
      if (after === undefined && hidden !== undefined) {
        removed.push({ ...was, address, ...hidden });
        continue;
      }
      if (after === undefined || is === undefined) {
        const draft = draftOf(was.file);
        removed.push({ ...was, address, ...(draft === undefined ? {} : { draft }) });
        ids.vanished.push({
          was: { ...was, address },
          ...(successor === undefined ? {} : { replacedBy: successor }),
        });
      } else if (is.address === was.address) {
        addStatusChange(before, after);
        addChanged(before, after, changesOfWaiting(before, after));
      } else {
        const fields = changesOfWaiting(before, after);
        if (isAnotherPage(was, is, fields, successor)) {
          removed.push({ ...was, address });
          added.push({ ...is, ...after.notLive });
          ids.reused.push({ id, was: { ...was, address }, is });
        } else {
          addStatusChange(before, after);
          moved.push({ ...is, fields, from: { address, file: was.file }, isAlong: false });
        }
      }
      const isReused = ids.reused.at(-1)?.id === id;
      if (successor === undefined)
        addresses.push({ address, id, ...(is === undefined || isReused ? {} : { now: is.address }) });
    }
    for (const [id, { name, notLive }] of waitingAfter)
      if (!waitingBefore.has(id))
        added.push({ ...name, ...notLive, ...(hiddenBefore.has(id) ? { wasNotLive: true } : {}) });
    const drafts = new Set([...removed.map(({ draft }) => draft), ...added.map(({ file }) => asDraft(file))]);
    const idle = unaffectedFiles.filter(({ file }) => !drafts.has(file) && !dated.has(file));
    return {
      added: added.sort(byAddress),
      removed: removed.sort(byAddress),
      changed: changed.sort(byAddress),
      reordered: reordered.sort(byAddress),
      moved: markAlong(moved.sort(byAddress)),
      ids,
      addresses: addresses.sort(byAddress),
      broken: broken.sort(byFile),
      withoutEffect: idle.length,
      unaffectedFiles: idle.slice(0, MAX_UNAFFECTED_FILES),
      findings: findings.sort(byPlace),
    };
  }

  /** The draft that replaces a page: its file or its section got the name of a draft. */
  function draftOf(file: string): string | undefined {
    const { files, listing } = snapshotAfter;
    return [asDraft(file), file].find((one) => {
      const i = files.get(one);
      return i !== undefined && listing.kind(i) === "draft";
    });
  }

  function changesOfWaiting(before: WaitingPage, after: WaitingPage): FieldChange[] {
    if (before.compared?.file === after.name.file) return before.compared.fields;
    return responseChanges(responseOf(snapshotBefore, before), responseOf(snapshotAfter, after));
  }

  function formerAddress({ file, address }: PageName): string {
    const i = former && snapshotBefore.files.get(file);
    return former === undefined || i === undefined ? address : snapshotBefore.addressOn(former, i);
  }

  return { add, addMoved, result };
}

const isUnpublished = ({ kind }: Loaded): boolean => kind === "unpublished" || kind === "hidden";

/** Maximum number of files without effect that are listed. */
const MAX_UNAFFECTED_FILES = 10;

const asDraft = (file: string): string => file.replace(/[^/]+$/, (name) => `_${name}`);

/** A page comes before its subpages. */
export const byAddress = (a: { address: string }, b: { address: string }): number =>
  compare(a.address, b.address);

/** Reads the page again: few pages wait for another that is not compared at once, and no response is kept. */
function responseOf(snapshot: Snapshot, { name }: WaitingPage): Buffer {
  const loaded = snapshot.load(name.file);
  if (loaded.kind !== "page") throw new SourceMissing(name.file);
  return loaded.response;
}

const responseChanges = (before: Buffer, after: Buffer): FieldChange[] =>
  before.equals(after) ? [] : fieldChanges(valueOf(before), valueOf(after));

const valueOf = (response: Buffer): unknown => JSON.parse(response.toString("utf8"));

const byFile = (a: { file: string }, b: { file: string }): number => compare(a.file, b.file);

const changes = (fields: FieldChange[], name: string): boolean => fields.some(({ field }) => field === name);

/** Whether an id with a new address seems to belong to another page, rather than to a page that moved. */
function isAnotherPage(
  was: PageName,
  is: PageName,
  fields: FieldChange[],
  successor: PageName | undefined,
): boolean {
  if (was.title === is.title) return false;
  const hasOtherPlace = changes(fields, "meta.slug") && changes(fields, "meta.parent.id");
  return was.type !== is.type || hasOtherPlace || successor !== undefined;
}

/** Fields that change because the parent moved or changed. */
const FOLLOWS = /^(?:url|meta\.html_url|meta\.parent\.(?:title|meta\..+))$/;

function markAlong(moved: MovedPage[]): MovedPage[] {
  const addresses = new Set(moved.map(({ address }) => address));
  for (const page of moved)
    page.isAlong =
      addresses.has(addressAbove(page.address)) && page.fields.every(({ field }) => FOLLOWS.test(field));
  return moved;
}

const addressAbove = (address: string): string => address.replace(/\/[^/]*(\/?)$/, "$1");
