import { pathOf } from "../../base/api.ts";
import { record, response } from "../../browse/client/data.js";
import type { Placement } from "../../page/derive.ts";
import type { PageResponse } from "../../page/page.ts";
import type { Site } from "../../page/site.ts";
import type { PlaceView } from "./place.ts";

/** The values derived from a page's position, from its response; undefined if there is no response yet. */
export async function publishedPlacement(id: number): Promise<Placement | undefined> {
  // A page that was just saved is not published yet.
  if ((await record(id).catch(() => undefined)) === undefined) return undefined;
  const answer = await response(id).catch(() => undefined);
  if (answer === undefined) return undefined;
  const { meta } = JSON.parse(answer.text) as PageResponse;
  return { response: meta.detail_url, address: meta.html_url, slug: meta.slug, parent: meta.parent };
}

/** The values derived from a new page's position. */
export const newPlacement = (place: PlaceView, id: unknown, site: Site | undefined): Placement => ({
  response: typeof id === "number" ? (site?.base_url ?? "") + pathOf(id) : "",
  address: place.address,
  slug: place.state.slug,
  parent: { id: place.state.parent },
});
