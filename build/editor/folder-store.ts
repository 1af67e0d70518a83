import type { BrokenLink, FileChange, SourceFile } from "../change/change.ts";
import { isObject } from "../source/json/object.ts";
import type { GitHubRepository, Site } from "../model/site.ts";
import type { Thing } from "./form/things.ts";
import { MAX_IMAGE_BYTES } from "../source/image-kinds.ts";
import { fileWithFolder } from "../source/page-files.ts";
import {
  Conflict,
  schemaFrom,
  StoreFailure,
  type Along,
  type PageActions,
  type ReferringPage,
  type Store,
} from "./store.ts";

/* The folder store's requests: POST with a JSON object, at URLs that only `npm run dev` serves. */

export const EDIT_PATH = "/edit/";

/** The operations of the server. `of` says what is read, listed or applied. */
type StoreOperation = "read" | "list" | "apply" | "commit" | "send";

/** The header of the token that the served page contains, in lowercase. */
export const TOKEN_HEADER = "x-edit-token";

export const TOKEN_META = "edit-token";

/** Maximum bytes of a request that changes no source. */
export const MAX_BODY = 2 ** 20;

/** Maximum bytes of a change: an image, printed as base64; the texts before and after, printed as JSON, are shorter. */
export const MAX_APPLIED = Math.ceil((MAX_IMAGE_BYTES * 4) / 3) + 2 ** 16;

export interface FolderSettings {
  token: string;
  fetch?: typeof fetch | undefined;
  /** The URL of the server, without a trailing slash; by default the server of the page. */
  base?: string | undefined;
}

export interface ChangesSinceCommit {
  changes: FileChange[];
  /** Number of changed files that are not listed. */
  more: number;
  /** What the branch's remote does not have; null if it has no remote. */
  unsent: { to: string; commits: string[] } | null;
  repository: GitHubRepository | null;
}

/** An image in `_media/`, with the pages that show it and the texts that describe it there. */
export interface LibraryImage {
  path: string;
  pages: ReferringPage[];
  texts: string[];
}

/** Keeps page sources in the content folder of `npm run dev`. */
export class FolderStore implements Store, PageActions {
  readonly kind = "folder";
  readonly #settings: FolderSettings;
  /** The number of the last change of this store, by which the server undoes it. */
  change = 0;

  constructor(settings: FolderSettings) {
    this.#settings = settings;
  }

  open = async (id: number): Promise<SourceFile | undefined> =>
    (await this.#get<SourceFile | null>("read", "source", { id })) ?? undefined;
  /** `_site.json`; undefined if it has errors. */
  site = async (): Promise<Site | undefined> => (await this.#get<Site | null>("read", "site")) ?? undefined;
  types = (): Promise<string | null> => this.#get("read", "types");
  sync = (): Promise<string | null> => this.#get("read", "sync");
  newId = (): Promise<number> => this.#get("read", "id");
  things = (kind: string, words: string): Promise<Thing[]> => this.#get("list", "things", { kind, words });
  images = (): Promise<string[]> => this.#get("list", "images");
  library = (): Promise<LibraryImage[]> => this.#get("list", "library");
  subpages = (file: string): Promise<number> => this.#get("list", "subpages", { file });
  referring = (file: string): Promise<ReferringPage[]> => this.#get("list", "referring", { file });
  move = (file: string, to: string, { translations = false }: Along = {}): Promise<string> =>
    this.#get("apply", "move", { file, to, translations }, "to");
  publish = (file: string): Promise<string> => this.#get("apply", "publish", { file }, "to");
  giveFolder = (file: string): Promise<string> => this.move(file, fileWithFolder(file));

  changes = (): Promise<ChangesSinceCommit> => this.#request("list", { of: "changes" });
  commit = (files: readonly string[], message: string): Promise<unknown> =>
    this.#request("commit", { files, message });
  send = (): Promise<unknown> => this.#request("send", {});
  save = ({ file, before, after }: FileChange): Promise<unknown> =>
    this.#request("apply", { of: "save", file, before, after });
  /** Removes a page that is in no commit yet. */
  remove = (file: string, before: string): Promise<unknown> =>
    this.#request("apply", { of: "remove", file, before });
  addImage = (path: string, bytes: string): Promise<unknown> =>
    this.#request("apply", { of: "image", path, bytes });
  /** Restores the sources as they were before a change, which must be the last one. */
  undo = (change: number): Promise<unknown> => this.#request("apply", { of: "undo", change });
  retire = (file: string, to?: string, { translations = false }: Along = {}): Promise<BrokenLink[]> =>
    this.#get("apply", "retire", { file, to: to ?? null, translations }, "links");
  withdraw = (file: string): Promise<BrokenLink[]> => this.#get("apply", "withdraw", { file }, "links");

  async schemaReference(file: string): Promise<string> {
    return schemaFrom(file, await this.#get("read", "site", {}, "schema"));
  }

  async #get<T>(operation: StoreOperation, of: string, parameters = {}, member = of): Promise<T> {
    return (await this.#request<Record<string, T>>(operation, { of, ...parameters }))[member] as T;
  }

  async #request<T>(operation: StoreOperation, parameters: object): Promise<T> {
    const { token, base = "", fetch: send = globalThis.fetch.bind(globalThis) } = this.#settings;
    let response: Response;
    try {
      response = await send(`${base}${EDIT_PATH}${operation}`, {
        method: "POST",
        headers: { "Content-Type": "application/json", [TOKEN_HEADER]: token },
        body: JSON.stringify(parameters),
      });
    } catch {
      throw new StoreFailure(
        "The preview does not respond. Start npm run dev again, then repeat this; your edits are kept.",
      );
    }
    const found: unknown = await response.json().catch(() => undefined);
    const body = isObject(found) ? found : {};
    if (response.ok) {
      if (typeof body["change"] === "number") this.change = body["change"];
      return body as T;
    }
    const { file } = parameters as { file?: unknown };
    if (response.status === 409 && "current" in body)
      throw new Conflict(String(file), typeof body["current"] === "string" ? body["current"] : null);
    const { message = `The preview responded with ${response.status}. Try again; your edits are kept.` } =
      body;
    throw new StoreFailure(String(message));
  }
}
