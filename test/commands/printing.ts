import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { PROGRAM_FOLDER } from "../../build/base/folders.ts";
import { fileOf, NAMES } from "../../scripts/commands.mjs";
import { commandLine, runHere } from "../command.ts";
import { commit, git } from "../change/diff/repository.ts";
import { HIDDEN, HOSTILE, HOSTILE_LINES, isCommand } from "../findings/hostile.ts";
import { general, work, workplace, write, writeSite, type Workplace } from "../site/site.ts";

/*
 * Calls that make every command print third-party names and values: `printed.test.ts` runs them in its process.
 * `printed.slow.ts` runs them as processes, including the commands that run until they are interrupted.
 */

/** Sources without errors, sources with many, both with misleading names and values, and data to import. */
let valid: Workplace;
let broken: Workplace;
/** Sources for commands that change them, with a misleading link. */
let moved: Workplace;
let data: string;
let syncModule: string;
/** A host whose responses contain such values. */
let host: string;
const server = createServer(({ url = "" }, response) => {
  // A client that retries invalid responses gives up on this status.
  if (url.startsWith("/refused")) response.statusCode = 403;
  response.setHeader("Content-Type", "text/html; \u009b31m");
  response.setHeader("Location", "/::error::\u009b31m##[error]");
  response.statusMessage = "\u009b31m";
  response.end(HOSTILE_LINES);
});

/** A name that is not UTF-8: é in Latin-1. */
const inBytes = (folder: string, before: string, after: string): Buffer =>
  Buffer.concat([Buffer.from(`${folder}/${before}`), Buffer.from([0xe9]), Buffer.from(after)]);

