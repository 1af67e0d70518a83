import { join } from "node:path";
import * as z from "zod/mini";
import { Failure } from "../../base/failure.ts";
import { readText } from "../../base/file.ts";
import { SYNC } from "../../source/site-files.ts";

const ownershipSchema = z.strictObject({
  label: z.optional(z.string()),
  /** The encoding of the last export. */
  encoding: z.optional(z.string()),
  /** The fields that belong to the collection system; those of `meta` begin with `meta.`. */
  fields: z.array(z.string()),
  /** The ids of retired pages by the keys of their records. */
  retired: z.optional(z.record(z.string(), z.number())),
});

/** The part of `_sync.json` about one name. */
export type Ownership = z.output<typeof ownershipSchema>;

const MAX_BYTES = 4 * 2 ** 20;

/** `_sync.json`, by name. @throws Failure if it was changed by hand, and cannot be read any more. */
export function ownershipsIn(content: string): Record<string, Ownership> {
  const text = readText(join(content, SYNC), MAX_BYTES);
  if (text === undefined) return {};
  try {
    return z.parse(z.record(z.string(), ownershipSchema), JSON.parse(text));
  } catch {
    throw new Failure(`${SYNC} cannot be read. The command writes it: restore it from git, or remove it.`);
  }
}
