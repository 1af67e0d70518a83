import { API } from "../base/api.ts";
import { Failure } from "../base/failure.ts";
import { decoded, type HttpRequest, type Reply } from "../http/reply.ts";
import type { PageTypes } from "../page/page-types.ts";

interface ListResponse {
  total: number;
  items: { id?: unknown; meta?: { type?: unknown } | null }[];
}

/**
 * The ids of all pages with a type of the API contract, from an API's list endpoint; none if it has no list endpoint.
 * Requests have no `limit`, so the host decides how many pages a response lists.
 */
export async function listedIds(
  types: PageTypes,
  ask: (question: HttpRequest) => Promise<Reply>,
): Promise<number[]> {
  const ids: number[] = [];
  for (let offset = 0; ;) {
    const part = partOf(await ask({ path: `${API}?offset=${offset}` }));
    if (part === undefined && offset > 0)
      throw new Failure(`The old API's list ended early, after ${offset} pages. Run the command again.`);
    if (part === undefined) return [];
    for (const item of part.items)
      if (Number.isSafeInteger(item?.id) && types.has(item.meta?.type)) ids.push(item.id as number);
    offset += part.items.length;
    if (part.items.length === 0 || offset >= part.total) return ids;
  }
}

function partOf(reply: Reply): ListResponse | undefined {
  if (reply.kind !== "response" || reply.status !== 200) return undefined;
  const body = decoded(reply);
  if (typeof body === "string") return undefined;
  try {
    const { meta, items } = JSON.parse(body.toString()) as {
      meta?: { total_count?: unknown };
      items?: unknown;
    };
    const total = meta?.total_count;
    return typeof total === "number" && Array.isArray(items)
      ? { total, items: items as ListResponse["items"] }
      : undefined;
  } catch {
    return undefined;
  }
}
