import { join } from "node:path";
import { BareRepository } from "./git.ts";

/** The owner of an access token. */
export interface Account {
  login: string;
  /** The scopes of a classic token. */
  scopes?: string[];
  /** The permissions of a fine-grained token. */
  permissions?: string[];
}

export interface RepositoryState {
  name: string;
  git: BareRepository;
  isPrivate: boolean;
  isArchived: boolean;
  mayFork: boolean;
  defaultBranch: string;
  writers: Set<string>;
  /** The repository that this is a fork of, if any. */
  parent?: RepositoryState;
  /** The commits that were made in this repository. */
  made: Set<string>;
  /** Number of requests until the fork has its objects. */
  notReady: number;
}

export interface PullRequestState {
  number: number;
  login: string;
  state: "open" | "closed";
  title: string;
  body: string;
  draft: boolean;
  base: string;
  head: { repository: string; branch: string; sha: string };
}

export class GitHubWorld {
  readonly accounts = new Map<string, Account>();
  readonly repositories = new Map<string, RepositoryState>();
  readonly pulls: PullRequestState[] = [];
  readonly runs: { name: string; status: string; conclusion: string | null }[] = [];
  readonly statuses: { context: string; state: string; target_url: string | null }[] = [];
  /** Maximum number of entries in a response that lists a folder; GitHub allows 100,000. */
  maxEntries = 100_000;
  /** Number of requests until a new fork is ready. */
  forkDelay = 0;
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  create(name: string, own: Partial<RepositoryState> = {}): RepositoryState {
    const state: RepositoryState = {
      name,
      git: new BareRepository(join(this.#folder, `${name}.git`), own.parent?.git),
      isPrivate: false,
      isArchived: false,
      mayFork: true,
      defaultBranch: "main",
      writers: new Set(),
      made: new Set(),
      notReady: 0,
      ...own,
    };
    this.repositories.set(name, state);
    return state;
  }
}
