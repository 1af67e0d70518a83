import { HOME } from "../browse/files.ts";
import type { DataFile } from "../browse/data-files.ts";
import { pageOfResponse } from "../browse/page-index.ts";
import type { PageTable } from "../manifest/page-table.ts";
import type { PageTypes } from "../page/page-types.ts";
import type { ReadPages } from "./read.ts";
import type { Showcase } from "./showcase.ts";

/** The data of the home view: how many pages each type has, the newest pages, and works with a picture. */
export function homeFile(
  pageTypes: PageTypes,
  { id: ids, type: typesOf }: PageTable,
  { newest, pictures }: Showcase,
  { responseOf }: ReadPages,
): DataFile {
  const shown = (row: number): unknown[] => {
    const response = responseOf(row);
    const { meta } = JSON.parse(response.toString("utf8")) as { meta: { first_published_at: string | null } };
    return [ids[row] ?? 0, meta.first_published_at, JSON.parse(pageOfResponse(response, pageTypes).row)];
  };
  const types = pageTypes.names.map(() => 0);
  for (let row = 0; row < ids.length; row++) {
    const type = (typesOf[row] ?? 0) - 1;
    if (ids[row] !== 0 && type !== -1) types[type] = (types[type] ?? 0) + 1;
  }
  const data = { types, newest: newest.map(shown), pictures: pictures.map(shown) };
  return [HOME, Buffer.from(`${JSON.stringify(data)}\n`)];
}
