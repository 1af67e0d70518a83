import type { GitHubRepository } from "../../model/site.ts";
import { StoreFailure } from "../store.ts";

/** The facts about a request that the message of its failure depends on. */
export interface Request {
  repository: GitHubRepository;
  token: string | undefined;
  now: () => number;
}

type ResponseHeaders = Record<string, string | number | undefined>;

/** A failure of a request, as `@octokit/request` reports it. */
interface Failed {
  status?: number;
  response?: { headers?: ResponseHeaders; data?: unknown };
}

/** Seconds to wait if GitHub requires a pause without a duration. */
const PAUSE_S = 60;

export class GitHubFailure extends StoreFailure {
  /** The status of GitHub's response; undefined if there was none. */
  readonly status: number | undefined;
  /** Whether GitHub accepts no more requests for now. */
  readonly isPause: boolean;
  constructor(message: string, status?: number, isPause = false) {
    super(message);
    this.status = status;
    this.isPause = isPause;
  }
}

/** Whether GitHub refused a request with one of the statuses, and does not only require a pause. */
export const isRefused = (cause: unknown, statuses: readonly number[], message = /(?:)/): boolean =>
  cause instanceof GitHubFailure &&
  !cause.isPause &&
  statuses.includes(cause.status ?? 0) &&
  message.test(cause.message);

export const hostOf = ({ api_url }: GitHubRepository): string => new URL(api_url).host;

/** The failure of a request. It contains neither the request nor its headers, which contain the token. */
export function failureOf(cause: unknown, request: Request): GitHubFailure {
  const { status, response } = cause as Failed;
  if (response === undefined || status === undefined)
    return new GitHubFailure(
      `${hostOf(request.repository)} does not respond. Check your connection, then try again.`,
    );
  const headers = response.headers ?? {};
  const said = messageIn(response.data);
  const pause = pauseIn(status, headers, said, request.now);
  const message =
    pause === undefined ? messageFor(status, headers, said, request) : pauseMessage(pause, request);
  // A response may repeat the token.
  const safe = request.token === undefined ? message : message.replaceAll(request.token, "…");
  return new GitHubFailure(safe, status, pause !== undefined);
}

const pauseMessage = (time: string, { token }: Request): string =>
  `GitHub accepts no more requests for now. Try again after ${time}.${token === undefined ? " With an access token, it accepts more requests." : ""}`;

function messageFor(status: number, headers: ResponseHeaders, said: string, request: Request): string {
  const { repository, token } = request;
  const { name } = repository;
  if (status === 401)
    return "GitHub does not accept the access token: it has expired, has been revoked or is incomplete. Enter another token.";
  const signOn = /url=(https:\/\/\S+)/.exec(String(headers["x-github-sso"] ?? ""))?.[1];
  if (signOn !== undefined)
    return `The organization of ${name} requires single sign-on. Authorize the access token at ${signOn}, then try again.`;
  if (status === 403 && /not accessible by/i.test(said))
    return `The access token may not do this in ${name}. Give it the permissions “Contents” and “Pull requests”, both “Read and write”, for this repository.`;
  if (/rule violations|protected branch|protected ref/i.test(said))
    return `The rules of ${name} refuse the change: ${said} Ask an administrator to allow branches with names that begin with “edit/”.`;
  if (status === 403)
    return `GitHub refuses this in ${name}: ${said} Ask an administrator of the repository for the right to write.`;
  if (status === 404)
    return `${name} is not on ${hostOf(repository)}, or ${token === undefined ? "it can be read only with an access token" : "the access token may not read it"}. Check the token and “repository” in _site.json.`;
  if (status === 409 && /empty/i.test(said))
    return `${name} has no commits. Push the project to it, then try again.`;
  if (status === 409) return `${name} has just changed: ${said} Try again.`;
  if (status === 422 && /draft pull requests are not supported/i.test(said))
    return `${name} has no draft pull requests. Correct the errors of the pages, then propose them again.`;
  if (status === 422)
    return `GitHub refuses the change: ${said} Open the file on GitHub, or ask an administrator of ${name}.`;
  if (status >= 500)
    return `GitHub has a fault (status ${status}). Try again in some minutes; ${isPublic(repository) ? "https://www.githubstatus.com lists known faults" : "ask its administrator if the fault stays"}.`;
  return `GitHub responds with status ${status}: ${said} Try again, or ask an administrator of ${name}.`;
}

const isPublic = ({ web_url }: GitHubRepository): boolean => web_url === "https://github.com";

/** GitHub's own message, as one or more sentences. */
function messageIn(data: unknown): string {
  const { message, errors } = (data ?? {}) as { message?: unknown; errors?: unknown };
  const details = (Array.isArray(errors) ? errors : []).map((error: unknown) =>
    typeof error === "string" ? error : (error as { message?: unknown } | null)?.message,
  );
  const sentences = [message, ...details]
    .filter((text) => typeof text === "string" && text !== "")
    .map((text) => String(text).replaceAll(/\s+/g, " ").trim().slice(0, MAX_MESSAGE_LENGTH))
    .map((text) => (/[.!?]$/.test(text) ? text : `${text}.`));
  return sentences.length === 0 ? "No reason is given." : [...new Set(sentences)].join(" ");
}

const MAX_MESSAGE_LENGTH = 500;

/** The time of day when GitHub accepts requests again; undefined if the response requires no pause. */
function pauseIn(status: number, headers: ResponseHeaders, said: string, now: () => number) {
  if (status !== 403 && status !== 429) return undefined;
  const after = Number(headers["retry-after"] ?? Number.NaN);
  if (Number.isFinite(after)) return timeOf(now() + after * 1000);
  const reset = Number(headers["x-ratelimit-reset"] ?? Number.NaN);
  if (String(headers["x-ratelimit-remaining"]) === "0" && Number.isFinite(reset)) return timeOf(reset * 1000);
  const isLimit = status === 429 || /rate limit|abuse/i.test(said);
  return isLimit ? timeOf(now() + PAUSE_S * 1000) : undefined;
}

/** The local time of day, rounded up to a minute. */
function timeOf(milliseconds: number): string {
  return new Date(Math.ceil(milliseconds / 60_000) * 60_000).toTimeString().slice(0, 5);
}
