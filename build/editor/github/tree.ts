import { forEachConcurrent } from "../../base/concurrent.ts";
import type { GitHubClient } from "./client.ts";
import { ownerOf } from "./repository.ts";

/** An entry of a folder in the repository. */
export interface ListedEntry {
  /** The path below the listed folder. */
  path: string;
  mode: string;
  sha: string;
}

interface FolderListing {
  entries: ListedEntry[];
  /** Whether GitHub omitted entries. */
  isCut: boolean;
}

const FOLDER = "040000";
/** Whether an entry is a file, executable or not; links and submodules are not. */
export const isFile = ({ mode }: ListedEntry): boolean => mode.startsWith("100");

export const CONCURRENCY = 6;

/** The folders of a repository, by hash. A hash always has the same content, so each folder is read once. */
export class Trees {
  readonly #client: GitHubClient;
  readonly #listed = new Map<string, Promise<FolderListing>>();

  constructor(client: GitHubClient) {
    this.#client = client;
  }

  /** The entry at a path; undefined if there is none. */
  async find(root: string, names: readonly string[]): Promise<ListedEntry | undefined> {
    let entry: ListedEntry | undefined = { path: "", mode: FOLDER, sha: root };
    for (const name of names) {
      if (entry.mode !== FOLDER) return undefined;
      const { entries }: FolderListing = await this.#list(entry.sha);
      entry = entries.find(({ path }) => path === name);
      if (entry === undefined) return undefined;
    }
    return entry;
  }

  /** All files below a folder. `isCut`: GitHub omitted entries even of a single folder. */
  async files(folder: string): Promise<FolderListing> {
    const all = await this.#list(folder, true);
    if (!all.isCut) return { entries: all.entries.filter(isFile), isCut: false };
    const files: ListedEntry[] = [];
    let isCut = false;
    let folders = [{ sha: folder, prefix: "" }];
    while (folders.length > 0) {
      const below: typeof folders = [];
      await forEachConcurrent(folders, CONCURRENCY, async ({ sha, prefix }) => {
        const listed = await this.#list(sha);
        isCut ||= listed.isCut;
        for (const entry of listed.entries) {
          const path = `${prefix}${entry.path}`;
          if (entry.mode === FOLDER) below.push({ sha: entry.sha, prefix: `${path}/` });
          else files.push({ ...entry, path });
        }
      });
      folders = below;
    }
    return { entries: files.filter(isFile), isCut };
  }

  #list(sha: string, isRecursive = false): Promise<FolderListing> {
    const key = isRecursive ? `${sha}/` : sha;
    const known = this.#listed.get(key);
    if (known !== undefined) return known;
    const listing = this.#read(sha, isRecursive);
    this.#listed.set(key, listing);
    // Forget a failed request, so that the next call sends it again.
    listing.catch(() => this.#listed.delete(key));
    return listing;
  }

  async #read(sha: string, isRecursive: boolean): Promise<FolderListing> {
    const { data } = await this.#client.ask((ask) =>
      ask("GET /repos/{owner}/{repo}/git/trees/{tree_sha}", {
        ...ownerOf(this.#client.repository.name),
        tree_sha: sha,
        ...(isRecursive ? { recursive: "1" } : {}),
      }),
    );
    const entries = data.tree.map(({ path, mode, sha: own }) => ({ path, mode, sha: own }));
    return { entries, isCut: data.truncated };
  }
}
