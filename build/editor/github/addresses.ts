import type { GitHubRepository } from "../../page/site.ts";
import { foldersOf, ownerOf, pathOf } from "./client.ts";
import type { FileChange } from "../store.ts";

/** An address of GitHub's own editor, for an editor without an access token. */
interface EditorAddress {
  url: string;
  /** The text to copy to the clipboard before the address is opened; null if none is needed. */
  clipboard: string | null;
}

/** Maximum bytes of an address that contains a text: GitHub refuses longer ones. */
export const MAX_ADDRESS_BYTES = 8000;

/** A branch may contain slashes, which separate its parts in an address too. */
const encodePath = (path: string): string => path.split("/").map(encodeURIComponent).join("/");

/** The address of GitHub's own editor for a change: a new file, a changed file or a removed file. */
export function openOnGitHub(
  repository: GitHubRepository,
  { file, before, after }: FileChange,
): EditorAddress {
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
