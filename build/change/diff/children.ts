import { grouped } from "../../base/grouped.ts";
import { isError, type Finding } from "../../findings/finding.ts";
import type { ParentSummary } from "../../model/page.ts";
import type { ChangedOrder } from "./comparison.ts";
import { fieldChanges, type FieldChange } from "../../source/json/changes.ts";
import type { PageName, Snapshot } from "./snapshot.ts";

interface ChangedParent {
  parent: PageName;
  fields: FieldChange[];
  hasOtherType: boolean;
}

/** The pages whose sources do not change, but whose responses contain a changed summary of their parent. */
export function changedChildren(before: Snapshot, after: Snapshot, changed: ReadonlySet<string>) {
  const parents = changedParents(before, after, changed);
  const children: { folder: number; child: PageName }[] = [];
  const findings: Finding[] = [];
  if (parents.size > 0) {
    for (const [file, i] of after.files) {
      const folder = after.listing.parentOf(i);
      const parent = parents.get(folder);
      if (parent === undefined || changed.has(file) || after.listing.kind(i) === "draft") continue;
      if (parent.hasOtherType) {
        // The parent's new type may not allow this subpage. Its warnings are not due to this change.
        const errors = after.load(file).findings.filter(isError);
        findings.push(...errors);
        if (errors.length > 0) continue;
      }
      const child = after.isShown(i) ? after.name(file) : undefined;
      if (child !== undefined) children.push({ folder, child });
    }
  }
  const families = grouped(children, ({ folder }) => folder);
  return {
    changed: [...parents].flatMap(([folder, { parent, fields }]) => {
      const pages = families.get(folder)?.map(({ child }) => child);
      return pages === undefined ? [] : [{ parent, fields, pages }];
    }),
    findings,
  };
}

/** By folder, in the order of the listing. */
function changedParents(
  before: Snapshot,
  after: Snapshot,
  changed: ReadonlySet<string>,
): Map<number, ChangedParent> {
  const folders = new Map(before.listing.folders.map(({ path }, f) => [path, f]));
  const parents = new Map<number, ChangedParent>();
  for (const [f, { path, index }] of after.listing.folders.entries()) {
    const old = folders.get(path);
    if (index === -1 || old === undefined) continue;
    const file = after.listing.path(index);
    if (!changed.has(file)) continue;
    const was = before.folderPage(old)?.summary;
    const is = after.folderPage(f)?.summary;
    if (was === undefined || is === undefined) continue;
    const fields = fieldChanges(was, is, "meta.parent");
    if (fields.length > 0)
      parents.set(f, { parent: nameOf(is, file), fields, hasOtherType: was.meta.type !== is.meta.type });
  }
  return parents;
}

/** The pages with another order, by their parents. */
export function changedOrders(after: Snapshot, reordered: readonly PageName[]): ChangedOrder[] {
  const { files, listing } = after;
  const families = grouped(reordered, ({ file }) => listing.folders[listing.parentOf(files.get(file) ?? 0)]);
  return Array.from(families).flatMap(([folder, pages]) => {
    const parent = folder && after.name(listing.path(folder.index));
    return parent === undefined ? [] : [{ parent, pages }];
  });
}

const nameOf = ({ id, meta, title }: ParentSummary, file: string): PageName => ({
  id,
  type: meta.type,
  title,
  address: meta.html_url,
  file,
});
