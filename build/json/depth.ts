import { MAX_DEPTH } from "./parse.ts";

/** Whether a value is nested deeper than a source may be; recursive functions stop at such a value. */
export function isTooDeep(value: unknown, levels = MAX_DEPTH): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  const items: unknown[] = Array.isArray(value) ? value : Object.values(value);
  return items.some((item) => isTooDeep(item, levels - 1));
}
