import type { GitHubRepository } from "../../page/site.ts";

export type { GitHubRepository } from "../../page/site.ts";

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

/** The names in a path, without empty ones and `.`. */
export const foldersOf = (path: string): string[] =>
  path.split("/").filter((name) => name !== "" && name !== ".");
