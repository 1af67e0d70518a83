// The small variant of zod, because a Worker contains this module.
import * as z from "zod/mini";
import { jsonIn } from "../../source/json/object.ts";
import type { BulkIndex, Named } from "./format.ts";

export const countSchema = z.int().check(z.nonnegative());
export const namedSchema = z.readonly(z.tuple([z.string().check(z.regex(/^[\da-f]{64}$/)), countSchema]));
export const shardsSchema: z.ZodMiniType<(Named | null)[]> = z
  .array(z.nullable(namedSchema))
  .check(z.minLength(1));

const index: z.ZodMiniType<BulkIndex> = z.object({
  format: z.literal(1),
  pages: countSchema,
  shards: shardsSchema,
});
const newer = z.object({ format: z.int().check(z.gt(1)) });

/** The index of a bulk download, or a text that explains why the bytes are not one. */
export function parseIndex(bytes: Uint8Array): BulkIndex | string {
  const value = jsonIn(Buffer.from(bytes).toString());
  if (value === undefined) return "it is not JSON";
  const { success, data, error } = index.safeParse(value);
  if (success) return data;
  if (newer.safeParse(value).success) return "it has a newer format. Update this program";
  const at = error.issues[0]?.path.map(String).join("/") ?? "";
  return `it has an unexpected value${at === "" ? "" : ` at ${at}`}`;
}
