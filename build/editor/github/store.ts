import { type FileChange, type SourceFile, isSameChange } from "../../change/change.ts";
import { imagePath, MEDIA_FOLDER } from "../../source/image-kinds.ts";
import { SITE_SCHEMA, TYPES } from "../../source/site-files.ts";
import type { GitHubRepository } from "../../model/site.ts";
import { editedText } from "../../source/json/edit.ts";
import { MAX_BYTES, parseJson } from "../../source/json/parse.ts";
import { idsIn } from "../../source/ids.ts";
import { pageOf, schemaSet } from "../form/model.ts";
import { fileWithFolder, hasFolder } from "../form/place.ts";
import { Conflict, schemaFrom, StoreFailure, type Store, type UnreadSource } from "../store.ts";
import { readAccess, type Access, foldersOf, GitHubClient, ownerOf, unless } from "./client.ts";
import { isSource, RepositoryFiles, tooLarge, type Published } from "./files.ts";
import { propose, type ProposalEnvironment, type Proposal, type PullRequest } from "./propose.ts";

/** The collected changes. Several stores, in several browser tabs, may read and write them. */
export interface ChangeCollection {
  read: () => readonly FileChange[];
  write: (changes: readonly FileChange[]) => void;
  /** Runs a task, unless a store in any tab is running one: the result is undefined then. */
  alone: <T>(task: () => Promise<T>) => Promise<T | undefined>;
}

export interface GitHubSettings extends Partial<ProposalEnvironment> {
  repository: GitHubRepository;
  /** The access token; without one, the store can only read public repositories and collect changes. */
  token?: string | undefined;
  published: Published;
  collection: ChangeCollection;
  fetch?: typeof fetch | undefined;
}

/** Keeps page sources in a repository on GitHub: collects changes, and proposes them as one pull request. */
export class GitHubStore implements Store {
  readonly kind = "github";
  readonly repository: GitHubRepository;
  readonly #client: GitHubClient;
  readonly #files: RepositoryFiles;
  readonly #environment: ProposalEnvironment;
  readonly #collection: ChangeCollection;
  /** The last proposed change of each file: a form continues from its text, which is not merged yet. */
  readonly #proposed = new Map<string, FileChange>();

  constructor({ repository, token, published, collection, fetch: send, ...own }: GitHubSettings) {
    this.repository = repository;
    this.#environment = { now: Date.now, random: randomBelow, wait: delay, ...own };
    const { now } = this.#environment;
    this.#client = new GitHubClient(repository, token, { fetch: send ?? fetch.bind(globalThis), now });
    this.#files = new RepositoryFiles(this.#client, published);
    this.#collection = collection;
  }

  get hasToken(): boolean {
    return this.#client.hasToken;
  }

  setToken(token: string | undefined): void {
    this.#client.setToken(token);
  }

  access(): Promise<Access> {
    return readAccess(this.#client);
  }

  /** The collected changes, one for each file. */
  get changes(): readonly FileChange[] {
    return this.#collection.read();
  }

  /** The collected changes by file. To change them, read and write them without a pause: another tab may add one. */
  #collected(): Map<string, FileChange> {
    return new Map(this.changes.map((change) => [change.file, change]));
  }

  /** The source file of a page, with its collected change, if any. */
  async open(id: number): Promise<SourceFile | undefined> {
    for (const { file, after } of this.changes)
      if (after !== null && idsIn(after).includes(id)) return { file, text: after };
    const found = await this.#files.find(id);
    // The change removes the file.
    return found !== undefined && this.#collected().get(found.file)?.after === null ? undefined : found;
  }

  /** Of the branch that a proposal is made from. */
  types(): Promise<string | null> {
    // If the branch itself is missing, opening a page reports that.
    return this.#files.read(TYPES, this.repository.branch);
  }

