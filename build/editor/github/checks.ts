import { ownerOf, type GitHubClient, unless } from "./client.ts";
import type { PullRequest } from "./propose.ts";

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
