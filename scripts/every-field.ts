import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isObject, type JsonObject } from "../build/source/json/object.ts";
import { programModel } from "../build/model/program-model.ts";
import type { PageType } from "../build/model/page-types.ts";
import { fullValue } from "../test/response/valid.ts";

/** A live page with every field that its type has: its own values, and an example for each empty field. */
export function withEveryField(page: JsonObject, type: PageType): JsonObject {
  const filled = filledWith(page, fullValue(programModel.of(type).source)) as JsonObject;
  const { meta } = filled;
  if (isObject(meta) && Object.hasOwn(meta, "expire_at")) meta["expire_at"] = "2999-12-31T00:00:00Z";
  return filled;
}

function filledWith(written: unknown, example: unknown): unknown {
  if (isObject(written) && isObject(example)) {
    const names = new Set([...Object.keys(example), ...Object.keys(written)]);
    return Object.fromEntries(Array.from(names, (name) => [name, filledWith(written[name], example[name])]));
  }
  if (Array.isArray(written) && Array.isArray(example) && written.length > 0)
    return written.map((element: unknown) => filledWith(element, example[0]));
  return written === undefined || written === "" || written === null || Array.isArray(written)
    ? example
    : written;
}

/** Fills every field of one page of each type in a content folder: the longest. @returns the ids of these pages */
export function fillEveryField(content: string): Map<PageType, number> {
  const longest = new Map<PageType, { file: string; page: JsonObject; length: number }>();
  for (const entry of readdirSync(content, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/^[^_.].*\.json$/.test(entry.name)) continue;
    const file = join(entry.parentPath, entry.name);
    const text = readFileSync(file, "utf8");
    const page = JSON.parse(text) as JsonObject;
    const type = isObject(page["meta"]) ? page["meta"]["type"] : undefined;
    if (programModel.has(type) && text.length > (longest.get(type)?.length ?? 0))
      longest.set(type, { file, page, length: text.length });
  }
  return new Map(
    Array.from(longest, ([type, { file, page }]) => {
      writeFileSync(file, `${JSON.stringify(withEveryField(page, type), undefined, 2)}\n`);
      return [type, Number(page["id"])];
    }),
  );
}
