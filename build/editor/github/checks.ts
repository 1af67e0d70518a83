import { GitHubFailure } from "./failures.ts";
import type { GitHubClient } from "./client.ts";
import type { PullRequest } from "./propose.ts";
import { ownerOf } from "./repository.ts";

/** `waiting`: an administrator has to allow it first. */
export type CheckState = "running" | "waiting" | "passed" | "failed" | "skipped";

export interface PullRequestCheck {
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

/** The checks of a pull request: runs of Actions and commit statuses, as far as the access token may read them. */
export async function readChecks(
  client: GitHubClient,
  { head, url }: PullRequest,
): Promise<PullRequestChecks> {
  const at = ownerOf(client.repository.name);
  const runs = await visible(
    client.ask((ask) =>
      ask("GET /repos/{owner}/{repo}/actions/runs", { ...at, head_sha: head, per_page: PER_PAGE }),
    ),
  );
  const statuses = await visible(
    client.ask((ask) =>
      ask("GET /repos/{owner}/{repo}/commits/{ref}/status", { ...at, ref: head, per_page: PER_PAGE }),
    ),
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

/** The response; undefined if the access token may not read it. */
async function visible<T>(response: Promise<T>): Promise<T | undefined> {
  try {
    return await response;
  } catch (cause) {
    if (cause instanceof GitHubFailure && (cause.status === 403 || cause.status === 404) && !cause.isPause)
      return undefined;
    throw cause;
  }
}

/** A commit status may contain any address, so only HTTP and HTTPS addresses become links. */
const webAddress = (address: string | null): string | null =>
  address !== null && /^https?:\/\//.test(address) ? address : null;
