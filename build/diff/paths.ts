import type { Finding, Place } from "../findings/finding.ts";
import type { ChangedChildren, Comparison, MovedPage, RemovedPage, RemovedId } from "./comparison.ts";

/** A comparison with other names for its files, for example relative to the current folder. */
export function withPaths(comparison: Comparison, path: (file: string) => string): Comparison {
  const at = <T extends { file: string }>(named: T): T => ({ ...named, file: path(named.file) });
  const removedAt = (page: RemovedPage): RemovedPage =>
    page.draft === undefined ? at(page) : { ...at(page), draft: path(page.draft) };
  const movedAt = (page: MovedPage): MovedPage => ({ ...at(page), from: at(page.from) });
  const belowAt = (below: ChangedChildren): ChangedChildren => ({
    ...below,
    parent: at(below.parent),
    pages: below.pages.map(at),
  });
  const vanishedAt = ({ was, replacedBy }: RemovedId): RemovedId => ({
    was: at(was),
    ...(replacedBy === undefined ? {} : { replacedBy: at(replacedBy) }),
  });
  const findingAt = (f: Finding): Finding => ({
    ...f,
    place: at<Place>(f.place),
    ...(f.other === undefined ? {} : { other: at<Place>(f.other) }),
  });
  const { added, removed, changed, moved, children, ids, images, broken, findings } = comparison;
  return {
    ...comparison,
    added: added.map(at),
    removed: removed.map(removedAt),
    unaffectedFiles: comparison.unaffectedFiles.map(at),
    submodules: comparison.submodules.map(at),
    changed: changed.map(at),
    dates: comparison.dates.map((one) => ({ ...at(one), subpages: one.subpages.map(at) })),
    moved: moved.map(movedAt),
    children: children.map(belowAt),
    ids: {
      vanished: ids.vanished.map(vanishedAt),
      reused: ids.reused.map(({ id, was, is }) => ({ id, was: at(was), is: at(is) })),
    },
    images: {
      added: images.added.map(at),
      changed: images.changed.map(at),
      removed: images.removed.map(at),
    },
    broken: broken.map(at),
    findings: findings.map(findingAt),
  };
}
