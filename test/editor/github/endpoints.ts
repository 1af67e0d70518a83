import { basename } from "node:path";
import type { Commit, GitEntry } from "./git.ts";
import type { Account, GitHubWorld, PullRequestState, RepositoryState } from "./world.ts";

export class Refused extends Error {
  readonly status: number;
  readonly body: object;
  constructor(status: number, message: string, errors?: object[]) {
    super(message);
    this.status = status;
    this.body = {
      message,
      documentation_url: "https://docs.github.com/rest",
      status: String(status),
      ...(errors === undefined ? {} : { errors }),
    };
  }
}

interface Call {
  world: GitHubWorld;
  account: Account | undefined;
  path: Record<string, string>;
  query: URLSearchParams;
  body: unknown;
  example: (status: number, name?: string) => Record<string, unknown>;
}

/** The status, and the body. */
type Answer = [status: number, body?: unknown];

/** Maximum bytes of a file whose content the response of `repos/get-content` contains, as on GitHub. */
const CONTENT_BYTES = 2 ** 20;

const EMPTY = "Git Repository is empty.";

function repositoryOf({ world, account, path }: Call): RepositoryState {
  const found = world.repositories.get(`${path["owner"]}/${path["repo"]}`);
  const isVisible = found !== undefined && (!found.isPrivate || found.writers.has(account?.login ?? ""));
  if (!isVisible) throw new Refused(404, "Not Found");
  return found;
}

/** @throws Refused if the token is fine-grained and lacks a permission */
function requirePermission(account: Account | undefined, permission: string): void {
  if (account?.scopes === undefined && account?.permissions?.includes(permission) !== true)
    throw new Refused(403, "Resource not accessible by personal access token");
}

/** The repository that a request writes to. @throws Refused if the account may not write to it */
function writtenBy(call: Call): RepositoryState {
  const found = repositoryOf(call);
  const { account } = call;
  if (account === undefined) throw new Refused(401, "Requires authentication");
  if (found.isArchived) throw new Refused(403, "Repository was archived so is read-only.");
  requirePermission(account, "contents:write");
  if (!found.writers.has(account.login) || !mayUse(account, found)) throw new Refused(404, "Not Found");
  return found;
}

const mayUse = ({ scopes }: Account, { isPrivate }: RepositoryState): boolean =>
  scopes === undefined || scopes.includes("repo") || (!isPrivate && scopes.includes("public_repo"));

const base64 = (bytes: Buffer): string => bytes.toString("base64").replaceAll(/.{60}/g, "$&\n");

const address = (name: string, below: string): string => `https://api.github.com/repos/${name}/git/${below}`;

const refOf = (name: string, ref: string, sha: string): object => ({
  ref,
  node_id: "REF_1",
  url: address(name, ref),
  object: { type: "commit", sha, url: address(name, `commits/${sha}`) },
});

function describeRepository(
  state: RepositoryState,
  account: Account | undefined,
  example: Record<string, unknown>,
): object {
  const { name, isPrivate, isArchived, mayFork, defaultBranch, writers, parent } = state;
  const [login = "", repo = ""] = name.split("/");
  const push = account !== undefined && writers.has(account.login);
  const { parent: _, source: __, template_repository: ___, ...own } = example;
  return {
    ...own,
    // Members that GitHub's own examples lack.
    language: null,
    has_discussions: false,
    name: repo,
    full_name: name,
    owner: { ...(example["owner"] as object), login },
    private: isPrivate,
    fork: parent !== undefined,
    archived: isArchived,
    allow_forking: mayFork,
    default_branch: defaultBranch,
    permissions: { admin: false, maintain: false, push, triage: false, pull: true },
  };
}

function describeTree({ world }: Call, name: string, sha: string, entries: readonly GitEntry[]): object {
  return {
    sha,
    url: address(name, `trees/${sha}`),
    tree: entries
      .slice(0, world.maxEntries)
      .map((entry) => Object.assign({}, entry, { url: address(name, `${entry.type}s/${entry.sha}`) })),
    truncated: entries.length > world.maxEntries,
  };
}

