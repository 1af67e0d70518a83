import { forEachConcurrent } from "../../base/concurrent.ts";
import type { FileChange, SourceFile } from "../../change/change.ts";
import { relocatedText } from "../../change/plan.ts";
import { imagePath, MEDIA_FOLDER } from "../../source/image-kinds.ts";
import { SITE, SITE_SCHEMA, SYNC, TYPES } from "../../source/site-files.ts";
import type { PageModel } from "../../model/page.ts";
import type { GitHubRepository, Site } from "../../model/site.ts";
import { languagesIn } from "../../model/languages.ts";
import { MAX_BYTES } from "../../source/json/parse.ts";
import { idsIn } from "../../source/ids.ts";
import { fileWithFolder, hasFolder, hasSubpages } from "../../source/page-files.ts";
import { Conflict, schemaFrom, StoreFailure, type Store } from "../store.ts";
import { foldersOf, GitHubClient, ownerOf, unless } from "./client.ts";
import {
  isEffective,
  takenBack,
  totals,
  withoutFile,
  withoutProposed,
  withSaved,
  type CollectedChange,
} from "./collection.ts";
import { CONCURRENCY, isSource, RepositoryFiles, tooLarge, type Published } from "./files.ts";
import { propose, type ProposalEnvironment, type Proposal, type PullRequest } from "./propose.ts";

/** The collected changes. Several stores, in several browser tabs, may read and write them. */
export interface ChangeCollection {
  read: () => readonly CollectedChange[];
  write: (changes: readonly CollectedChange[]) => void;
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
  readonly client: GitHubClient;
  readonly #files: RepositoryFiles;
  readonly #environment: ProposalEnvironment;
  readonly #collection: ChangeCollection;
  readonly published: Published;
  /** The last proposed change of each file: a form continues from its text, which is not merged yet. */
  readonly #proposed = new Map<string, FileChange>();

  constructor({ repository, token, published, collection, fetch: send, ...own }: GitHubSettings) {
    this.repository = repository;
    this.#environment = { now: Date.now, random: randomBelow, wait: delay, ...own };
    const { now } = this.#environment;
    this.client = new GitHubClient(repository, token, { fetch: send ?? fetch.bind(globalThis), now });
    this.#files = new RepositoryFiles(this.client, published);
    this.#collection = collection;
    this.published = published;
  }

