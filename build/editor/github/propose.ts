import { slugOfFile } from "../../source/page-files.ts";
import type { FileChange } from "../../change/change.ts";
import { Conflict, StoreFailure } from "../store.ts";
import { ownerOf, pathOf, type GitHubClient, unless } from "./client.ts";
import { GitHubFailure, isRefused } from "./failures.ts";
import { isFile, type BranchHead, type RepositoryFiles } from "./files.ts";

export interface Proposal {
  title: string;
  body: string;
  /** Whether to open a draft pull request, which cannot be merged by mistake. */
  draft: boolean;
}

export interface PullRequest {
  number: number;
  url: string;
  /** The hash of its commit. */
  head: string;
}

/** Randomness and time, which tests replace. */
export interface ProposalEnvironment {
  now: () => number;
  /** A whole number from 0 up to but not including `below`. */
  random: (below: number) => number;
  wait: (milliseconds: number) => Promise<unknown>;
}

/** Maximum number of characters of a slug in the name of a branch. */
const MAX_SLUG = 40;

const LETTERS = "abcdefghijklmnopqrstuvwxyz";

/** `edit/<date>-<slug>-<four letters>` */
export function branchName(file: string, { now, random }: ProposalEnvironment): string {
  const date = new Date(now()).toISOString().slice(0, "2026-01-01".length);
  const letters = Array.from({ length: 4 }, () => LETTERS[random(LETTERS.length)]).join("");
  return `edit/${date}-${branchSlug(file)}-${letters}`;
}

function branchSlug(file: string): string {
  const slug = slugOfFile(file)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, MAX_SLUG)
    .replaceAll(/^-+|-+$/g, "");
  return slug || "page";
}

interface ProposalTask {
  client: GitHubClient;
  files: RepositoryFiles;
  changes: readonly FileChange[];
  proposal: Proposal;
  environment: ProposalEnvironment;
}

/**
 * Proposes changes: one commit on a new branch, and one pull request. After a failure, it removes the branch, unless the
 * branch may have a pull request: removing it would close the pull request. The next call then finds it.
 *
 * @throws Conflict if a file has changed since its form was opened.
 */
export async function propose(task: ProposalTask): Promise<PullRequest> {
  const { client, files, changes } = task;
  if (changes.length === 0) throw new StoreFailure("There are no changes to propose.");
  const access = await client.access();
  if (access.may === "read") throw new StoreFailure(access.message ?? "");
  const base = await files.head();
  await compare(task, base);
  const earlier = await earlierProposal(task, access.login);
  if (earlier !== undefined) return earlier;

  const isFork = access.may === "fork";
  const repository = isFork ? await openFork(task) : client.repository.name;
  const branch = branchOf(task, repository);
  const commit = async (): Promise<string> => {
    const head = await commitChanges(task, repository, base);
    await branch.create(head);
    return head;
  };
  try {
    const head = isFork ? await commitToFork(client, repository, commit) : await commit();
    const number = await openPullRequest(task, repository, branch.name);
    return { number, url: urlOf(client, number), head };
  } catch (cause) {
    if (!(cause instanceof MaybeOpened)) await branch.remove(cause);
    throw cause;
  }
}

const urlOf = ({ repository }: GitHubClient, number: number): string =>
  `${repository.web_url}/${repository.name}/pull/${number}`;

/** The editor's open pull request with these changes, if there is one: all responses of its proposal were lost. */
async function earlierProposal(task: ProposalTask, login: string): Promise<PullRequest | undefined> {
  const { client, changes } = task;
  const slug = branchSlug(changes[0]?.file ?? "");
  for (const { number, user, head } of await openPulls(client)) {
    const isOwn = user?.login === login && /^edit\/[\d-]{10}-(.*)-[a-z]{4}$/.exec(head.ref)?.[1] === slug;
    if (isOwn && (await hasAll(task, head.sha)))
      return { number, url: urlOf(client, number), head: head.sha };
  }
  return undefined;
}

