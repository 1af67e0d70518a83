import type { GitHubRepository } from "../../page/site.ts";
import { StoreFailure } from "../store.ts";
import { ownerOf, type GitHubClient } from "./client.ts";

/** The rights of an access token's owner in the repository. */
export interface Access {
  /** The name of the token's owner on GitHub. */
  login: string;
  /** `push`: propose on a branch of the repository; `fork`: propose through a fork; `read`: only read. */
  may: "push" | "fork" | "read";
  /** If `may` is `read`: the reason and an instruction. */
  message?: string;
}

export async function readAccess(client: GitHubClient): Promise<Access> {
  if (!client.hasToken) throw new StoreFailure("Enter an access token first.");
  const user = await client.request("GET /user");
  const { login } = user.data;
  const { repository } = client;
  const { data } = await client.request("GET /repos/{owner}/{repo}", ownerOf(repository.name));
  const scopes = scopesIn(user.headers);
  if (data.archived)
    return {
      login,
      may: "read",
      message: `${repository.name} is archived, so GitHub accepts no changes. Ask an administrator of the repository.`,
    };
  const isWriter = data.permissions?.push === true;
  const maySend =
    scopes === undefined ||
    scopes.some((scope) => scope === "repo" || (scope === "public_repo" && !data.private));
  if (isWriter && maySend) return { login, may: "push" };
  if (!isWriter && scopes !== undefined && maySend && data.allow_forking !== false)
    return { login, may: "fork" };
  return {
    login,
    may: "read",
    message: reason(repository, login, {
      isWriter,
      isPrivate: data.private,
      mayFork: data.allow_forking !== false,
    }),
  };
}

function reason(
  { name }: GitHubRepository,
  login: string,
  { isWriter, isPrivate, mayFork }: { isWriter: boolean; isPrivate: boolean; mayFork: boolean },
): string {
  const scope = isPrivate ? "repo" : "public_repo";
  if (isWriter)
    return `This classic token lacks the scope “${scope}”. Make one that has it, or a fine-grained token with “Contents” and “Pull requests”, both “Read and write”.`;
  if (!mayFork)
    return `${login} may not write to ${name}, which allows no forks. Ask an administrator of the repository for the right to write.`;
  return `${login} may not write to ${name}. Ask an administrator of the repository for the right to write, or enter a classic token with the scope “${scope}”: then the proposal is made through a fork of ${login}.`;
}

/** The scopes of a classic token; undefined for a fine-grained token, which has none. */
function scopesIn(headers: object): string[] | undefined {
  const listed = (headers as Record<string, unknown>)["x-oauth-scopes"];
  if (typeof listed !== "string") return undefined;
  return listed.split(",").map((scope) => scope.trim());
}
