import { imagePaths, record } from "../../browse/client/data.js";
import type { GitHubRepository, Site } from "../../page/site.ts";
import { drawnId } from "../form/model.ts";
import { GitHubStore } from "../github/store.ts";
import type { EditorHost } from "./host.ts";
import { published, publishedThings } from "./published.ts";
import { KeptChanges, keptToken } from "./kept.ts";
import type { PageModel } from "../../page/page.ts";

/** The event that the document gets when another tab has changed the proposal. */
export const PROPOSAL_CHANGED = "proposal-changed";

/** The editor's host for a published site. Collected changes survive a reload and a crash. */
export function githubHost(pages: PageModel, site: Site, repository: GitHubRepository): EditorHost {
  const collection = new KeptChanges(site.site_url, () =>
    document.dispatchEvent(new Event(PROPOSAL_CHANGED)),
  );
  const store = new GitHubStore({ repository, token: keptToken(), published, collection });
  let unpublished: readonly string[] = [];
  const images = async (): Promise<string[]> => [...new Set([...(await imagePaths()), ...unpublished])];
  return {
    pages,
    store,
    site,
    things: (kind, words) => publishedThings(pages.entities, kind, words),
    images,
    latestImages: async () => {
      unpublished = await store.images();
      return images();
    },
    newId: freeId,
    keepsChanges: () => collection.isKept,
  };
}

/** Maximum number of attempts to draw a free id: with 100,000 pages, about one attempt in 1,000 draws a used id. */
const MAX_DRAWN = 5;

/** An id that no published page has. If a draft has it, the check of the pull request reports that. */
async function freeId(): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    const id = drawnId(Math.random);
    if (attempt === MAX_DRAWN || (await record(id)) === undefined) return id;
  }
}
