/*
 * The editor's storage of source files, implemented by the folder store (`npm run dev`) and the GitHub store. The rest
 * of the editor is the same for both. Runs in the browser and in Node.
 */

import type { BrokenLink, FileChange, SourceFile } from "../change/change.ts";
import type { LinkTo } from "../change/move-edits.ts";

export interface Store {
  readonly kind: "folder" | "github";
  /** The text of `_types.json`; null if the site has none. */
  types(): Promise<string | null>;
  /** The text of `_sync.json`; null if the site has none. */
  sync(): Promise<string | null>;
  /** The source file of a page or draft; undefined if there is none with this id. */
  open(id: number): Promise<SourceFile | undefined>;
  /**
   * Folder: writes the file. GitHub: adds the change to the proposal; it replaces the change of the file that the form
   * was opened with.
   * Throws `Conflict` if the file has changed since it was opened, `StoreFailure` for any other failure.
   */
  save(change: FileChange): Promise<unknown>;
  /**
   * Folder: writes a new image below `_media/`. GitHub: adds it to the proposal.
   *
   * @param path relative to `_media/`. @param bytes as base64.
   */
  addImage(path: string, bytes: string): Promise<unknown>;
  /** Turns the file of a page into a folder for subpages; its address stays. @returns the new file of the page */
  giveFolder(file: string): Promise<string>;
  schemaReference(file: string): Promise<string>;
}

export interface PageActions {
  /** The number of subpages, at all levels, that an operation on a page also changes. */
  subpages(file: string): Promise<number>;
  /**
   * The pages with links to a page or its subpages, for an operation on them. Missing if the store's operations find all
   * links themselves.
   */
  linking?(file: string): Promise<LinkingPages>;
  /** The pages that link to a page or its subpages, or refer to them. Missing if `linking` finds them. */
  referring?(file: string): Promise<readonly ReferringPage[]>;
  move(file: string, to: string, more?: Along): Promise<string>;
  /** @param to the address that replaces the page, if any. */
  retire(file: string, to: string | undefined, more?: Along): Promise<BrokenLink[]>;
  publish(file: string): Promise<string>;
  withdraw(file: string, linking?: LinkingPages): Promise<BrokenLink[]>;
}

export interface Along {
  /** Whether the translations of the page move, or are retired, too. */
  translations?: boolean | undefined;
  linking?: LinkingPages | undefined;
}

export interface ReferringPage {
  file: string;
  id: number;
  title: string;
  /** Whether it refers to the page in a field, which must not lead to a page that is gone. */
  isReference?: boolean;
}

export interface LinkingPages {
  /** The sources with links and references, and the links in their texts without a byte order mark. */
  sources: (SourceFile & Pick<ReferringPage, "isReference"> & { links: LinkTo[] })[];
  unread: UnreadSource[];
  /** On a site with several languages: the sources that were read, of which some may be translations. */
  read?: SourceFile[] | undefined;
}

export interface UnreadSource {
  file: string;
  reason: string;
}

/** The file has changed since the form was opened. `current`: its text now; null if the file was removed. */
export class Conflict extends Error {
  override readonly name = "Conflict";
  readonly file: string;
  readonly current: string | null;
  constructor(file: string, current: string | null) {
    super(
      current === null
        ? `${file} has been removed since you opened it.`
        : `${file} has changed since you opened it.`,
    );
    this.file = file;
    this.current = current;
  }
}

/** The `$schema` of a source. @param schema the path of the schema, relative to the content folder. */
export const schemaFrom = (file: string, schema: string) => "../".repeat(file.split("/").length - 1) + schema;

/** A failed read or save; the message explains what to do. The form keeps its edits. */
export class StoreFailure extends Error {
  override readonly name = "StoreFailure";
}