async function prepare(): Promise<void> {
  valid = workplace("valid");
  writeSite(valid.content);
  git(valid.folder, "init", "--quiet", "--initial-branch", "main");
  commit(valid.folder);
  write(valid.content, "about.json", general(2, HOSTILE_LINES));
  const later = general(3, HOSTILE_LINES);
  write(valid.content, `_${HOSTILE_LINES}/later.json`, {
    ...later,
    meta: { ...later.meta, go_live_at: "9000-01-01T00:00:00Z" },
  });
  write(
    valid.content,
    `works/_${HOSTILE_LINES}/rush.json`,
    work(60, HOSTILE_LINES, { medium: HOSTILE_LINES }),
  );
  write(valid.content, `_${HOSTILE_LINES}.json`, { id: HOSTILE_LINES });
  write(valid.content, `${HOSTILE_LINES}.txt`, "");
  writeFileSync(inBytes(valid.content, "_draft-", ".json"), "{}");
  writeFileSync(inBytes(valid.content, "other-", ".txt"), "");
  write(valid.content, `works/_${HOSTILE_LINES}/sedge.json`, work(61, "Sedge", { iiif_id: HOSTILE_LINES }));

  moved = workplace("moved");
  writeSite(moved.content);
  const link = `<a href="/about/?${HOSTILE}">a</a><a href="/visit/cafe/?${HOSTILE}">b</a>`;
  write(moved.content, "works/linking.json", work(62, HOSTILE_LINES, { description: link }));

  broken = workplace("broken");
  writeSite(broken.content);
  git(broken.folder, "init", "--quiet", "--initial-branch", "main");
  commit(broken.folder);
  write(broken.content, "_site.json", {
    base_url: HOSTILE_LINES,
    site_url: "x",
    media_url: "x",
    [HOSTILE_LINES]: 1,
  });
  write(broken.content, `${HOSTILE_LINES}.json`, general(70, "A name that is no slug"));
  write(broken.content, `_${HOSTILE_LINES}/${HOSTILE_LINES}/page.json`, general(71, "Without an index"));
  write(broken.content, `_${HOSTILE_LINES}/index.json`, general(72, "In a group"));
  write(broken.content, `_${HOSTILE_LINES}/derived.json`, {
    ...general(73, "x"),
    url: HOSTILE_LINES,
    [HOSTILE_LINES]: 1,
  });
  write(broken.content, "syntax.json", `{"id": 1,\n "${HOSTILE.replace("\u001b", "")}" ${HOSTILE_LINES}}`);
  write(broken.content, "half.json", `{"id": 74, "title": "\\ud800##[error]", "\\ud800": 1}`);
  write(
    broken.content,
    "works/_a/marsh.json",
    work(31, "Marsh", {
      acno: HOSTILE_LINES,
      shop_url: HOSTILE_LINES,
      description: `<p ${HOSTILE}="1"><${HOSTILE_LINES}><a href="javascript:${HOSTILE_LINES}">x</a>`,
      [HOSTILE_LINES]: { [HOSTILE_LINES]: HOSTILE_LINES },
    }),
  );
  symlinkSync("/dev/zero", join(broken.content, `${HOSTILE_LINES}.link`));
  mkdirSync(inBytes(broken.content, "folder-", ""));
  writeFileSync(inBytes(broken.content, "page-", ".json"), "{}");

  data = join(broken.folder, "data");
  write(data, `artworks/${HOSTILE_LINES}.json`, { acno: HOSTILE_LINES });
  write(data, `artworks/broken-${HOSTILE_LINES}.json`, `{${HOSTILE_LINES}`);
  syncModule = join(broken.folder, "module.mjs");
  write(
    broken.folder,
    "module.mjs",
    `const text = ${JSON.stringify(HOSTILE_LINES)};
export default {
  name: "works", label: text,
  async *records() { yield { key: text }; },
  key: ({ key }) => key,
  page: () => ({ parent: "/", slug: text, meta: { type: "standardpages.GeneralPage" }, title: text }),
};`,
  );
  write(data, `artists/${HOSTILE_LINES}.json`, { fc: HOSTILE_LINES, url: HOSTILE_LINES });

  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Creates the sources and the host for the tests of this file. */
export function withHostileSources(): void {
  beforeAll(prepare);
  afterAll(() => void server.close());
}

export interface Call {
  args: string[];
  cwd?: string;
  /** Exit status that shows that the call printed the names and values. */
  status: number;
  /** For a command that keeps running: it is stopped once its output matches. */
  until?: RegExp;
  isJson?: true;
}

const reporters = (...names: string[]): string[][] => names.map((name) => ["--reporter", name]);

/**
 * The calls of each script that make it print third-party names and values on several lines, or as JSON or Markdown. Every
 * script is also called with misleading arguments, so a new script needs a line here, even if its list is empty.
 */
export const CALLS: Record<string, () => Call[]> = {
  bench: () => [],
  build: () => [
    ...reporters("human", "github", "markdown").map((name) => ({
      args: ["--content", broken.content, "--out", `${broken.out}-${name[1]}`, ...name],
      status: 1,
    })),
    { args: ["--content", valid.content, "--out", join(valid.folder, `out-${HOSTILE}`)], status: 0 },
    {
      args: ["--content", "content", "--out", join(valid.folder, `other-${HOSTILE}`), "--reporter", "github"],
      status: 0,
    },
    { args: ["--content", broken.content, "--reporter", "json"], status: 1, isJson: true },
  ],
  check: () => [
    ...reporters("human", "github", "markdown").flatMap((name) => [
      { args: ["--content", broken.content, ...name], status: 1 },
      { args: ["--content", valid.content, ...name], status: 0 },
    ]),
    { args: ["--content", broken.content, "--reporter", "json"], status: 1, isJson: true },
    { args: ["--content", HOSTILE], status: 2 },
    { args: ["--reporter", HOSTILE], status: 2 },
  ],
  contract: () => [],
  deploy: () => [],
  dev: () => [
    { args: ["--content", valid.content], status: 0, until: /Waiting for changes/ },
    { args: ["--content", broken.content], status: 0, until: /Waiting for changes/ },
  ],
  diff: () => [
    ...reporters("human", "markdown").flatMap((name) => [
      { args: name, cwd: valid.folder, status: 0 },
      { args: name, cwd: broken.folder, status: 1 },
    ]),
    { args: ["--exit-zero"], cwd: broken.folder, status: 0 },
    { args: ["--reporter", "json"], cwd: valid.folder, status: 0, isJson: true },
  ],
  "generate-commands": () => [],
  "generate-findings": () => [],
  fix: () => [
    { args: ["--content", broken.content, "--dry-run"], status: 1 },
    { args: ["--content", valid.content, "--dry-run"], status: 0 },
  ],
  hosting: () => [{ args: ["serve", "--root", HOSTILE], status: 0, isJson: true }],
  "generate-hosts": () => [],
  import: () => [
    { args: [data, "--content", join(broken.folder, "from-responses")], status: 2 },
    { args: [`${host}/refused`, "--content", join(broken.folder, "from-host"), "--ids", "1"], status: 2 },
  ],
  sync: () => [
    { args: [syncModule, "--content", valid.content], status: 1 },
    { args: [syncModule, "--content", valid.content, "--reporter", "json"], status: 1, isJson: true },
    { args: [syncModule, "--content", valid.content, "--reporter", "markdown"], status: 1 },
  ],
  "import-tate": () => [
    { args: [data, "--content", join(broken.folder, "imported")], status: 0 },
    { args: [data, "--content", data], status: 2 },
  ],
  init: () => [
    { args: ["--content", HOSTILE_LINES], status: 2 },
    { args: ["--content", join(valid.folder, HOSTILE)], status: 0 },
  ],
  mirror: () => [
    { args: [`${host}/refused`, join(valid.folder, HOSTILE)], status: 2 },
    { args: [`${host}/refused`, join(valid.folder, "mirror"), "--ids", "1"], status: 1 },
  ],
  move: () => [
    { args: ["about", "about-us", "--content", moved.content, "--dry-run"], status: 0 },
    { args: ["about", "about-us", "--content", moved.content], status: 0 },
  ],
  new: () => [
    { args: ["general", "hostile", "--title", HOSTILE, "--content", valid.content], status: 0 },
    { args: ["--list", "contributors", "--content", valid.content], status: 0 },
  ],
  schedule: () => [
    { args: ["--from", "2001-02-03T04:05:06Z", "--content", valid.content], status: 0 },
    { args: ["--reporter", "markdown", "--content", valid.content], status: 0 },
    { args: ["--reporter", "json", "--content", valid.content], status: 0, isJson: true },
  ],
  redirects: () => [{ args: ["--format", "csv", "--content", broken.content], status: 2 }],
  retire: () => [
    { args: ["visit/", "--content", moved.content, "--dry-run"], status: 0 },
    { args: ["visit/", "--content", moved.content], status: 2 },
    { args: ["visit/cafe", "--content", moved.content], status: 0 },
  ],
  prepack: () => [],
  "preview-cloudflare": () => [{ args: ["--content", broken.content], cwd: PROGRAM_FOLDER, status: 1 }],
  releases: () => [],
  rollback: () => [],
  "generate-schema": () => [],
  "generate-screenshots": () => [],
  "serve-bucket": () => [],
  start: () => [
    { args: ["--content", broken.content], status: 1 },
    { args: ["--content", valid.content], status: 0, until: /Ctrl-C ends/ },
  ],
  types: () => [{ args: ["--out", join(valid.folder, `types-${HOSTILE}`)], status: 0 }],
  verify: () => [
    ...reporters("human", "markdown").map((name) => ({ args: [host, "--id", "1", ...name], status: 1 })),
    { args: [host, "--content", valid.content, "--reporter", "json"], status: 1, isJson: true },
    { args: ["--live", "--content", broken.content], status: 2 },
  ],
};

/** Every command script with its name. */
export const COMMANDS = readdirSync(join(PROGRAM_FOLDER, "scripts"))
  .filter((file) => file.endsWith(".ts"))
  .map((file) => file.slice(0, -".ts".length))
  .filter((name) =>
    /^await command\(/m.test(readFileSync(join(PROGRAM_FOLDER, "scripts", `${name}.ts`), "utf8")),
  )
  .map((file) => ({ file, name: NAMES.find((name) => fileOf(name) === file) ?? "" }));

const FIRST: Call = { args: [`--${HOSTILE}`], status: 2 };

export const callsOf = (file: string): Call[] => [
  FIRST,
  { args: [HOSTILE_LINES], status: 2 },
  ...(CALLS[file]?.() ?? []),
];

export interface Printed {
  status: number | null;
  stdout: Buffer;
  stderr: Buffer;
}

/** Runs a command that ends by itself in this process. */
export async function here(name: string, { args, cwd = valid.folder }: Call): Promise<Printed> {
  const { status, stdout, stderr } = await runHere(name, args, { cwd });
  return { status, stdout: Buffer.from(stdout), stderr: Buffer.from(stderr) };
}

/** Runs a command in its own process, as people start it. */
export async function started(name: string, { args, cwd = valid.folder, until }: Call): Promise<Printed> {
  const child = spawn(process.execPath, commandLine(name, ...args), {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, error]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on("data", (bytes: Buffer) => {
    out.push(bytes);
    if (until !== undefined && !child.killed && until.test(Buffer.concat(out).toString()))
      child.kill("SIGINT");
  });
  child.stderr.on("data", (bytes: Buffer) => error.push(bytes));
  const [status] = (await once(child, "close")) as [number | null];
  return { status, stdout: Buffer.concat(out), stderr: Buffer.concat(error) };
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
/** Workflow commands that the reporter for GitHub writes for the runner. */
const ANNOTATION = /^::(?:error|warning) file=/;

/** The misleading lines of an output. */
const misleading = (bytes: Buffer, speaks: boolean): string[] =>
  utf8
    .decode(bytes)
    .split("\n")
    .filter((line) => {
      if (HIDDEN.test(line) || /^\s*injected/.test(line)) return true;
      return isCommand(speaks && ANNOTATION.test(line) ? line.slice(2) : line);
    });

/** The exit status of a call, and the lines that a terminal or a CI runner would interpret. */
export function harmOf({ args, isJson }: Call, { status, stdout, stderr }: Printed): object {
  // Throws unless it is JSON.
  if (isJson === true) JSON.parse(utf8.decode(stdout));
  return {
    args,
    status,
    stdout: misleading(stdout, false),
    stderr: misleading(stderr, args.includes("github")),
  };
}

/** The result of `harmOf` for an output without misleading lines. */
export const noHarm = ({ args, status }: Call): object => ({ args, status, stdout: [], stderr: [] });

export const checkBroken = (...args: string[]): Call => ({
  args: ["--content", broken.content, ...args],
  status: 1,
});
