import type { SourceFile } from "../../change/change.ts";
import { forEachConcurrent } from "../../base/concurrent.ts";
import { MAX_BYTES } from "../../source/json/parse.ts";
import { SITE_FILES } from "../../source/site-files.ts";
import { imagePath, MEDIA_FOLDER } from "../../source/image-kinds.ts";
import { idsIn } from "../../source/ids.ts";
import { isDraftFile } from "../../source/page-files.ts";
import { StoreFailure, type UnreadSource } from "../store.ts";
import { foldersOf, ownerOf, pathOf, type GitHubClient, unless } from "./client.ts";
import { GitHubFailure } from "./failures.ts";

/** The hash of a commit, and of its root folder. */
export interface BranchHead {
  commit: string;
  tree: string;
}

/** The parts of the published editor data that a store needs. */
export interface Published {
  /** The source file of a live page, below the content folder. */
  fileOf: (id: number) => Promise<string | undefined>;
  /** By source file of each live page: the paths of the website that the page links to. */
  sources: () => Promise<ReadonlyMap<string, readonly string[]>>;
}

/** Maximum number of files that the search for one page reads. */
export const MAX_SEARCHED = 1000;

/** Maximum number of pages whose links a move changes, because each is requested from GitHub. */
export const MAX_LINKING = 50;

export const TOO_MANY_LINKING = `Links are changed in at most ${MAX_LINKING} pages at once here.`;

/** Reads the current source files of the repository. */
export class RepositoryFiles {
  readonly #client: GitHubClient;
  readonly #published: Published;
  /** The ids in files that a search has read, by the hashes of the files. */
  readonly #ids = new Map<string, number[]>();
  /** The folders of the repository, by hash. A hash always has the same content, so each folder is read once. */
  readonly #listed = new Map<string, Promise<FolderListing>>();

  constructor(client: GitHubClient, published: Published) {
    this.#client = client;
    this.#published = published;
  }

