import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readBytes } from "../base/file.ts";
import { HOME } from "../browse/files.ts";
import { pageOfResponse } from "../browse/page-index.ts";
import type { PageTable } from "../manifest/page-table.ts";
import type { Layout } from "../output/layout.ts";
import { stageBrowseFiles } from "../output/stage.ts";
import { PAGE_TYPES } from "../page/types.ts";
import { responsePath } from "./replace.ts";

/** The data of the home view (`browse/home.json`): how many pages each type has, the newest pages, and works with a picture. */

/** Maximum pages in each list. */
const MAX_LISTED = 6;

/**
 * Stages the file, before anything is renamed.
 *
 * @param isFull whether all data files are staged; otherwise only those that change are.
 * @returns its path, or nothing
 */
export function stageHomeData(
  layout: Layout,
  table: PageTable,
  outcomes: Uint8Array,
  isFull: boolean,
): string[] {
  const { id: ids } = table;
  const shown = (page: number): unknown[] => {
    const id = ids[page] ?? 0;
    const response = readFileSync(responsePath(layout, id, outcomes[page] ?? 0));
    const { meta } = JSON.parse(response.toString("utf8")) as { meta: { first_published_at: string | null } };
    return [id, meta.first_published_at, JSON.parse(pageOfResponse(response).row)];
  };
  const types = PAGE_TYPES.map(() => 0);
  for (let page = 0; page < ids.length; page++) {
    const type = (table.type[page] ?? 0) - 1;
    if (ids[page] !== 0 && type !== -1) types[type] = (types[type] ?? 0) + 1;
  }
  const newest = latest(table, (page) => table.picture[page] === 0 && table.published[page] !== 0);
  const pictures = latest(table, (page) => table.picture[page] === 1);
  const data = { types, newest: newest.map(shown), pictures: pictures.map(shown) };
  const bytes = Buffer.from(`${JSON.stringify(data)}\n`);
  const isSame = !isFull && readBytes(join(layout.root, HOME))?.equals(bytes) === true;
  return isSame ? [] : stageBrowseFiles(layout, [[HOME, bytes]]);
}

/** The pages that were published last, of some; with the same date, those with the smaller ids. */
function latest(table: PageTable, isMeant: (page: number) => boolean): number[] {
  const { id: ids, published } = table;
  const found: number[] = [];
  const isBefore = (one: number, other: number): boolean => {
    const later = (published[one] ?? 0) - (published[other] ?? 0);
    return later === 0 ? (ids[one] ?? 0) < (ids[other] ?? 0) : later > 0;
  };
  for (let page = 0; page < ids.length; page++) {
    if (ids[page] === 0 || !isMeant(page)) continue;
    const last = found.at(-1);
    if (found.length === MAX_LISTED && last !== undefined && !isBefore(page, last)) continue;
    const at = found.findIndex((other) => isBefore(page, other));
    found.splice(at === -1 ? found.length : at, 0, page);
    if (found.length > MAX_LISTED) found.pop();
  }
  return found;
}