  /** The paths of the images in `_media/` of the repository and of the proposal, relative to it. */
  async images(): Promise<string[]> {
    const added = this.changes.flatMap(({ file, after }) => (after === null ? [] : (imagePath(file) ?? [])));
    return [...(await this.#files.images()), ...added];
  }

  /** Adds a change to the proposal. If it restores the text in the repository, it only removes the earlier change. */
  async save({ file, before, after }: FileChange): Promise<void> {
    checkFile(file, after);
    const current = await this.#files.read(file);
    const collected = this.#collected();
    const own = collected.get(file);
    const isStale = own?.before !== current;
    // Another form, for example in another tab, has collected a change that this form does not contain.
    if (own !== undefined && before !== own.after && !(isStale && before === current))
      throw new Conflict(file, own.after);
    const twin = hasFolder(file) ? file.replace(/\/index\.json$/, ".json") : fileWithFolder(file);
    const other = collected.get(twin)?.after ?? null;
    if (before === null && other !== null) throw new Conflict(twin, other);
    const earlier = own ?? this.#proposed.get(file);
    const isLater = before === earlier?.after && current === earlier.before;
    if (current !== before && !isLater) throw new Conflict(file, current);
    collect(collected, { file, before: current, after });
    this.#collection.write([...collected.values()]);
  }

  async addImage(path: string, bytes: string): Promise<void> {
    const file = `${MEDIA_FOLDER}/${path}`;
    if ((await this.images()).includes(path))
      throw new StoreFailure(`There is an image ${file} already. Choose another name.`);
    const change: FileChange = { file, before: null, after: bytes, encoding: "base64" };
    this.#collection.write([...this.changes.filter((one) => one.file !== file), change]);
  }

  giveFolder(file: string): Promise<string> {
    return this.rename(file, fileWithFolder(file));
  }

  async read(file: string): Promise<string | null> {
    const change = this.#collected().get(file);
    return change === undefined ? this.#files.read(file) : change.after;
  }

  async filesBelow(file: string): Promise<string[]> {
    if (!hasFolder(file)) return [];
    const folder = file.slice(0, -"index.json".length);
    const files = new Set(await this.#files.sourcesBelow(folder));
    for (const change of this.changes)
      if (change.file.startsWith(folder)) files[change.after === null ? "delete" : "add"](change.file);
    files.delete(file);
    return [...files].sort();
  }

  /** The sources that may link to paths, with their collected changes. @param skipped files to leave out */
  async linking(
    paths: ReadonlySet<string>,
    skipped: ReadonlySet<string>,
  ): Promise<{ sources: SourceFile[]; unread: UnreadSource[] }> {
    const collected = this.changes.filter(({ file }) => !skipped.has(file));
    const known = new Set([...skipped, ...collected.map(({ file }) => file)]);
    const { sources, unread } = await this.#files.linking(paths, (file) => known.has(file));
    for (const { file, after } of collected)
      if (after !== null && isSource(file)) sources.push({ file, text: after });
    return { sources, unread };
  }

  /** Collects every change that a function makes to files, or none if it fails. */
  async together<T>(files: readonly string[], change: () => Promise<T>): Promise<T> {
    const before = this.#collected();
    try {
      return await change();
    } catch (cause) {
      const collected = this.#collected();
      for (const file of files) {
        const earlier = before.get(file);
        if (earlier === undefined) collected.delete(file);
        else collected.set(file, earlier);
      }
      this.#collection.write([...collected.values()]);
      throw cause;
    }
  }

  /** Collects the move of a file: two changes, which git detects as a rename. @returns its new path */
  async rename(file: string, to: string): Promise<string> {
    const current = await this.#files.read(file);
    const published = await this.#files.read(to);
    const collected = this.#collected();
    const earlier = collected.get(file);
    if (earlier !== undefined && earlier.before !== current) throw new Conflict(file, current);
    const target = collected.get(to);
    const taken = target === undefined ? published : target.after;
    if (taken !== null) throw new Conflict(to, taken);
    const text = earlier?.after ?? current;
    if (text === null)
      throw new StoreFailure(`${file} is not in the repository any more. Choose another parent.`);
    const after = relocated(text, file, to);
    collect(collected, { file, before: current, after: null });
    collect(collected, { file: to, before: published, after });
    this.#collection.write([...collected.values()]);
    return to;
  }

  async schemaReference(file: string): Promise<string> {
    const up = "../".repeat(foldersOf(this.repository.content).length);
    const isOwn = (await this.types()) !== null;
    return schemaFrom(file, isOwn ? SITE_SCHEMA : `${up}build/contract/page.schema.json`);
  }

  discard(file: string): void {
    this.#collection.write(this.changes.filter((change) => change.file !== file));
  }

  /** Opens one pull request with one commit for all collected changes. After a failure, the changes stay collected. */
  async propose(proposal: Proposal): Promise<PullRequest> {
    const made = await this.#collection.alone(async () => {
      const { changes } = this;
      const [client, files, environment] = [this.#client, this.#files, this.#environment];
      const pullRequest = await propose({ client, files, changes, proposal, environment });
      // Changes that were collected in the meantime stay.
      const proposed = new Map(changes.map((change) => [change.file, change]));
      for (const [file, change] of proposed) this.#proposed.set(file, change);
      this.#collection.write(
        this.changes.filter((change) => !isSameChange(change, proposed.get(change.file))),
      );
      return pullRequest;
    });
    if (made === undefined) throw new StoreFailure("The changes are already being proposed.");
    return made;
  }

  checks(pullRequest: PullRequest): Promise<PullRequestChecks> {
    return readChecks(this.#client, pullRequest);
  }
}

function collect(collected: Map<string, FileChange>, change: FileChange): void {
  if (change.after === change.before) collected.delete(change.file);
  else collected.set(change.file, change);
}

/** The text with a relative `$schema` that fits another folder. */
function relocated(text: string, file: string, to: string): string {
  const schema = pageOf(text)?.["$schema"];
  const [up, fitting] = [schemaFrom(file, ""), schemaFrom(to, "")];
  if (typeof schema !== "string" || up === fitting || !schema.startsWith(up)) return text;
  const { source, root } = parseJson("", new TextEncoder().encode(text));
  return root === undefined
    ? text
    : editedText(source.text, root, [schemaSet(fitting + schema.slice(up.length))]);
}

const delay = (milliseconds: number): Promise<unknown> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });

