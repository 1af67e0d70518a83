import { join } from "node:path";
import { hasStat, statAt, type FileStat } from "../../base/file.ts";
import type { Claims } from "../../check/claims.ts";
import type { Finding } from "../../findings/finding.ts";
import type { PublishedFiles } from "../manifest/manifest.ts";
import type { Layout } from "../output/layout.ts";
import { assertRemovable, hasOwnFiles, removeFiles, type OwnFiles } from "../output/own-files.ts";
import type { Publication } from "../output/publish.ts";
import type { ReadPages } from "../read.ts";
import type { Replacement } from "../replace.ts";
import type { Showcase } from "../showcase.ts";

/** What the parts of an output are staged from, after all pages have been read. */
export interface Staging {
  publication: Publication;
  pages: ReadPages;
  claims: Claims;
  replacement: Replacement;
  showcase: Showcase;
}

/** A part of the output beside its pages. */
export interface Part<State> {
  /** Whether nothing of it has to change, if no page does. */
  isUnchanged: () => boolean;
  /** Stages all changes before anything is renamed. @returns errors: then nothing is published. */
  stage: (staging: Staging) => Promise<Finding[]>;
  /** Removes obsolete files after the staged files are renamed. */
  commit: () => void;
  /** What the next build has to know, after all is published. */
  state: () => State;
}

/** Whether the files are unchanged since a build wrote them. */
export const areUntouched = ({ root }: Layout, { files }: PublishedFiles): boolean =>
  files.every(([path, before]) => hasStat(join(root, path), before));

/** Files of a part. Those of the manifest stay, unless they are removed or written again. */
export interface PartFiles {
  has: (path: string) => boolean;
  /** Stages a file, if its published bytes differ; without bytes, removes it. */
  put: (path: string, bytes: Uint8Array | undefined) => void;
  /** Takes a published file as one of the part. */
  keep: (path: string) => void;
}

interface WantedPart<State> extends Pick<Part<State>, "isUnchanged" | "state"> {
  /** The files of the manifest that may stay. */
  known: PublishedFiles | undefined;
  stage: (staging: Staging, files: PartFiles) => Promise<Finding[]>;
  /** Whether there may be other files of a build, which are then removed. */
  mayHaveOthers?: boolean;
  /** The paths of further files with names of the part. */
  further?: ReadonlyMap<string, unknown>;
}

/** A part that a site may leave out: then its files are removed. */
export function optionalPart<State>(
  layout: Layout,
  own: OwnFiles,
  wanted: WantedPart<State> | undefined,
): Part<(State & PublishedFiles) | undefined> {
  if (wanted === undefined)
    return {
      isUnchanged: () => !hasOwnFiles(layout, own),
      stage: async () => {
        assertRemovable(layout, own);
        return [];
      },
      commit: () => removeFiles(layout, own),
      state: () => undefined,
    };
  const { known, stage, isUnchanged, state, mayHaveOthers = true, further } = wanted;
  /** By path: the stat; undefined for those that may have another one now. */
  const stats = new Map<string, FileStat | undefined>(known?.files);
  const kept = { has: (path: string): boolean => stats.has(path) || further?.has(path) === true };
  const keep = (path: string): void => void stats.set(path, undefined);
  return {
    isUnchanged,
    stage: async (staging) => {
      const put = (path: string, bytes: Uint8Array | undefined): void => {
        if (bytes === undefined) stats.delete(path);
        else {
          staging.publication.stageChanged(new Map([[path, bytes]]));
          keep(path);
        }
      };
      const errors = await stage(staging, { has: (path) => stats.has(path), put, keep });
      if (mayHaveOthers) assertRemovable(layout, own, kept);
      return errors;
    },
    commit: () => {
      if (mayHaveOthers) removeFiles(layout, own, kept);
    },
    state: () => ({
      ...state(),
      files: Array.from(stats, ([path, stat]): PublishedFiles["files"][number] => [
        path,
        stat ?? statAt(join(layout.root, path)),
      ]).sort(([a], [b]) => (a < b ? -1 : 1)),
    }),
  };
}
