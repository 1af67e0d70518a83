import { Repository } from "./git.ts";

export interface Account {
  login: string;
  scopes?: string[];
  permissions?: string[];
}

export interface RepositoryState {
  name: string;
  git: Repository;
  isPrivate: boolean;
  isArchived: boolean;
  mayFork: boolean;
  defaultBranch: string;
  writers: Set<string>;
  parent?: RepositoryState;
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

  create(name: string, own: Partial<RepositoryState> = {}): RepositoryState {
    const state: RepositoryState = {
      name,
      git: new Repository(own.parent?.git),
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
