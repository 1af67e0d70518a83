import { request } from "@octokit/request";
import type { GitHubRepository } from "../../model/site.ts";
import type { FileChange } from "../../change/change.ts";
import { StoreFailure } from "../store.ts";
import { failureOf, GitHubFailure, hostOf, isRefused } from "./failures.ts";

/** Maximum time of a request, in milliseconds. */
const MAX_REQUEST_MS = 60_000;

interface GitHubClientOptions {
  fetch: typeof fetch;
  now: () => number;
}

interface GitHubResponse {
  status: number;
  data: unknown;
}

/** Sends requests to the API of one repository, with the access token if there is one. */
export class GitHubClient {
  readonly repository: GitHubRepository;
  readonly #options: GitHubClientOptions;
  #token: string | undefined;

  constructor(repository: GitHubRepository, token: string | undefined, options: GitHubClientOptions) {
    this.repository = repository;
    this.#options = options;
    this.setToken(token);
  }

  get hasToken(): boolean {
    return this.#token !== undefined;
  }

  /** The spaces and line breaks around a token are easily copied too. */
  setToken(token: string | undefined): void {
    this.#token = token?.trim() || undefined;
  }

  /** Sends a request, typed by GitHub's published description. It is rejected with a StoreFailure. */
  get request(): typeof request {
    const { api_url } = this.repository;
    const { fetch } = this.#options;
    const token = this.#token;
    return request.defaults({
      baseUrl: api_url,
      headers: {
        "x-github-api-version": "2022-11-28",
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      request: {
        fetch: (url: string, init: RequestInit) => {
          if (!url.startsWith(`${api_url}/`)) throw new TypeError(`not an address of the API: ${api_url}`);
          return fetch(url, {
            ...init,
            // GitHub lets browsers reuse a response for a minute, but a form needs the current file.
            cache: "no-store",
            credentials: "omit",
            // A redirect would send the token to another URL.
            redirect: "manual",
            referrerPolicy: "no-referrer",
            signal: AbortSignal.timeout(MAX_REQUEST_MS),
          } as RequestInit);
        },
        hook: (send: (options: object) => Promise<GitHubResponse>, options: object) =>
          this.#checked(token, () => send(options)),
        // The library would log deprecations with the URL of the request.
        log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
      },
    });
  }

  /** The hash of the last commit of a branch; undefined if there is no such branch. */
  async headOf(repository: string, branch: string): Promise<string | undefined> {
    const at = { ...ownerOf(repository), ref: `heads/${branch}` };
    const found = await unless([404], this.request("GET /repos/{owner}/{repo}/git/ref/{ref}", at));
    return found?.data.object.sha;
  }

  async access(): Promise<Access> {
    if (!this.hasToken) throw new StoreFailure("Enter an access token first.");
    const user = await this.request("GET /user");
    const { login } = user.data;
    const { name } = this.repository;
    const { data } = await this.request("GET /repos/{owner}/{repo}", ownerOf(name));
    const refused = (message: string): Access => ({ login, may: "read", message });
    if (data.archived)
      return refused(
        `${name} is archived, so GitHub accepts no changes. Ask an administrator of the repository.`,
      );
    // Of a classic token; a fine-grained token has none.
    const listed = (user.headers as Record<string, unknown>)["x-oauth-scopes"];
    const scopes = typeof listed === "string" ? listed.split(",").map((one) => one.trim()) : undefined;
    const scope = data.private ? "repo" : "public_repo";
    const maySend = scopes?.some((one) => one === "repo" || one === scope) ?? true;
    const mayFork = data.allow_forking !== false;
    if (data.permissions?.push === true) {
      if (maySend) return { login, may: "push" };
      return refused(
        `This classic token lacks the scope “${scope}”. Make one that has it, or a fine-grained token with “Contents” and “Pull requests”, both “Read and write”.`,
      );
    }
    if (scopes !== undefined && maySend && mayFork) return { login, may: "fork" };
    return refused(
      mayFork
        ? `${login} may not write to ${name}. Ask an administrator of the repository for the right to write, or enter a classic token with the scope “${scope}”: then the proposal is made through a fork of ${login}.`
        : `${login} may not write to ${name}, which allows no forks. Ask an administrator of the repository for the right to write.`,
    );
  }

  async #checked(token: string | undefined, send: () => Promise<GitHubResponse>): Promise<GitHubResponse> {
    const { repository } = this;
    if (token !== undefined && !SENDABLE.test(token))
      throw new StoreFailure(
        "This is not an access token of GitHub. Copy the token again, without other text.",
      );
    const response = await send().catch((cause: unknown) => {
      throw failureOf(cause, { repository, token, now: this.#options.now });
    });
    // A browser hides the target of a redirect, and its status is 0.
    if (response.status < 200 || response.status >= 300)
      throw new GitHubFailure(
        `${hostOf(repository)} redirects requests for ${repository.name}, which has probably been renamed. Change “repository” in _site.json.`,
        response.status,
      );
    if (response.status !== 204 && (typeof response.data !== "object" || response.data === null))
      throw new GitHubFailure(
        `${repository.api_url} does not respond as GitHub's API does. Check “repository.api_url” in _site.json, and whether your network requires a sign-in.`,
        response.status,
      );
    return response;
  }
}

/** The response; undefined if its status is one of those given. */
export async function unless<T>(statuses: readonly number[], response: Promise<T>): Promise<T | undefined> {
  return response.catch((cause: unknown) => {
    if (isRefused(cause, statuses)) return undefined;
    throw cause;
  });
}

const ignore = (): void => undefined;

/** A header can contain only visible ASCII characters. */
const SENDABLE = /^[\u0021-\u007e]+$/;

/** The parameters of GitHub's API for a repository. */
export function ownerOf(name: string): { owner: string; repo: string } {
  const [owner = "", repo = ""] = name.split("/");
  return { owner, repo };
}

/** The repository path of a file below the content folder. */
export function pathOf(repository: GitHubRepository, file: string): string {
  const folders = foldersOf(repository.content);
  return [...folders, file].join("/");
}

export const foldersOf = (path: string) => path.split("/").filter((name) => name !== "" && name !== ".");

/** The rights of an access token's owner in the repository. */
export interface Access {
  /** The name of the token's owner on GitHub. */
  login: string;
  /** `push`: propose on a branch of the repository; `fork`: propose through a fork; `read`: only read. */
  may: "push" | "fork" | "read";
  /** If `may` is `read`: the reason and an instruction. */
  message?: string;
}

/** Maximum bytes of an address that contains a text: GitHub refuses longer ones. */
export const MAX_ADDRESS_BYTES = 8000;

/** A branch may contain slashes, which separate its parts in an address too. */
const encodePath = (path: string): string => path.split("/").map(encodeURIComponent).join("/");

/**
 * The address of GitHub's own editor for a change, for an editor without an access token: a new, changed or removed file.
 *
 * @returns with the text to copy to the clipboard before the address is opened; null if none is needed
 */
export function openOnGitHub(repository: GitHubRepository, { file, before, after }: FileChange) {
  const path = pathOf(repository, file);
  const names = path.split("/");
  const name = names.pop() ?? "";
  const at = (action: string, ...below: string[]): string =>
    `${repository.web_url}/${encodePath(repository.name)}/${action}/${encodePath([repository.branch, ...below].join("/"))}`;
  if (after === null) return { url: at("delete", path), clipboard: null };
  if (before !== null) return { url: at("edit", path), clipboard: after };
  const url = `${at("new", ...names)}?filename=${encodeURIComponent(name)}`;
  // A text with an unpaired surrogate cannot be encoded in an address.
  const filled = after.isWellFormed() ? `${url}&value=${encodeURIComponent(after)}` : undefined;
  return filled !== undefined && filled.length <= MAX_ADDRESS_BYTES
    ? { url: filled, clipboard: null }
    : { url, clipboard: after };
}

/** The address of GitHub's form for an access token; it fills in as much as GitHub allows. */
export function tokenAddress({ web_url, name }: GitHubRepository, kind: "fine-grained" | "classic"): string {
  const [path, fields] =
    kind === "classic"
      ? ["tokens/new", { description: `Edit ${name}`, scopes: "public_repo" }]
      : [
          "personal-access-tokens/new",
          {
            name: `Edit ${foldersOf(name).join(" ")}`.slice(0, MAX_TOKEN_NAME),
            target_name: ownerOf(name).owner,
            contents: "write",
            pull_requests: "write",
          },
        ];
  return `${web_url}/settings/${path}?${new URLSearchParams(fields).toString()}`;
}

const MAX_TOKEN_NAME = 40;
