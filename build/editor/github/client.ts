import { request } from "@octokit/request";
import { StoreFailure } from "../store.ts";
import { failureOf, GitHubFailure, hostOf } from "./failures.ts";
import type { GitHubRepository } from "./repository.ts";

/** Maximum time of a request, in milliseconds. */
export const MAX_REQUEST_MS = 60_000;

/** Requests of GitHub's API, typed by its published description. */
export type Ask = typeof request;

interface GitHubClientOptions {
  fetch: typeof fetch;
  now: () => number;
}

/** Sends requests to the API of one repository, with the access token if there is one. */
export class GitHubClient {
  readonly repository: GitHubRepository;
  readonly #options: GitHubClientOptions;
  #token: string | undefined;
  #ask: Ask;

  constructor(repository: GitHubRepository, token: string | undefined, options: GitHubClientOptions) {
    this.repository = repository;
    this.#options = options;
    this.#token = trimmed(token);
    this.#ask = this.#asker();
  }

  get hasToken(): boolean {
    return this.#token !== undefined;
  }

  setToken(token: string | undefined): void {
    this.#token = trimmed(token);
    this.#ask = this.#asker();
  }

  /**
   * Sends a request.
   *
   * @param missing the message if GitHub responds with 404.
   * @throws StoreFailure
   */
  async ask<T extends { status: number; data: unknown; headers: object }>(
    send: (ask: Ask) => Promise<T>,
    missing?: string,
  ): Promise<T> {
    const { repository } = this;
    const { now } = this.#options;
    const token = this.#token;
    if (token !== undefined && !SENDABLE.test(token))
      throw new StoreFailure(
        "This is not an access token of GitHub. Copy the token again, without other text.",
      );
    let response: T;
    try {
      response = await send(this.#ask);
    } catch (cause) {
      throw failureOf(cause, { repository, token, now, ...(missing === undefined ? {} : { missing }) });
    }
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

  /** Sends a request. @returns undefined if GitHub responds with 404. */
  async find<T extends { status: number; data: unknown; headers: object }>(
    send: (ask: Ask) => Promise<T>,
  ): Promise<T | undefined> {
    try {
      return await this.ask(send);
    } catch (cause) {
      if (cause instanceof GitHubFailure && cause.status === 404) return undefined;
      throw cause;
    }
  }

  #asker(): Ask {
    const { api_url } = this.repository;
    const { fetch } = this.#options;
    const base = `${api_url}/`;
    return request.defaults({
      baseUrl: api_url,
      headers: {
        "x-github-api-version": "2022-11-28",
        ...(this.#token === undefined ? {} : { authorization: `Bearer ${this.#token}` }),
      },
      request: {
        fetch: (url: string, init: RequestInit) => {
          if (!url.startsWith(base)) throw new TypeError(`not an address of the API: ${api_url}`);
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
        // The library would log deprecations with the URL of the request.
        log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
      },
    });
  }
}

const ignore = (): void => undefined;

/** The token without the spaces and line breaks around it, which are easily copied too. */
const trimmed = (token: string | undefined): string | undefined => token?.trim() || undefined;

/** A header can contain only visible ASCII characters. */
const SENDABLE = /^[\u0021-\u007e]+$/;