  async head(): Promise<BranchHead> {
    const { repository } = this.#client;
    const at = ownerOf(repository.name);
    const commit = await this.#client.headOf(repository.name, repository.branch);
    if (commit === undefined) {
      await this.#client.request("GET /repos/{owner}/{repo}", at);
      throw new StoreFailure(
        `${repository.name} has no branch “${repository.branch}”. Check “repository.branch” in _site.json.`,
      );
    }
    const { data } = await this.#client.request("GET /repos/{owner}/{repo}/git/commits/{commit_sha}", {
      ...at,
      commit_sha: commit,
    });
    return { commit, tree: data.tree.sha };
  }

  /** The text of a file at a commit, by default the last of the branch; null if there is none. */
  async read(file: string, commit?: string): Promise<string | null> {
    const { repository } = this.#client;
    const found = await unless(
      [404],
      this.#client.request("GET /repos/{owner}/{repo}/contents/{path}", {
        ...ownerOf(repository.name),
        path: pathOf(repository, file),
        ref: commit ?? repository.branch,
      }),
    );
    if (found === undefined) {
      // GitHub also responds with 404 if the branch is missing, or if the token may not read the repository.
      if (commit === undefined) await this.head();
      return null;
    }
    const { data } = found;
    if (Array.isArray(data) || data.type !== "file")
      throw new StoreFailure(
        `${file} is not a file in ${repository.name}. Choose another place for the page.`,
      );
    if (data.size > MAX_BYTES) throw tooLarge(file);
    // GitHub leaves out the content of a file of more than one MiB.
    if (!("content" in data) || data.encoding !== "base64") return this.#blob(file, data.sha);
    return decode(file, data.content);
  }

  /** The sources of pages below a folder. @param folder below the content folder, with a slash at its end */
  async sourcesBelow(folder: string): Promise<string[]> {
    const { entries = [] } = (await this.#filesIn(folder)) ?? {};
    return entries.flatMap(({ path }) => (isSource(path) ? [folder + path] : []));
  }

  /** Whether there is a file, which need not be a text, in a tree of the repository. */
  async has(file: string, tree: string): Promise<boolean> {
    return (await this.entryAt(tree, pathOf(this.#client.repository, file).split("/"))) !== undefined;
  }

  /** The file of a page: from the published data if the page is live, else by a search. */
  async find(id: number): Promise<SourceFile | undefined> {
    const file = await this.#published.fileOf(id);
    const text = file === undefined ? null : await this.read(file);
    if (file !== undefined && text !== null && idsIn(text).includes(id)) return { file, text };
    return this.#search(id);
  }

  /** The paths of the images in the repository, below `_media/`. */
  async images(): Promise<string[]> {
    const { entries = [] } = (await this.#filesIn(MEDIA_FOLDER)) ?? {};
    return entries.flatMap(({ path }) => imagePath(`${MEDIA_FOLDER}/${path}`) ?? []);
  }

  /**
   * The sources that may link to paths of the website: of live pages, those whose published links lead there, and all
   * other sources.
   *
   * @param isKnown the files to leave out.
   */
  async linking(paths: ReadonlySet<string>, isKnown: (file: string) => boolean) {
    const live = await this.#published.sources();
    const { entries, isCut } = await this.#unpublished(live);
    const linking = [...live].filter(([, linked]) => linked.some((path) => paths.has(path)));
    const wanted = [
      ...linking.map(([file]) => ({ file, read: () => this.read(file) })),
      ...entries.map(({ path, sha }) => ({ file: path, read: () => this.#textOf(path, sha) })),
    ].filter(({ file }) => !isKnown(file));
    const read = wanted.filter(({ file }, k) => k < MAX_LINKING || !live.has(file)).slice(0, MAX_SEARCHED);
    const isRead = new Set(read);
    const sources: SourceFile[] = [];
    const unread = wanted.flatMap((one): UnreadSource[] => {
      if (isRead.has(one)) return [];
      const reason = live.has(one.file) ? TOO_MANY_LINKING : `At most ${MAX_SEARCHED} files are searched.`;
      return [{ file: one.file, reason }];
    });
    if (isCut)
      unread.push({ file: this.#client.repository.content, reason: "GitHub does not list all files." });
    let pause: GitHubFailure | undefined;
    await forEachConcurrent(read, CONCURRENCY, async (one): Promise<void> => {
      try {
        if (pause !== undefined) throw pause;
        const text = await one.read();
        if (text !== null) sources.push({ file: one.file, text });
      } catch (cause) {
        if (!(cause instanceof StoreFailure)) throw cause;
        if (cause instanceof GitHubFailure && cause.isPause) pause = cause;
        unread.push({ file: one.file, reason: cause.message });
      }
    });
    return { sources, unread };
  }

  /** The sources of the repository that are no source of a live page, drafts first. */
  async #unpublished(live: ReadonlyMap<string, unknown>): Promise<FolderListing> {
    const { repository } = this.#client;
    const listing = await this.#filesIn("");
    if (listing === undefined)
      throw new StoreFailure(
        `${repository.name} has no folder “${repository.content}”. Check “repository.content” in _site.json.`,
      );
    const others = listing.entries.filter(({ path }) => isSource(path) && !live.has(path));
    const entries = others.sort((a, b) => Number(isDraftFile(b.path)) - Number(isDraftFile(a.path)));
    // The other files may be pages that were published in the meantime.
    return { entries, isCut: listing.isCut };
  }

  /** Searches the repository for a page that is not live, or that has moved since it was published. */
  async #search(id: number): Promise<SourceFile | undefined> {
    const { repository } = this.#client;
    const { entries: searched, isCut } = await this.#unpublished(await this.#published.sources());
    let found: SourceFile | undefined;
    await forEachConcurrent(searched.slice(0, MAX_SEARCHED), CONCURRENCY, async (entry) => {
      if (found !== undefined) return;
      const text = await this.#candidate(entry, id);
      if (text !== undefined) found = { file: entry.path, text };
    });
    if (found === undefined && (isCut || searched.length > MAX_SEARCHED))
      throw new StoreFailure(
        `Page ${id} is not among the files of ${repository.name} that could be searched. Edit its file on GitHub.`,
      );
    return found;
  }

  /** The text of a file if it is the source of a page with this id. */
  async #candidate({ path, sha }: ListedEntry, id: number): Promise<string | undefined> {
    const known = this.#ids.get(sha);
    if (known !== undefined && !known.includes(id)) return undefined;
    const text = (await this.#textOf(path, sha)) ?? "";
    const ids = idsIn(text);
    this.#ids.set(sha, ids);
    return ids.includes(id) ? text : undefined;
  }

  /** Null if the file is not UTF-8: then it is not a page. */
  async #textOf(path: string, sha: string): Promise<string | null> {
    return this.#blob(path, sha).catch((cause: unknown) => {
      if (cause instanceof NotText) return null;
      throw cause;
    });
  }

  /** The entry at a path; undefined if there is none. */
  async entryAt(root: string, names: readonly string[]): Promise<ListedEntry | undefined> {
    let entry: ListedEntry | undefined = { path: "", mode: FOLDER, sha: root };
    for (const name of names) {
      if (entry.mode !== FOLDER) return undefined;
      const { entries }: FolderListing = await this.#list(entry.sha);
      entry = entries.find(({ path }) => path === name);
      if (entry === undefined) return undefined;
    }
    return entry;
  }

  /** The files in a folder of the branch. @returns undefined if there is none */
  async #filesIn(folder: string): Promise<FolderListing | undefined> {
    const { tree } = await this.head();
    const found = await this.entryAt(tree, foldersOf(pathOf(this.#client.repository, folder)));
    return found && this.#filesBelow(found.sha);
  }

  /** All files below a folder. `isCut`: GitHub omitted entries even of a single folder. */
  async #filesBelow(folder: string): Promise<FolderListing> {
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
    const { data } = await this.#client.request("GET /repos/{owner}/{repo}/git/trees/{tree_sha}", {
      ...ownerOf(this.#client.repository.name),
      tree_sha: sha,
      ...(isRecursive ? { recursive: "1" } : {}),
    });
    const entries = data.tree.map(({ path, mode, sha: own }) => ({ path, mode, sha: own }));
    return { entries, isCut: data.truncated };
  }

  async #blob(file: string, sha: string): Promise<string> {
    const { data } = await this.#client.request("GET /repos/{owner}/{repo}/git/blobs/{file_sha}", {
      ...ownerOf(this.#client.repository.name),
      file_sha: sha,
    });
    return decode(file, data.content);
  }
}

class NotText extends StoreFailure {}

export const tooLarge = (file: string): StoreFailure =>
  new StoreFailure(`${file} is larger than ${MAX_BYTES / 2 ** 20} MiB. Shorten its texts.`);

function decode(file: string, base64: string): string {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  try {
    // Keeps the byte order mark of the file.
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new NotText(`${file} is not UTF-8. Save it as UTF-8 with a text editor.`);
  }
}

/** Whether a file below the content folder is the source of a page, by its path. */
export const isSource = (path: string): boolean =>
  path.endsWith(".json") && !SITE_FILES.has(path) && !/(?:^|\/)\./.test(path);

interface ListedEntry {
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