async function openPulls({ repository, request }: GitHubClient, own: { head?: string } = {}) {
  const at = { ...ownerOf(repository.name), base: repository.branch, state: "open", per_page: 100 } as const;
  return (await request("GET /repos/{owner}/{repo}/pulls", { ...at, ...own })).data;
}

async function hasAll({ files, changes }: ProposalTask, commit: string): Promise<boolean> {
  // The bytes of images are not compared: they are not read as text.
  for (const { file, after, encoding } of changes)
    if (encoding === undefined && (await files.read(file, commit)) !== after) return false;
  return changes.some(({ encoding }) => encoding === undefined);
}

/** Maximum number of checks whether a new fork is ready. */
export const MAX_FORK_ATTEMPTS = 30;
/** Milliseconds between two checks. */
const FORK_PAUSE_MS = 2000;

/** Makes a fork for the token's owner if there is none, and waits until it is ready. @returns its name */
async function openFork({ client, environment: { wait } }: ProposalTask): Promise<string> {
  const at = ownerOf(client.repository.name);
  const { data } = await client.request("POST /repos/{owner}/{repo}/forks", at);
  const name = data.full_name;
  for (let attempt = 1; attempt <= MAX_FORK_ATTEMPTS; attempt++) {
    // A new fork is an empty repository (409) until GitHub has copied its objects.
    const ready = await unless([409], client.headOf(name, data.default_branch));
    if (ready !== undefined) return name;
    if (attempt < MAX_FORK_ATTEMPTS) await wait(FORK_PAUSE_MS);
  }
  throw new StoreFailure(`GitHub is still making the fork ${name}. Try again in some minutes.`);
}

/** Makes a commit on top of one of the repository. If the fork lacks that, GitHub first updates the fork. */
async function commitToFork(
  client: GitHubClient,
  fork: string,
  commit: () => Promise<string>,
): Promise<string> {
  const { branch, web_url } = client.repository;
  try {
    return await commit();
  } catch (cause) {
    if (!isRefused(cause, [404, 422])) throw cause;
  }
  try {
    await client.request("POST /repos/{owner}/{repo}/merge-upstream", { ...ownerOf(fork), branch });
  } catch (cause) {
    if (!isRefused(cause, [404, 409, 422])) throw cause;
    throw new StoreFailure(
      `The fork ${fork} is not up to date. Open ${web_url}/${fork}, press “Sync fork”, then try again.`,
    );
  }
  return commit();
}

/** Compares each file with the text that its form was opened with. */
async function compare({ files, changes }: ProposalTask, { commit, tree }: BranchHead): Promise<void> {
  for (const { file, before, encoding } of changes) {
    const current =
      encoding === undefined ? await files.read(file, commit) : (await files.has(file, tree)) ? "" : null;
    if (current !== before) throw new Conflict(file, current);
  }
}

/** Maximum length of a text in the request that lists all files, in UTF-16 units; a longer text has a request of its own. */
// internal: GitHub accepts only some 80 requests with content a minute, so that most texts are sent together
const MAX_INLINE = 2 ** 16;

/** Makes a commit without a branch; GitHub removes it if it never gets one. */
async function commitChanges(task: ProposalTask, target: string, base: BranchHead): Promise<string> {
  const { client, files, changes, proposal } = task;
  const at = ownerOf(target);
  const tree: ({ path: string; mode: "100644" | "100755"; type: "blob" } & (
    | { content: string }
    | { sha: string | null }
  ))[] = [];
  for (const { file: changed, after, encoding } of changes) {
    const path = pathOf(client.repository, changed);
    const entry = await files.entryAt(base.tree, path.split("/"));
    // An existing file keeps its mode.
    const mode = entry !== undefined && isFile(entry) ? (entry.mode as "100644" | "100755") : "100644";
    const file = { path, mode, type: "blob" } as const;
    if (after === null) tree.push({ ...file, sha: null });
    else if (encoding === undefined && after.length <= MAX_INLINE) tree.push({ ...file, content: after });
    else {
      const blob = { content: after, encoding: encoding ?? "utf-8" };
      const { data } = await client.request("POST /repos/{owner}/{repo}/git/blobs", { ...at, ...blob });
      tree.push({ ...file, sha: data.sha });
    }
  }
  const made = await client.request("POST /repos/{owner}/{repo}/git/trees", {
    ...at,
    base_tree: base.tree,
    tree,
  });
  const body = proposal.body.trim();
  const commit = await client.request("POST /repos/{owner}/{repo}/git/commits", {
    ...at,
    message: body === "" ? proposal.title : `${proposal.title}\n\n${body}`,
    tree: made.data.sha,
    parents: [base.commit],
  });
  return commit.data.sha;
}