function describeCommit(sha: string, { git, name }: RepositoryState, example: object): object {
  const { tree, parents, message } = git.commit(sha);
  return {
    ...example,
    sha,
    message,
    tree: { sha: tree, url: address(name, `trees/${tree}`) },
    parents: parents.map((parent) => ({
      sha: parent,
      url: address(name, `commits/${parent}`),
      html_url: address(name, parent),
    })),
  };
}

function describePull(pull: PullRequestState, repository: string, example: Record<string, unknown>): object {
  const { number, login, state, title, body, draft, base, head } = pull;
  const { head: shownHead, base: shownBase, user, ...own } = example as Record<string, object>;
  return {
    ...own,
    number,
    state,
    user: { ...user, login },
    title,
    body,
    draft,
    requested_teams: [],
    html_url: `https://github.com/${repository}/pull/${number}`,
    head: {
      ...shownHead,
      repo: { ...(shownHead as { repo: object }).repo, full_name: head.repository },
      ref: head.branch,
      sha: head.sha,
    },
    base: { ...shownBase, ref: base },
  };
}

/** Whether a fork accepts a commit: one of its branches contains it, or it was made in the fork on top of them. */
function accepts(repository: RepositoryState, sha: string): boolean {
  if (repository.parent === undefined) return true;
  const { git } = repository;
  const branches = [...git.branches.values()];
  const isKnown = (commit: string): boolean => branches.some((head) => git.isAncestor(commit, head));
  return isKnown(sha) || (repository.made.has(sha) && git.commit(sha).parents.every(isKnown));
}

type Endpoint = (call: Call) => Answer;

/** An endpoint of a repository that the account may read, or write to. */
const reading =
  (run: (call: Call, repository: RepositoryState) => Answer): Endpoint =>
  (call) =>
    run(call, repositoryOf(call));
const writing =
  (run: (call: Call, repository: RepositoryState) => Answer): Endpoint =>
  (call) =>
    run(call, writtenBy(call));