  /** The effect of the collected changes, one change for each file. */
  get changes(): readonly FileChange[] {
    return [...this.#collected().values()];
  }

  /** The collected changes by file. To change them, read and write them without a pause: another tab may add one. */
  #collected(): Map<string, FileChange> {
    const all = totals(this.#collection.read());
    return new Map([...all].filter(([, change]) => isEffective(change)));
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

  sync(): Promise<string | null> {
    return this.#files.read(SYNC, this.repository.branch);
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
    const all = this.#collection.read();
    this.#collection.write(
      own === undefined || isStale
        ? withSaved(withoutFile(all, file), { file, before: current, after })
        : withSaved(all, { file, before: own.after, after }),
    );
  }

  async addImage(path: string, bytes: string): Promise<void> {
    const file = `${MEDIA_FOLDER}/${path}`;
    if ((await this.images()).includes(path))
      throw new StoreFailure(`There is an image ${file} already. Choose another name.`);
    const change: FileChange = { file, before: null, after: bytes, encoding: "base64" };
    this.#collection.write([...this.#collection.read(), { files: [change], pages: [file] }]);
  }

  /** Two changes, which git detects as a rename. */
  async giveFolder(file: string): Promise<string> {
    const to = fileWithFolder(file);
    const text = await this.read(file);
    if (text === null)
      throw new StoreFailure(`${file} is not in the repository any more. Choose another parent.`);
    const after = relocatedText({ file, text }, to, () => undefined);
    const files = [
      { file, before: text, after: null },
      { file: to, before: null, after },
    ];
    await this.collect({ files, pages: [file, to], renames: [{ from: file, to }] });
    return to;
  }

  async read(file: string): Promise<string | null> {
    const change = this.#collected().get(file);
    return change === undefined ? this.#files.read(file) : change.after;
  }

  async filesBelow(file: string): Promise<string[]> {
    if (!hasSubpages(file)) return [];
    const folder = file.replace(/_?index\.json$/, "");
    const files = new Set(await this.#files.sourcesBelow(folder));
    for (const change of this.changes)
      if (change.file.startsWith(folder)) files[change.after === null ? "delete" : "add"](change.file);
    files.delete(file);
    return [...files].sort();
  }

  /** The sources that may link to paths, with their collected changes. @param skipped files to leave out */
  async linking(paths: ReadonlySet<string>, skipped: ReadonlySet<string>) {
    const collected = this.changes.filter(({ file }) => !skipped.has(file));
    const known = new Set([...skipped, ...collected.map(({ file }) => file)]);
    const { sources, unread } = await this.#files.linking(paths, (file) => known.has(file));
    for (const { file, after } of collected)
      if (after !== null && isSource(file)) sources.push({ file, text: after });
    return { sources, unread };
  }

  /** The files of live pages, with the changes of the proposal. */
  async liveFiles(): Promise<Set<string>> {
    const files = new Set((await this.published.sources()).keys());
    for (const { file, after } of this.changes) files[after === null ? "delete" : "add"](file);
    return files;
  }

  /** Collects a change of several files. @throws Conflict if one of them does not have the text to replace. */
  async collect(change: CollectedChange): Promise<void> {
    const currents = new Map<string, string | null>();
    await forEachConcurrent(change.files, CONCURRENCY, async ({ file }) => {
      currents.set(file, await this.#files.read(file));
    });
    const collected = this.#collected();
    for (const { file, before } of change.files) {
      const [own, current = null] = [collected.get(file), currents.get(file)];
      if (own !== undefined && own.before !== current) throw new Conflict(file, current);
      const now = own === undefined ? current : own.after;
      if (now !== before) throw new Conflict(file, now);
    }
    this.#collection.write([...this.#collection.read(), change]);
  }

  async schemaReference(file: string): Promise<string> {
    const up = "../".repeat(foldersOf(this.repository.content).length);
    const { branch } = this.repository;
    const isOwn =
      (await this.types()) !== null ||
      languagesIn((await this.#files.read(SITE, branch)) ?? undefined) !== undefined;
    return schemaFrom(file, isOwn ? SITE_SCHEMA : `${up}build/contract/page.schema.json`);
  }

  /** Takes back the changes of pages, whole. @param files the files of the pages */
  discard(files: readonly string[], pages: PageModel, site: Site | undefined): void {
    this.#collection.write(takenBack(this.#collection.read(), files, { model: pages, site }));
  }

  /** Opens one pull request with one commit for all collected changes. After a failure, the changes stay collected. */
  async propose(proposal: Proposal): Promise<PullRequest> {
    const made = await this.#collection.alone(async () => {
      const { changes } = this;
      const collected = this.#collection.read();
      const [client, files, environment] = [this.client, this.#files, this.#environment];
      const pullRequest = await propose({ client, files, changes, proposal, environment });
      for (const change of changes) this.#proposed.set(change.file, change);
      this.#collection.write(withoutProposed(this.#collection.read(), collected));
      return pullRequest;
    });
    if (made === undefined) throw new StoreFailure("The changes are already being proposed.");
    return made;
  }

  /** The checks of a pull request: runs of Actions and commit statuses, as far as the access token may read them. */
  async checks({ head, url }: PullRequest): Promise<PullRequestChecks> {
    const { client } = this;
    const at = { ...ownerOf(this.repository.name), per_page: PER_PAGE };
    const runs = await unless(
      MAY_BE_HIDDEN,
      client.request("GET /repos/{owner}/{repo}/actions/runs", { ...at, head_sha: head }),
    );
    const statuses = await unless(
      MAY_BE_HIDDEN,
      client.request("GET /repos/{owner}/{repo}/commits/{ref}/status", { ...at, ref: head }),
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

/** A commit status may contain any address, so only HTTP and HTTPS addresses become links. */
const webAddress = (address: string | null): string | null =>
  address !== null && /^https?:\/\//.test(address) ? address : null;
