import type { GitHubRepository } from "../../page/site.ts";

export type { GitHubRepository } from "../../page/site.ts";

/** The owner and the name, as GitHub's API takes them. */
export function ownerOf(name: string): { owner: string; repo: string } {
  const [owner = "", repo = ""] = name.split("/");
  return { owner, repo };
}

/** The path in the repository of a file below the content folder. */
export function pathOf(repository: GitHubRepository, file: string): string {
  const folders = foldersOf(repository.content);
  return [...folders, file].join("/");
}

/** The names of a path, without those that lead nowhere else. */
export const foldersOf = (path: string): string[] =>
  path.split("/").filter((name) => name !== "" && name !== ".");

/** The slug of a page, from its source file. */
export function slugOf(file: string): string {
  const names = file.replace(/\.json$/, "").split("/");
  const name = (names.pop() ?? "").replace(/^_/, "");
  return name === "index" ? (names.pop() ?? "home") : name;
}
