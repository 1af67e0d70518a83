import { memoized } from "../../base/memoized.ts";
import { imagePaths, site as publishedSite } from "../../browse/data.js";
import type { GitHubRepository, Site } from "../../model/site.ts";
import { FolderStore, TOKEN_META } from "../folder-store.ts";
import type { Thing } from "../form/things.ts";
import { GitHubStore, type ChangeCollection } from "../github/store.ts";
import { isObject, objectIn, type JsonObject } from "../../source/json/object.ts";
import type { CollectedChange } from "../github/collection.ts";
import { declaredModel } from "../../model/declared.ts";
import { TYPES } from "../../source/site-files.ts";
import { imagePath } from "../../source/image-kinds.ts";
import { ownImagesOf } from "../../model/media.ts";
import { modelLanguagesOf } from "../../model/languages.ts";
import type { ModelLanguages, PageModel } from "../../model/page.ts";
import { programModel } from "../../model/program-model.ts";
import { drawnId } from "../../source/ids.ts";
import { StoreFailure, type Store } from "../store.ts";
import { published, publishedThings } from "./published.ts";

export interface EditorHost {
  /** The page types of the site, as the text of `_types.json` that was last read declares them. */
  pages: PageModel;
  types: string | null;
  /** `_sync.json`, once a page that follows a record was opened. */
  sync?: JsonObject | undefined;
  store: Store;
  /** `_site.json`, with the images once they are loaded; undefined if it cannot be read or has errors. */
  site: Site | undefined;
  things: (kind: string, words: string) => Promise<readonly Thing[]>;
  images: () => Promise<readonly string[]>;
  /** The same, with images that are newer than the quickest list. */
  latestImages: () => Promise<readonly string[]>;
  folder?: FolderStore;
  /** Whether the browser keeps the collected changes; if not, they are lost when the page is closed. */
  keepsChanges?: () => boolean;
  newId: () => Promise<number>;
}

/** The host of a published site, shared by all forms: it contains the token and the collected changes. */
let github: EditorHost | undefined;

/** The editor's host in this preview or published site; undefined if pages cannot be edited here. */
export async function activeHost(): Promise<EditorHost | undefined> {
  const token = document.querySelector(`meta[name="${TOKEN_META}"]`)?.getAttribute("content") ?? undefined;
  if (token !== undefined) return folderHost(new FolderStore({ token }));
  const { editing } = await publishedSite();
  if (editing?.repository === undefined) return undefined;
  return (github ??= githubHost(editing, editing.repository));
}

/** Reads the page types of the site, which may have changed since the last form. @throws StoreFailure */
export async function readTypes(host: EditorHost): Promise<void> {
  // A request for a missing file would be an error in the browser's log.
  const isAsked = host.store.kind === "folder" || (await publishedSite()).hasTypes === true;
  const types = isAsked ? await host.store.types() : null;
  host.pages = pagesOf(types, host.site);
  host.types = types;
}

/** Reads which fields belong to a collection system, if a page follows one of its records. @throws StoreFailure */
export async function readSync(host: EditorHost, text: string | null): Promise<void> {
  if (text?.includes('"external_id"') === true) host.sync = objectIn((await host.store.sync()) ?? "");
}

/** The program's page types in the languages of a site, printed as JSON. */
const localized = memoized((languages: string) =>
  programModel.inLanguages(JSON.parse(languages) as ModelLanguages),
);

function programIn(site: Site | undefined): PageModel {
  const languages = site && modelLanguagesOf(site);
  return languages === undefined ? programModel : localized(JSON.stringify(languages));
}

/** @throws StoreFailure */
function pagesOf(types: string | null, site: Site | undefined): PageModel {
  const program = programIn(site);
  if (types === null) return program;
  const declared = objectIn(types);
  const pages = declared && declaredModel(declared, program);
  if (pages !== undefined) return pages;
  throw new StoreFailure(`${TYPES} has mistakes. Run npm run check to see them, fix them, then try again.`);
}

const folderHost = async (store: FolderStore): Promise<EditorHost> => ({
  pages: programModel,
  types: null,
  store,
  site: await store.site(),
  things: (kind, words) => store.things(kind, words),
  images: () => store.images(),
  latestImages: () => store.images(),
  newId: () => store.newId(),
  folder: store,
});

