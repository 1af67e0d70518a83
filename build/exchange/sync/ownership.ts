import { existsSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../../base/failure.ts";
import { checkSync } from "../../check/config.ts";
import { SourceReader } from "../../source/read.ts";
import { SYNC } from "../../source/site-files.ts";

/** The part of `_sync.json` about one name. */
export interface Ownership {
  label?: string;
  /** The encoding of the last export. */
  encoding?: string;
  /** The fields that belong to the collection system; those of `meta` begin with `meta.`. */
  fields: string[];
  /** The ids of retired pages by the keys of their records. */
  retired?: Record<string, number>;
}

/** `_sync.json`, by name. @throws Failure if it was changed by hand, and has mistakes. */
export function ownershipsIn(content: string): Record<string, Ownership> {
  if (!existsSync(join(content, SYNC))) return {};
  const { bytes, parsed } = new SourceReader().read(content, SYNC);
  if (checkSync(parsed()).length > 0)
    throw new Failure(
      `${SYNC} has mistakes (npx page-api check). The command writes it: restore it from git, or remove it.`,
    );
  return JSON.parse(bytes?.toString() ?? "") as Record<string, Ownership>;
}