/** A branch for a proposal, which does not exist yet. */
function branchOf({ client, changes, environment }: ProposalTask, target: string) {
  const name = branchName(changes[0]?.file ?? "", environment);
  const at = { ...ownerOf(target), ref: `heads/${name}` };
  let mayExist = false;

  const create = async (sha: string): Promise<void> => {
    mayExist = true;
    try {
      await client.request("POST /repos/{owner}/{repo}/git/refs", { ...at, ref: `refs/${at.ref}`, sha });
    } catch (cause) {
      // A browser repeats a request whose connection was closed, so that the branch exists already.
      const mayBeMade = isLost(cause) || isRefused(cause, [422], /reference already exists/i);
      mayExist = mayBeMade && (await client.headOf(target, name)) === sha;
      if (!mayExist) throw cause;
    }
  };

  const remove = async (failure: unknown): Promise<void> => {
    if (!mayExist) return;
    try {
      await client.request("DELETE /repos/{owner}/{repo}/git/refs/{ref}", at);
    } catch (cause) {
      // There is no such branch.
      if (isRefused(cause, [422])) return;
      throw new StoreFailure(
        `${failure instanceof Error ? failure.message : ""} The branch “${name}” may be left in ${target}. Remove it on GitHub if there is no pull request for it.`.trim(),
      );
    }
  };

  return { name, create, remove };
}

/** Whether GitHub may have carried out the failed request. A response without an error comes from a proxy. */
const isLost = (cause: unknown): boolean =>
  cause instanceof GitHubFailure && (cause.status === undefined || cause.status >= 500 || cause.status < 400);

/** The pull request may be open, as its response was lost. */
class MaybeOpened extends StoreFailure {}

/** Times that the editor looks for a pull request after its connection was lost, and the milliseconds between them. */
// internal: GitHub ends a request after ten seconds, so that a pull request that is missing then is never opened
const MAX_LOOKUPS = 6;
// internal: see above
const LOOKUP_PAUSE_MS = 2000;

/** @returns the number of the pull request */
async function openPullRequest(task: ProposalTask, target: string, branch: string): Promise<number> {
  const { client, proposal, environment } = task;
  const { repository } = client;
  const head = `${ownerOf(target).owner}:${branch}`;
  try {
    const { data } = await client.request("POST /repos/{owner}/{repo}/pulls", {
      ...ownerOf(repository.name),
      ...proposal,
      head: target === repository.name ? branch : head,
      base: repository.branch,
    });
    return data.number;
  } catch (cause) {
    // A browser repeats a request whose connection was closed, so that the pull request exists already.
    const exists = isRefused(cause, [422], /pull request already exists/i);
    if (!exists && !isLost(cause)) throw cause;
    const unknown = new MaybeOpened(
      `${cause instanceof Error ? cause.message : ""} The pull request may be open all the same: propose the changes again, and the editor finds it.`,
    );
    const isCut = cause instanceof GitHubFailure && cause.status === undefined;
    for (let lookup = isCut ? 1 : MAX_LOOKUPS; lookup <= MAX_LOOKUPS; lookup++) {
      if (lookup > 1 && isCut) await environment.wait(LOOKUP_PAUSE_MS);
      const [found] = await openPulls(client, { head }).catch(() => {
        throw unknown;
      });
      if (found !== undefined) return found.number;
    }
    throw exists ? unknown : cause;
  }
}