/** Loads the list of the images into the host's site. From then on, findings report addresses of other images. */
export async function hasLoadedImages(host: EditorHost, list: EditorHost["images"]): Promise<boolean> {
  const { site } = host;
  if (site === undefined || ownImagesOf(site, []) === undefined) return false;
  try {
    const paths = (await list()).map((path) => [path, undefined] as const);
    host.site = { ...site, images: ownImagesOf(site, paths) };
    return true;
  } catch {
    return false;
  }
}

export const PROPOSAL_CHANGED = "proposal-changed";

/** The editor's host for a published site. Collected changes survive a reload and a crash. */
function githubHost(site: Site, repository: GitHubRepository): EditorHost {
  const collection = keptChanges(site.site_url, () => document.dispatchEvent(new Event(PROPOSAL_CHANGED)));
  const store = new GitHubStore({ repository, token: keptToken(), published, collection });
  let unpublished: readonly string[] = [];
  const collected = (): string[] => store.changes.flatMap(({ file }) => imagePath(file) ?? []);
  const images = async (): Promise<string[]> => [
    ...new Set([...(await imagePaths()), ...unpublished, ...collected()]),
  ];
  const host: EditorHost = {
    pages: programModel,
    types: null,
    store,
    site,
    things: (kind, words) => publishedThings(host.pages.entities, kind, words),
    images,
    latestImages: async () => {
      unpublished = await store.images();
      return images();
    },
    // If another page has the id, the check of the pull request reports that.
    newId: () => Promise.resolve(drawnId()),
    keepsChanges: collection.isKept,
  };
  return host;
}

/*
 * The browser's storage for the GitHub store: collected changes in the storage of the site; the token in the storage of
 * one tab, if the editor wants the tab to keep it.
 */

const TOKEN = "page-editor:token";

export function keptToken(): string | undefined {
  try {
    return sessionStorage.getItem(TOKEN) ?? undefined;
  } catch {
    return undefined;
  }
}

export function keepToken(token: string | undefined): void {
  try {
    if (token === undefined) sessionStorage.removeItem(TOKEN);
    else sessionStorage.setItem(TOKEN, token);
  } catch {
    // Without storage, the editor enters the token again after a reload.
  }
}

/**
 * The collected changes of a site. All tabs of the browser share them, except for those that its storage could not keep.
 *
 * @param onOtherTab called when another tab has changed the collection.
 */
function keptChanges(site: string, onOtherTab: () => void): ChangeCollection & { isKept: () => boolean } {
  // With the site, as one address may serve several sites at different times.
  const key = `page-editor:${site}:proposal`;
  let unkept: readonly CollectedChange[] = [];
  const stored = (): readonly CollectedChange[] => {
    try {
      const found: unknown = JSON.parse(localStorage.getItem(key) ?? "[]");
      return Array.isArray(found) ? found.filter(isCollected) : [];
    } catch {
      return [];
    }
  };
  /** @returns false if the browser cannot keep the changes, for example because its storage is full */
  const store = (changes: readonly CollectedChange[]): boolean => {
    try {
      if (changes.length === 0) localStorage.removeItem(key);
      else localStorage.setItem(key, JSON.stringify(changes));
      return true;
    } catch {
      return changes.length === 0;
    }
  };
  const isKept = (): boolean => unkept.length === 0;
  addEventListener("storage", (event) => {
    if (event.key === key) onOtherTab();
  });
  addEventListener("beforeunload", (event) => {
    if (!isKept()) event.preventDefault();
  });
  return {
    isKept,
    read: () => [...stored(), ...unkept],
    write: (changes) => {
      unkept = [];
      if (store(changes)) return;
      // There is no space for more, but the stored changes stay.
      const known = new Set(stored().map((change) => JSON.stringify(change)));
      const first = changes.findIndex((change) => !known.has(JSON.stringify(change)));
      unkept = changes.slice(first);
      store(changes.slice(0, first));
    },
    // Browsers have locks only at addresses with HTTPS, and at localhost.
    alone: <T>(task: () => Promise<T>): Promise<T | undefined> =>
      isSecureContext
        ? navigator.locks.request(key, { ifAvailable: true }, (lock) => (lock === null ? undefined : task()))
        : task(),
  };
}

const isCollected = (change: unknown): change is CollectedChange =>
  isObject(change) && Array.isArray(change["files"]) && Array.isArray(change["pages"]);
