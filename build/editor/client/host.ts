import type { Site } from "../../page/site.ts";
import type { Thing } from "../form/things.ts";
import type { Store } from "../store.ts";

/** Operations on whole pages, which a store may offer beside saving. They do what the commands of the same names do. */
export interface PageActions {
  /** Moves a page, with all pages below it. @returns the file that it has now */
  move: (file: string, to: string) => Promise<string>;
  /** Retires a page, with all pages below it. `to`: the address that replaces it, if any. */
  retire: (file: string, to: string | undefined) => Promise<readonly BrokenLink[]>;
  /** Makes a page of a draft. @returns the file that it has now */
  publish: (file: string) => Promise<string>;
  /** Makes a draft of a page. */
  withdraw: (file: string) => Promise<{ file: string; links: readonly BrokenLink[] }>;
}

/** A link that leads nowhere after a page was retired or made a draft. */
export interface BrokenLink {
  href: string;
  place: { file: string; line: number; column: number };
}

/** What the form needs beside a store. */
export interface EditorHost {
  store: Store;
  /** `_site.json`; undefined if it cannot be read or has errors. */
  site: Site | undefined;
  /** The things of a kind that words find. */
  things: (kind: string, words: string) => Promise<readonly Thing[]>;
  /** Images that the store keeps, as addresses; undefined if it keeps none. */
  images?: () => Promise<readonly string[]>;
  actions?: PageActions;
  /** Whether the browser keeps the collected changes of the GitHub store; if not, they are lost with the page. */
  keepsChanges?: () => boolean;
  /** A free id for a new page. */
  newId: () => Promise<number>;
}