export const ENDPOINTS: Record<string, Endpoint> = {
  "users/get-authenticated": ({ account, example }) => {
    if (account === undefined) throw new Refused(401, "Requires authentication");
    return [200, { ...example(200, "response-with-public-profile-information"), login: account.login }];
  },

  "repos/get": reading((call, found) => [200, describeRepository(found, call.account, call.example(200))]),

  "git/get-ref": reading((call, repository) => {
    const ref = `refs/${call.path["ref"]}`;
    if (repository.notReady > 0) {
      repository.notReady--;
      throw new Refused(409, EMPTY);
    }
    const sha = repository.git.resolve(ref);
    if (sha === undefined && repository.git.branches.size === 0) throw new Refused(409, EMPTY);
    if (sha === undefined) throw new Refused(404, "Not Found");
    return [200, refOf(repository.name, ref, sha)];
  }),

  "git/get-commit": reading((call, repository) => {
    const sha = repository.git.resolve(call.path["commit_sha"] ?? "");
    if (sha === undefined) throw new Refused(404, "Not Found");
    return [200, describeCommit(sha, repository, call.example(200))];
  }),

  "git/get-tree": reading((call, repository) => {
    const sha = repository.git.resolve(call.path["tree_sha"] ?? "", "tree");
    if (sha === undefined) throw new Refused(404, "Not Found");
    const entries = repository.git.list(sha, call.query.has("recursive"));
    return [200, describeTree(call, repository.name, sha, entries)];
  }),

  "git/get-blob": reading((call, repository) => {
    const sha = repository.git.resolve(call.path["file_sha"] ?? "", "blob");
    if (sha === undefined) throw new Refused(404, "Not Found");
    const bytes = repository.git.read(sha);
    const url = address(repository.name, `blobs/${sha}`);
    return [200, { sha, node_id: "B1", size: bytes.length, url, content: base64(bytes), encoding: "base64" }];
  }),

  "repos/get-content": reading((call, repository) => {
    const { git } = repository;
    const path = call.path["path"] ?? "";
    const commit = git.resolve(call.query.get("ref") ?? repository.defaultBranch);
    if (commit === undefined) throw new Refused(404, "No commit found for the ref");
    const entry = git.entry(commit, path);
    if (entry === undefined) throw new Refused(404, "Not Found");
    const example = call.example(200, "response-if-content-is-a-file");
    const describe = ({ sha, size = 0 }: GitEntry, type: string, at: string): object => ({
      ...example,
      type,
      size,
      name: basename(at),
      path: at,
      sha,
    });
    if (entry.type === "tree") {
      const entries = git.list(entry.sha);
      const body = entries.map((one) =>
        describe(one, one.type === "tree" ? "dir" : "file", `${path}/${one.path}`),
      );
      return [200, body];
    }
    const bytes = git.read(entry.sha);
    if (entry.mode === "120000")
      return [200, { ...describe(entry, "symlink", path), target: bytes.toString() }];
    const isIncluded = bytes.length <= CONTENT_BYTES;
    const content = { encoding: isIncluded ? "base64" : "none", content: isIncluded ? base64(bytes) : "" };
    return [200, { ...describe(entry, "file", path), ...content }];
  }),

  "git/create-blob": writing((call, { git, name }) => {
    const { content, encoding } = call.body as { content: string; encoding?: string };
    const sha = git.writeBlob(Buffer.from(content, encoding === "base64" ? "base64" : "utf8"));
    return [201, { sha, url: address(name, `blobs/${sha}`) }];
  }),

  "git/create-tree": writing((call, { git, name }) => {
    const { base_tree: base, tree } = call.body as {
      base_tree?: string;
      tree: { path: string; mode: string; sha?: string | null; content?: string }[];
    };
    if (base !== undefined && git.resolve(base, "tree") === undefined) throw new Refused(404, "Not Found");
    const entries = tree.map(({ path, mode, content, ...own }) => {
      const sha = content === undefined ? (own.sha ?? null) : git.writeBlob(content);
      if (sha !== null && git.resolve(sha, "blob") === undefined)
        throw new Refused(422, "tree.sha is not a valid blob");
      if (sha === null && (base === undefined || git.entry(base, path) === undefined))
        throw new Refused(422, "GitRPC::BadObjectState");
      return [path, sha === null ? null : { mode, sha }] as const;
    });
    const sha = git.writeTree(base, entries);
    return [201, describeTree(call, name, sha, git.list(sha))];
  }),

  "git/create-commit": writing((call, repository) => {
    const { git } = repository;
    const commit = call.body as Commit;
    if (git.resolve(commit.tree, "tree") === undefined) throw new Refused(422, "Tree SHA does not exist");
    const sha = git.writeCommit(commit);
    repository.made.add(sha);
    return [201, describeCommit(sha, repository, call.example(201))];
  }),

  "git/create-ref": writing((call, repository) => {
    const { git, name } = repository;
    const { ref, sha } = call.body as { ref: string; sha: string };
    if (!/^refs(?:\/[\w#@-][\w#@.-]*){2,}$/.test(ref) || ref.includes(".."))
      throw new Refused(422, `${ref} is not a valid ref name.`);
    if (git.resolve(ref) !== undefined) throw new Refused(422, "Reference already exists");
    if (git.resolve(sha) === undefined) throw new Refused(422, "Object does not exist");
    if (!accepts(repository, sha)) throw new Refused(404, "Not Found");
    git.refs.set(ref, sha);
    return [201, refOf(name, ref, sha)];
  }),

  "git/delete-ref": writing((call, { git, name }) => {
    const ref = `refs/${call.path["ref"]}`;
    if (git.resolve(ref) === undefined) throw new Refused(422, "Reference does not exist");
    git.refs.delete(ref);
    // GitHub closes a pull request whose branch is removed.
    for (const pull of call.world.pulls)
      if (pull.head.repository === name && ref === `refs/heads/${pull.head.branch}`) pull.state = "closed";
    return [204];
  }),

  "pulls/create": reading((call, repository) => {
    const { world, account } = call;
    if (account === undefined) throw new Refused(401, "Requires authentication");
    requirePermission(account, "pull_requests:write");
    const { head, ...proposal } = call.body as Record<"title" | "body" | "head" | "base", string> & {
      draft: boolean;
    };
    const { base } = proposal;
    const [owner, branch] = head.includes(":") ? head.split(":") : [repository.name.split("/")[0], head];
    const from = [...world.repositories.values()].find(
      (one) => one.name.startsWith(`${owner}/`) && (one === repository || one.parent === repository),
    );
    const invalid = (message: string): Refused =>
      new Refused(422, "Validation Failed", [{ resource: "PullRequest", code: "custom", message }]);
    const sha = from?.git.resolve(`refs/heads/${branch}`);
    const target = repository.git.resolve(`refs/heads/${base}`);
    if (from === undefined || sha === undefined || target === undefined)
      throw new Refused(422, "Validation Failed", [
        { resource: "PullRequest", field: "head", code: "invalid" },
      ]);
    if (sha === target) throw invalid(`No commits between ${base} and ${head}`);
    const isOfHead = ({ head: own, state }: PullRequestState): boolean =>
      state === "open" && own.branch === branch && own.repository === from.name;
    if (world.pulls.some(isOfHead)) throw invalid(`A pull request already exists for ${head}.`);
    const number = world.pulls.length + 1;
    repository.git.refs.set(`refs/pull/${number}/head`, sha);
    const pull: PullRequestState = {
      number,
      login: account.login,
      state: "open",
      ...proposal,
      head: { repository: from.name, branch: branch ?? "", sha },
    };
    world.pulls.push(pull);
    return [201, describePull(pull, repository.name, call.example(201))];
  }),

  "pulls/list": reading((call, repository) => {
    const asked = call.query.get("head");
    const found = call.world.pulls.filter(
      ({ state, base, head }) =>
        state === call.query.get("state") &&
        base === call.query.get("base") &&
        (asked === null || asked === `${head.repository.split("/")[0]}:${head.branch}`),
    );
    const [example = {}] = call.example(200) as unknown as Record<string, unknown>[];
    return [200, found.map((pull) => describePull(pull, repository.name, example))];
  }),

  "repos/create-fork": reading((call, repository) => {
    const { world, account } = call;
    if (account === undefined) throw new Refused(401, "Requires authentication");
    if (account.scopes === undefined)
      throw new Refused(403, "Resource not accessible by personal access token");
    if (!repository.mayFork) throw new Refused(403, "The repository exists, but forking is disabled.");
    const name = `${account.login}/${repository.name.split("/")[1]}`;
    const fork =
      world.repositories.get(name) ??
      world.create(name, {
        parent: repository,
        writers: new Set([account.login]),
        notReady: world.forkDelay,
      });
    return [202, describeRepository(fork, account, call.example(202))];
  }),

  "repos/merge-upstream": writing((call, { git, parent }) => {
    const { branch } = call.body as { branch: string };
    const upstream = parent?.git.resolve(`refs/heads/${branch}`);
    const own = git.resolve(`refs/heads/${branch}`);
    if (upstream === undefined || own === undefined) throw new Refused(422, "The branch does not exist");
    if (!git.isAncestor(own, upstream)) throw new Refused(409, "There are merge conflicts");
    git.refs.set(`refs/heads/${branch}`, upstream);
    const [owner = ""] = parent?.name.split("/") ?? [];
    return [200, { ...call.example(200), merge_type: "fast-forward", base_branch: `${owner}:${branch}` }];
  }),

  "actions/list-workflow-runs-for-repo": reading((call) => {
    const { account, world } = call;
    requirePermission(account, "actions:read");
    const { workflow_runs: runs } = call.example(200) as { workflow_runs: object[] };
    const shown = world.runs.map((run, i) =>
      Object.assign({}, runs[0], run, {
        head_sha: call.query.get("head_sha"),
        html_url: `https://github.com/octocat/hello/actions/runs/${i + 1}`,
      }),
    );
    return [200, { total_count: shown.length, workflow_runs: shown }];
  }),

  "repos/get-combined-status-for-ref": reading((call) => {
    const { account, world } = call;
    requirePermission(account, "statuses:read");
    const body = call.example(200) as { statuses: object[] };
    const statuses = world.statuses.map((status) => Object.assign({}, body.statuses[0], status));
    return [200, { ...body, sha: call.path["ref"], total_count: statuses.length, statuses }];
  }),
};
