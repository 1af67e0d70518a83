import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { PROGRAM_HEADERS } from "../../../build/base/folders.ts";
import {
  GitHubStore,
  type ChangeCollection,
  type GitHubSettings,
} from "../../../build/editor/github/store.ts";
import type { CollectedChange } from "../../../build/editor/github/collection.ts";
import { ProposedActions } from "../../../build/editor/github/page-actions.ts";
import type { FileChange } from "../../../build/change/change.ts";
import { addressOfSource } from "../../../build/change/plan.ts";
import { linksOf, pathsLinked } from "../../../build/check/nodes.ts";
import { parseJson } from "../../../build/source/json/parse.ts";
import { SITE } from "../../../build/source/site-files.ts";
import { programModel } from "../../../build/model/program-model.ts";
import type { GitHubRepository, Site } from "../../../build/model/site.ts";
import { afterEach, beforeEach } from "vitest";
import { filesBelow } from "../../files.ts";
import { FIXTURE_SITE } from "../../fixtures.ts";
import { StandIn } from "./stand-in.ts";

export const NAME = "aldermouth/pages";

export const TOKENS = {
  writer: "github_pat_writer0123456789",
  classicWriter: "ghp_classicWriter0123456789",
  reader: "github_pat_reader0123456789",
  stranger: "github_pat_stranger0123456789",
  forker: "ghp_forker0123456789",
};

export const PROPOSAL = { title: "Add a page", body: "", draft: false };
/** Too long for the request that lists all files, so that it is sent before. */
export const CHANGE = { file: "visit/cloakroom.json", before: null, after: `{}${" ".repeat(2 ** 16)}\n` };

export const FIXTURE_SETTINGS = JSON.parse(readFileSync(join(FIXTURE_SITE, SITE), "utf8")) as Site;

const WRITE = ["contents:write", "pull_requests:write"];

export type Museum = Awaited<ReturnType<typeof openMuseum>>;

export function collectionOf(changes: readonly FileChange[]): ChangeCollection {
  let collected: readonly CollectedChange[] = changes.map((one) => ({ files: [one], pages: [one.file] }));
  let isBusy = false;
  return {
    read: () => collected,
    write: (now) => (collected = now),
    alone: async (task) => {
      if (isBusy) return undefined;
      isBusy = true;
      return task().finally(() => (isBusy = false));
    },
  };
}

/** Makes a museum's repository on the stand-in of GitHub, with the sources of the test site. */
export async function openMuseum({ isEnterprise = false, branch = "main", content = "content" } = {}) {
  const github = await StandIn.start({ isEnterprise });
  const { world } = github;
  world.accounts.set(TOKENS.writer, {
    login: "mira",
    permissions: [...WRITE, "actions:read", "statuses:read"],
  });
  world.accounts.set(TOKENS.classicWriter, { login: "mira", scopes: ["repo"] });
  world.accounts.set(TOKENS.reader, { login: "mira", permissions: [] });
  world.accounts.set(TOKENS.stranger, { login: "otto", permissions: WRITE });
  world.accounts.set(TOKENS.forker, { login: "otto", scopes: ["public_repo"] });
  const repository = world.create(NAME, { writers: new Set(["mira"]), defaultBranch: branch });
  const sources = filesBelow(FIXTURE_SITE).map(
    (file) => [file, readFileSync(join(FIXTURE_SITE, file))] as const,
  );
  const prefix = content.replace(/\/?$/, "/").replace(/^\//, "");
  repository.git.change(branch, Object.fromEntries(sources.map(([file, bytes]) => [prefix + file, bytes])));

  /** The files of live pages, by id. */
  const live = new Map<number, string>();
  /** The paths that live pages link to in the published data, by file. */
  const links = new Map<string, string[]>();
  for (const [file, bytes] of sources) {
    if (!file.endsWith(".json")) continue;
    const { id } = JSON.parse(bytes.toString()) as { id?: number };
    const isDraft = (file.split("/").pop() ?? "").startsWith("_");
    if (id === undefined || isDraft) continue;
    live.set(id, file);
    const { source, root } = parseJson(file, bytes);
    const linked = root === undefined ? [] : linksOf(source, root, programModel).map(({ href }) => href);
    links.set(file, pathsLinked(linked, FIXTURE_SETTINGS));
  }
  const settings: GitHubRepository = {
    name: NAME,
    branch,
    content,
    web_url: "https://github.com",
    api_url: github.api,
  };
  const published = {
    fileOf: (id: number) => Promise.resolve(live.get(id)),
    sources: () => Promise.resolve(new Map([...live.values()].map((file) => [file, links.get(file) ?? []]))),
  };
  /** @param changes the changes that were collected before. */
  const open = (token?: string, own: Partial<GitHubSettings> = {}, changes: readonly FileChange[] = []) =>
    new GitHubStore({
      repository: settings,
      token,
      published,
      collection: collectionOf(changes),
      wait: () => Promise.resolve(),
      ...own,
    });
  /** Fails if a request or response did not match GitHub's published description; forgets requests and faults. */
  const check = (): void => {
    const violations = github.violations.splice(0);
    github.reset();
    if (violations.length > 0) throw new Error(violations.join("\n"));
  };
  return { github, repository, settings, live, links, check, open };
}

/** Makes a folder of sources that are edited in the museum's repository, with the headers that allow it. @returns their file */
export function writeMuseumSite(content: string, { settings, github }: Museum): string {
  const repository = { ...settings, content: "content" };
  writeFileSync(join(content, SITE), JSON.stringify({ ...FIXTURE_SETTINGS, repository }));
  return writeHeaders(dirname(content), github.origin);
}

/** The project's headers, which allow requests to another origin. @returns the file */
export function writeHeaders(folder: string, origin: string): string {
  const file = join(folder, "_headers");
  const headers = readFileSync(PROGRAM_HEADERS, "utf8");
  writeFileSync(file, headers.replaceAll("connect-src 'self'", `connect-src 'self' ${origin}`));
  return file;
}

/** Moves pages in a store of the museum, whose live pages have their published addresses. @param rows their translations */
export const movesOf = (
  { live }: Museum,
  store: GitHubStore,
  site: Site = FIXTURE_SETTINGS,
  rows: readonly (readonly number[])[] = [],
): ProposedActions =>
  new ProposedActions(store, {
    addressOf: (id) => {
      const path = addressOfSource(live.get(id) ?? "", site);
      return Promise.resolve(path === undefined ? undefined : `${site.site_url}${path}`);
    },
    translationsOf: (id) => Promise.resolve(rows.find((row) => row.includes(id)) ?? []),
    site,
    pages: () => programModel,
  });

/** A museum that is opened before each test of a file, and closed and checked after it. */
export function museumOfEachTest(): Museum {
  const museum = {} as Museum;
  beforeEach(async () => {
    Object.assign(museum, await openMuseum());
  });
  afterEach(async () => {
    await museum.github.close();
    museum.check();
  });
  return museum;
}
