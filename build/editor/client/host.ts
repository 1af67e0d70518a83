import type { Site } from "../../page/site.ts";
import type { Thing } from "../form/things.ts";
import type { BrokenLink, Store } from "../store.ts";
import type { PageModel } from "../../page/page.ts";

/** Operations on whole pages that a store may offer. `move` and `retire` do the same as the commands of these names. */
export interface PageActions {
  /** Moves a page and its subpages. @returns the new file of the page */
  move: (file: string, to: string) => Promise<string>;
  /** Retires a page and its subpages. `to`: the address that replaces it, if any. */
  retire: (file: string, to: string | undefined) => Promise<readonly BrokenLink[]>;
  /** Publishes a draft. @returns its new file */
  publish: (file: string) => Promise<string>;
  /** Makes a page a draft. @returns its new file, and the links that are broken now */
  withdraw: (file: string) => Promise<{ file: string; links: readonly BrokenLink[] }>;
  /** The number of subpages, at all levels, that these operations also change. */
  subpages: (file: string) => Promise<number>;
  /** The number of the last change, a save or one of these operations. */
  lastChange: () => number;
  /** Restores the sources as they were before the last change. */
  undo: (change: number) => Promise<void>;
}

/** A store, and everything else that the form needs from its environment. */
export interface EditorHost {
  pages: PageModel;
  store: Store;
  /** `_site.json`, with the images once they are loaded; undefined if it cannot be read or has errors. */
  site: Site | undefined;
  /** The things of a kind that match the words. */
  things: (kind: string, words: string) => Promise<readonly Thing[]>;
  /** The paths of the images in `_media/`, relative to it. */
  images: () => Promise<readonly string[]>;
  /** The same, with images that are newer than the quickest list. */
  latestImages: () => Promise<readonly string[]>;
  actions?: PageActions;
  /** Whether the browser keeps the collected changes; if not, they are lost when the page is closed. */
  keepsChanges?: () => boolean;
  /** A free id for a new page. */
  newId: () => Promise<number>;
}
