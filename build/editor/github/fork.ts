import { StoreFailure } from "../store.ts";
import { ownerOf, type GitHubClient, unless } from "./client.ts";
import { GitHubFailure } from "./failures.ts";

/** Maximum number of checks whether a new fork is ready. */
export const MAX_FORK_ATTEMPTS = 30;
/** Milliseconds between two checks. */
const PAUSE_MS = 2000;

/** Makes a fork for the token's owner if there is none, and waits until it is ready. @returns its name */
export async function openFork(
  client: GitHubClient,
  wait: (milliseconds: number) => Promise<unknown>,
): Promise<string> {
  const { repository } = client;
  const { data } = await client.request("POST /repos/{owner}/{repo}/forks", ownerOf(repository.name));
  const name = data.full_name;
  for (let attempt = 1; attempt <= MAX_FORK_ATTEMPTS; attempt++) {
    // A new fork is an empty repository (409) until GitHub has copied its objects.
    const ready = await unless([409], client.headOf(name, data.default_branch));
    if (ready !== undefined) return name;
    if (attempt < MAX_FORK_ATTEMPTS) await wait(PAUSE_MS);
  }
  throw new StoreFailure(`GitHub is still making the fork ${name}. Try again in some minutes.`);
}

/** Makes a branch at a commit of the repository. If the fork lacks it, GitHub first updates the fork. */
export async function branchFork(
  client: GitHubClient,
  fork: string,
  make: () => Promise<void>,
): Promise<void> {
  const { repository } = client;
  try {
    await make();
  } catch (cause) {
    if (!(cause instanceof GitHubFailure) || (cause.status !== 404 && cause.status !== 422)) throw cause;
    try {
      await client.request("POST /repos/{owner}/{repo}/merge-upstream", {
        ...ownerOf(fork),
        branch: repository.branch,
      });
    } catch (refusal) {
      if (!(refusal instanceof GitHubFailure) || ![404, 409, 422].includes(refusal.status ?? 0))
        throw refusal;
      throw new StoreFailure(
        `The fork ${fork} is not up to date. Open ${repository.web_url}/${fork}, press “Sync fork”, then try again.`,
      );
    }
    await make();
  }
}
