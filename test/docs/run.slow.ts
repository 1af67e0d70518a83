import { execFile, execFileSync, spawn, type ChildProcess } from "node:child_process";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { PROGRAM_FOLDER } from "../../build/base/folders.ts";
import { FIXTURE_SITE } from "../fixtures.ts";
import { pagesOf, runWagtail, type Wagtail } from "../exchange/api/wagtail.ts";
import { firstPort } from "../ports.ts";
import { openBucket, type TestBucket } from "../release/s3.ts";
import { scratch } from "../scratch.ts";
import { DOCUMENTS, GENERATED } from "./documents.ts";

/*
 * Runs every command line of the documents in a clone of the project with the fixture site, and compares the output
 * with the output in the document. A comment before a block, which readers do not see, adds facts for the test:
 *   <!-- first: COMMANDS -->        the reader's steps before, such as an edit
 *   <!-- printed by: COMMANDS -->   the commands that print the block, if they are not right before it
 *   <!-- file: PATH -->             the reader saves the block as this file
 *   <!-- not run: REASON -->        the block needs an account, the network or another machine
 */
interface Step {
  line: number;
  commands: string;
  /** The output in the document. */
  shown?: string;
  saved?: { file: string; text: string };
}

const MARK = /<!-- (first|printed by|file|not run): ([^]*?) -->|^( *)```(\w*)\n([^]*?)^\3```/gm;

function stepsOf(text: string): Step[] {
  const steps: Step[] = [];
  let printedBy: string | undefined;
  let file: string | undefined;
  let notRun = false;
  let previous: Step | undefined;
  let end = 0;
  for (const { 0: whole, 1: mark, 2: words = "", 4: language, 5: code = "", index } of text.matchAll(MARK)) {
    const line = text.slice(0, index).split("\n").length;
    if (mark === "first") steps.push({ line, commands: words });
    else if (mark === "printed by") printedBy = words;
    else if (mark === "file") file = words;
    else if (mark === "not run") notRun = true;
    else {
      if (file !== undefined) steps.push({ line, commands: "", saved: { file, text: code } });
      else if (language === "sh" && !notRun) steps.push((previous = { line, commands: code }));
      else if (language === "text" && printedBy !== undefined)
        steps.push({ line, commands: printedBy, shown: code });
      else if (language === "text" && previous !== undefined && text.slice(end, index).trim() === "")
        previous.shown = code;
      if (language !== "sh") previous = undefined;
      end = index + whole.length;
      printedBy = undefined;
      file = undefined;
      notRun = false;
    }
  }
  return steps;
}

/** Commands that run until they are stopped. A later line may need their server. */
const SERVER =
  /^(?:npm ci && )?(?:npm start|(?:npm run|npx page-api) (?:dev|serve:bucket|preview:cloudflare)|npx serve)\b/;

const world = scratch("documents");
const program = join(world, "program.git");
/** A checkout that has run a command. The others take its compiled code, because compiling takes seconds on Node 20. */
const first = join(world, "first");
let bucket: TestBucket;
let host: Wagtail;
const servers = new Set<ChildProcess>();

const environment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:VITEST|NODE_ENV|TEST|npm_|GIT_)/.test(name)),
  ),
  ...bucket.environment,
  HOME: world,
  NO_COLOR: "1",
  GIT_EDITOR: "sed -i 1s/^/Merge/",
  GIT_CONFIG_GLOBAL: join(world, "gitconfig"),
  WRANGLER_SEND_METRICS: "false",
});

/** `npm ci` without the registry. */
const INSTALL = `[ -e node_modules ] || { mkdir node_modules && ln -s "${PROGRAM_FOLDER}"/node_modules/* "${PROGRAM_FOLDER}"/node_modules/.bin node_modules/; }`;

const checkOut = (folder: string): string =>
  `git clone --quiet "${program}" "${folder}"\ncd "${folder}"\n${INSTALL}`;

/** The line as a reader types it, with URLs and paths that exist in the test. */
const here = (line: string, own: string): string =>
  line
    .replace(/(?:^|\s+)#.*$/, "")
    .replaceAll(/\bnpm ci\b/g, INSTALL)
    // Other steps of CI run these two.
    .replace(/\bnpm (?:test|run lint)\b/, "true")
    .replaceAll("ADDRESS-OF-YOUR-REPOSITORY", join(world, "ours.git"))
    .replaceAll(/(?<== ?|\s)ADDRESS\b/g, program)
    .replaceAll(/http:\/\/localhost:3000|https:\/\/(?:api|www)\.example\.org/g, own)
    // Other tests that run meanwhile use the documented port.
    .replace(/\bnpm (?:start|run dev)$/, `$& -- --port ${firstPort()}`)
    .replace(/\b127\.0\.0\.1:(?:3000|8080)$/, `127.0.0.1:${firstPort()}`)
    .replaceAll("s3://pages", bucket.address);

function run(script: string, cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { cwd, env: environment(), maxBuffer: 2 ** 28 };
    execFile("bash", ["-euo", "pipefail", "-c", `exec 2>&1\n${script}`], options, (error, stdout) =>
      error === null ? resolve(stdout) : reject(new Error(`${script}\nexit status ${error.code}\n${stdout}`)),
    );
  });
}