const randomBelow = (below: number): number =>
  (globalThis.crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) % below;

/** Refuses paths outside of the content folder, and texts that are too large or not UTF-8. */
function checkFile(file: string, after: string | null): void {
  const isInside = file
    .split("/")
    .every((name) => name !== "" && !name.startsWith(".") && !/[\\\p{Cc}]/u.test(name));
  if (!isInside || !file.endsWith(".json"))
    throw new StoreFailure(`${file} is not the name of a page source.`);
  if (after === null) return;
  if (!after.isWellFormed())
    throw new StoreFailure(`${file} contains half a character, which is not UTF-8. Remove it.`);
  if (new TextEncoder().encode(after).length > MAX_BYTES) throw tooLarge(file);
}

/** `waiting`: an administrator has to allow it first. */
type CheckState = "running" | "waiting" | "passed" | "failed" | "skipped";

interface PullRequestCheck {
  name: string;
  state: CheckState;
  /** Its page on the website; null if it has none. */
  url: string | null;
}

export interface PullRequestChecks {
  checks: PullRequestCheck[];
  /** Whether the access token may read neither Actions nor commit statuses: then only the link is shown. */
  isHidden: boolean;
  /** The page of all checks on the website. */
  url: string;
}

const CONCLUSIONS: Record<string, CheckState> = {
  success: "passed",
  neutral: "passed",
  skipped: "skipped",
  action_required: "waiting",
};

const STATUSES: Record<string, CheckState> = { success: "passed", pending: "running" };

const PER_PAGE = 100;

/** The statuses of responses that the access token may not read. */
const MAY_BE_HIDDEN = [403, 404];

/** The checks of a pull request: runs of Actions and commit statuses, as far as the access token may read them. */
export async function readChecks(
  client: GitHubClient,
  { head, url }: PullRequest,
): Promise<PullRequestChecks> {
  const at = ownerOf(client.repository.name);
  const runs = await unless(
    MAY_BE_HIDDEN,
    client.request("GET /repos/{owner}/{repo}/actions/runs", { ...at, head_sha: head, per_page: PER_PAGE }),
  );
  const statuses = await unless(
    MAY_BE_HIDDEN,
    client.request("GET /repos/{owner}/{repo}/commits/{ref}/status", {
      ...at,
      ref: head,
      per_page: PER_PAGE,
    }),
  );
  const checks = [
    ...(runs?.data.workflow_runs ?? []).map((run) => ({
      name: run.name ?? run.display_title,
      state: run.status === "completed" ? (CONCLUSIONS[run.conclusion ?? ""] ?? "failed") : "running",
      url: webAddress(run.html_url),
    })),
    ...(statuses?.data.statuses ?? []).map((status) => ({
      name: status.context,
      state: STATUSES[status.state] ?? "failed",
      url: webAddress(status.target_url),
    })),
  ] satisfies PullRequestCheck[];
  return { checks, isHidden: runs === undefined && statuses === undefined, url: `${url}/checks` };
}

/** A commit status may contain any address, so only HTTP and HTTPS addresses become links. */
const webAddress = (address: string | null): string | null =>
  address !== null && /^https?:\/\//.test(address) ? address : null;
