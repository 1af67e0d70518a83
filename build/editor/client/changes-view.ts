import type { FileChange } from "../../change/change.ts";
import { grouped } from "../../base/grouped.ts";
import { drafts, draftsBelow } from "../../browse/drafts.js";
import { pageAt, positionsBelow } from "../../browse/data.js";
import { h, plural } from "../../browse/dom.js";
import { editHref } from "../../browse/editing.js";
import { withTitles, type TitleOf } from "../../browse/own-fields.js";
import { pageChanges, summaryOfChanges, type ShownChange, type ShownField } from "../changes.ts";
import { pageOf } from "../form/model.ts";
import { draftSection, isDraftFile } from "../../source/page-files.ts";
import { GitHubStore } from "../github/store.ts";
import { changesByOwner } from "../../model/ownership.ts";
import { folderAddress } from "../../model/tree.ts";
import { isLaidOut } from "../../source/json/edit.ts";
import { readSync, type EditorHost } from "./host.ts";
import { button, div, openDialog } from "./parts.ts";

/* Changes as people read them, wherever the editor shows them. */

/** The changes of pages. @param sections the folders of draft sections, as far as they are known. */
export const changesOf = (
  { pages, site, sync }: EditorHost,
  files: readonly FileChange[],
  sections: Iterable<string> = [],
  titleOf?: TitleOf,
): ShownChange[] =>
  pageChanges(files, { pages, site, sync, at: new Date().toISOString(), sections, titleOf });

export async function readChanges(host: EditorHost, files: readonly FileChange[]) {
  for (const { after } of files)
    if (host.sync === undefined) await readSync(host, after).catch(() => undefined);
  const sections = await sectionsAround(host, files);
  const changes = await withTitles((titleOf) => changesOf(host, files, sections, titleOf));
  const below = await Promise.all(changes.map((one) => countBelow(host, one, files).catch(() => 0)));
  return { changes, summary: summaryOfChanges(changes, below) };
}

/** The folders of the draft sections that the files are in. */
async function sectionsAround({ store, site }: EditorHost, files: readonly FileChange[]) {
  if (!(store instanceof GitHubStore))
    return [...drafts.values()].flatMap(({ file }) => draftSection(file) ?? []);
  const sections = new Set<string>();
  const known = new Set<string>();
  for (const { file } of files)
    for (let end = file.lastIndexOf("/"); end > 0; end = file.lastIndexOf("/", end - 1)) {
      const folder = file.slice(0, end);
      const address = site && folderAddress(folder, site);
      const page = address && (await pageAt(new URL(address).pathname).catch(() => undefined));
      // What is around a published page is published too.
      if (known.has(folder) || page !== undefined) break;
      known.add(folder);
      const text = await store.read(`${folder}/_index.json`).catch(() => null);
      if (text !== null) sections.add(`${folder}/`);
    }
  return sections;
}

/** The number of pages below a page that change with it, and have no changes of their own. */
async function countBelow(
  { store }: EditorHost,
  { file, id = 0, isOfParent, withSubpages }: ShownChange,
  changes: readonly FileChange[],
): Promise<number> {
  if (isOfParent) return (await positionsBelow(id)).length;
  if (withSubpages === undefined) return 0;
  if (store instanceof GitHubStore) {
    const below = await store.filesBelow(file.replace(/_?index\.json$/, "index.json"));
    const sections = below.flatMap((one) => (one === file ? [] : (draftSection(one) ?? [])));
    const changed = new Set(changes.map((one) => one.file));
    const isWith = (one: string): boolean =>
      !isDraftFile(one) && !changed.has(one) && !sections.some((folder) => one.startsWith(folder));
    return below.filter(isWith).length;
  }
  const changed = new Set(changes.map(({ before, after }) => pageOf(after ?? before)?.["id"]));
  const count = async (parent: number): Promise<number> => {
    const below =
      withSubpages === "published"
        ? (await positionsBelow(parent)).map((one) => one.id)
        : draftsBelow(parent).filter((one) => !isDraftFile(drafts.get(one)?.file ?? ""));
    const counts = await Promise.all(below.map(count));
    return counts.reduce((sum, one) => sum + one, below.filter((one) => !changed.has(one)).length);
  };
  return count(id);
}

/**
 * Pages that a collection system changed are a line for each system: a thousand lists would hide the rest.
 * @param choiceOf the control before a line, of these changes.
 */
export function changeViews(
  changes: readonly ShownChange[],
  buttonsOf: (change: ShownChange) => Node | undefined = () => undefined,
  choiceOf: (changes: readonly ShownChange[], name: string) => Node | undefined = () => undefined,
): HTMLElement[] {
  const owned = changes.flatMap((one) => (one.owned === undefined || one.errors > 0 ? [] : [one]));
  const systems = grouped(owned, ({ owned: one }) => one?.owner.name ?? "");
  return [
    ...Array.from(systems.values(), (all) => {
      const line = changesByOwner(all.flatMap(({ owned: one }) => one ?? [])).join();
      return h("li", { class: "change" }, div("change-head", choiceOf(all, line), line));
    }),
    ...changes
      .filter((one) => !owned.includes(one))
      .map((one) => changeView(one, choiceOf([one], one.title), buttonsOf(one))),
  ];
}

const changeView = (change: ShownChange, choice?: Node, ...more: (Node | undefined)[]): HTMLElement => {
  const { kind, file, files, id, title, errors, dates, fields } = change;
  const from = files.length > 1 ? files[0]?.file : undefined;
  return h(
    "li",
    { class: "change", "data-file": file },
    div(
      "change-head",
      choice,
      h(
        "strong",
        { dir: "auto" },
        id === undefined || kind === "removed" ? title : h("a", { href: editHref(id) }, title),
      ),
      h("span", { class: "aside" }, kind + (errors === 0 ? "" : `, ${plural(errors, "error")}`)),
      ...more,
    ),
    from !== undefined && h("p", { class: "aside" }, `${from} is now ${file}`),
    ...dates.map((text) => h("p", {}, `The page ${text}.`)),
    h("dl", { class: "change-fields" }, ...fields.map(fieldView)),
  );
};

const fieldView = ({ label, old, new: now }: ShownField): HTMLElement =>
  h(
    "div",
    {},
    h("dt", {}, label),
    old !== undefined && h("dd", { dir: "auto" }, h("del", {}, old || "(empty)")),
    now !== undefined && h("dd", { dir: "auto" }, h("ins", {}, now || "(empty)")),
  );

const LAID_OUT_ANEW =
  "The file has another layout than this program writes: saving lays out the whole file, so that more lines change than you edited. No other value changes.";

export async function review(host: EditorHost, change: FileChange, label: string, save: () => unknown) {
  const files = change.before === change.after ? [] : [change];
  const { changes, summary } = await readChanges(host, files);
  const onSave = (): void => {
    dialog.close();
    save();
  };
  const isEmpty = changes.length === 0;
  const isLaidOutAnew = !isEmpty && change.before !== null && !isLaidOut(change.before);
  const dialog = openDialog(
    "Review changes",
    "review",
    [
      h("h2", { tabindex: "-1", autofocus: true }, "Review changes"),
      h("p", {}, isEmpty ? "There are no changes." : summary),
      isLaidOutAnew && h("p", {}, LAID_OUT_ANEW),
      h("ul", { class: "changes", "aria-label": "Changes" }, ...changeViews(changes)),
    ],
    !isEmpty && button(label, onSave, { class: "primary" }),
    h("button", {}, "Close"),
  );
}
