import { imagePaths, record, site as publishedSite } from "../../browse/client/data.js";
import type { GitHubRepository, Site } from "../../page/site.ts";
import { FolderStore, TOKEN_META } from "../folder-store.ts";
import { drawnId } from "../form/model.ts";
import type { Thing } from "../form/things.ts";
import { GitHubStore } from "../github/store.ts";
import type { PageModel } from "../../page/page.ts";
import type { Store } from "../store.ts";
import { KeptChanges, keptToken } from "./kept.ts";
import { published, publishedThings } from "./published.ts";

/** A store, and everything else that the form needs from its environment. */
export interface EditorHost {
  pages: PageModel;
  store: Store;
  /** `_site.json`, with the images once they are loaded; undefined if it cannot be read or has errors. */
  site: Site | undefined;
  things: (kind: string, words: string) => Promise<readonly Thing[]>;
  /** The paths of the images in `_media/`, relative to it. */
  images: () => Promise<readonly string[]>;
  /** The same, with images that are newer than the quickest list. */
  latestImages: () => Promise<readonly string[]>;
  /** The store, if it can move, retire, publish and withdraw whole pages. */
  actions?: FolderStore;
  /** Whether the browser keeps the collected changes; if not, they are lost when the page is closed. */
  keepsChanges?: () => boolean;
  newId: () => Promise<number>;
}

/** The host of a published site, shared by all forms: it contains the token and the collected changes. */
let github: EditorHost | undefined;

/** The editor's host in this preview or published site; undefined if pages cannot be edited here. */
export async function activeHost(pages: PageModel): Promise<EditorHost | undefined> {
  const token = document.querySelector(`meta[name="${TOKEN_META}"]`)?.getAttribute("content") ?? undefined;
  if (token !== undefined) return folderHost(pages, new FolderStore({ token }));
  const { editing } = await publishedSite();
  if (editing?.repository === undefined) return undefined;
  return (github ??= githubHost(pages, editing, editing.repository));
}

const folderHost = async (pages: PageModel, store: FolderStore): Promise<EditorHost> => ({
  pages,
  store,
  site: await store.site(),
  things: (kind, words) => store.things(kind, words),
  images: () => store.images(),
  latestImages: () => store.images(),
  newId: () => store.newId(),
  actions: store,
});

/** The event that the document gets when another tab has changed the proposal. */
export const PROPOSAL_CHANGED = "proposal-changed";

/** The editor's host for a published site. Collected changes survive a reload and a crash. */
function githubHost(pages: PageModel, site: Site, repository: GitHubRepository): EditorHost {
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