/** Resolves to the URL that the server prints. */
const serve = (script: string, cwd: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn("bash", ["-euo", "pipefail", "-c", script], {
      cwd,
      env: environment(),
      detached: true,
    });
    servers.add(child);
    let printed = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => {
        printed += chunk.toString();
        const [address] = /http:\/\/(?:localhost|127\.0\.0\.1):\d+/.exec(printed) ?? [];
        if (address !== undefined) resolve(address);
      });
    child.once("exit", (status) => reject(new Error(`${script}\nexit status ${status}\n${printed}`)));
  });

/** The text without random ids and commit hashes, and without the number of pages, which readers see of the sample. */
const constant = (text: string): string =>
  text
    .replaceAll(/\b\d{7,}\b/g, "ID")
    .replaceAll(/\b[0-9a-f]{12,40}\b/g, "COMMIT")
    .replaceAll(/^\d+ pages:/gm, "NUMBER pages:");

/** In the document, “…” on a separate line matches any lines. */
const shownIn = (shown: string): RegExp =>
  new RegExp(
    constant(shown)
      .replace(/^\$ .*\n+/, "")
      .trimEnd()
      .split("\n")
      .map((line) => (line.trim() === "…" ? "[^]*" : `${line.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")}\\n`))
      .join(""),
  );

beforeAll(async () => {
  bucket = await openBucket();
  const git = (...args: string[]): Buffer => execFileSync("git", args, { cwd: world, env: environment() });
  git("config", "--global", "user.name", "A Reader");
  git("config", "--global", "user.email", "reader@museum.example");
  git("config", "--global", "init.defaultBranch", "main");
  const source = join(world, "source");
  mkdirSync(source);
  const files = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: PROGRAM_FOLDER,
    encoding: "utf8",
  });
  for (const file of files.split("\0"))
    if (file !== "" && !file.startsWith("content/")) cpSync(join(PROGRAM_FOLDER, file), join(source, file));
  cpSync(FIXTURE_SITE, join(source, "content"), { recursive: true });
  git("-C", source, "init", "--quiet");
  git("-C", source, "add", "--all");
  git("-C", source, "commit", "--quiet", "--message", "The program");
  git("clone", "--quiet", "--bare", source, program);
  const out = join(world, "public");
  await run(`${checkOut(first)}\nnpm run build -- --out "${out}"`, world);
  host = await runWagtail(pagesOf(out), { cap: 20, images: join(FIXTURE_SITE, "_media") });
});

afterEach(() => {
  for (const server of servers) if (server.pid !== undefined) process.kill(-server.pid, "SIGTERM");
  servers.clear();
  bucket.requests.length = 0;
});

afterAll(async () => {
  await host.close();
  await bucket.close();
});

describe("the command lines of the documents run, and print the documented output", () => {
  const documents = DOCUMENTS.filter(
    ({ path, text }) => !GENERATED.includes(path) && stepsOf(text).length > 0,
  );

  it.each(documents)("$path", async ({ path, text: document }) => {
    const folder = join(world, path.replaceAll(/\W/g, "-"));
    rmSync(join(world, "ours.git"), { recursive: true, force: true });
    await run(`git init --quiet --bare "${join(world, "ours.git")}"`, world);
    const checkout = join(folder, "checkout");
    await run(`${checkOut(checkout)}\nmkdir .cache\ncp -r "${first}/.cache/compiled" .cache/`, world);
    // The folder of later lines, and their variables. Another test shows that npx finds the program; each start of it takes long.
    let before = `npx() { if [ "$1" = page-api ]; then shift; node "${checkout}/scripts/run.mjs" "$@"; else command npx "$@"; fi; }\n`;
    // The document's own server, once it has started.
    let api = host.url.origin;
    const differences: string[] = [];
    for (const { line, commands, shown, saved } of stepsOf(document)) {
      if (saved !== undefined) writeFileSync(join(checkout, saved.file), saved.text);
      let printed = "";
      for (const text of commands.replaceAll("\\\n", " ").split("\n")) {
        const command = here(text.trim(), api);
        if (SERVER.test(text.trim())) api = await serve(before + command, checkout);
        else printed += await run(before + command, checkout);
        if (/^(?:cd|export) /.test(command)) before += `${command}\n`;
      }
      if (shown !== undefined && !shownIn(shown).test(constant(printed)))
        differences.push(`${path}:${line}: shown\n${shown}\nprinted\n${printed}`);
    }
    expect(differences).toEqual([]);
  });

  it("are found in the documents", () => {
    expect(documents.flatMap(({ text }) => stepsOf(text)).length).toBeGreaterThan(40);
  });
});
