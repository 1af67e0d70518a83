import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { Failure } from "../build/base/failure.ts";
import { PROGRAM_FOLDER, siteFolder } from "../build/base/folders.ts";
import { isPackage } from "../build/base/program.ts";
import { checkSiteConfig } from "../build/check/config.ts";
import { PageChecker } from "../build/check/page.ts";
import { freeId } from "../build/change/ids.ts";
import { newSource } from "../build/change/create.ts";
import { hintOf, messageOf, type Finding } from "../build/findings/finding.ts";
import { argument, printable } from "../build/findings/printable.ts";
import { ADDITIONS, IGNORED, readme, type Addition } from "./init/files.ts";
import { dependencyOf, printLike, readManifest, siteManifest } from "./init/package.ts";
import { WEBSITE, writeWebsite } from "./init/website.ts";
import { updateFile, type UpdatedFile } from "./init/update.ts";
import { assertNoSources, SourceWriter } from "../build/exchange/writer.ts";
import { formatJson } from "../build/source/json/format.ts";
import { parseJson } from "../build/source/json/parse.ts";
import { SITE } from "../build/source/site-files.ts";
import { SITE_URLS, type Site } from "../build/model/site.ts";
import { programModel } from "../build/model/program-model.ts";
import { askOn } from "./ask.ts";
import {
  command,
  CommandError,
  complain,
  type ExitStatus,
  print,
  siteOf,
  siteOptions,
  type Values,
} from "./command.ts";

const HOME = "index.json";
const EXAMPLE: Pick<Site, (typeof SITE_URLS)[number]> = {
  base_url: "https://api.example.org",
  site_url: "https://www.example.org",
  media_url: "https://media.example.org",
};

/** The values of the smallest site. The website comes first, because the other addresses are suggested from it. */
const QUESTIONS = [
  { option: "title", text: "Title of the home page", suggest: () => "Home", problem: problemOfTitle },
  { option: "site-url", text: "Address of the website", ...address("site_url", "www") },
  { option: "base-url", text: "Address at which the API will be served", ...address("base_url", "api") },
  { option: "media-url", text: "Address of the images", ...address("media_url", "media") },
] as const;

/** Museums often have www.museum.org, api.museum.org and media.museum.org. */
function address(field: keyof typeof EXAMPLE, subdomain: string) {
  const problem = (url: string): string | undefined => {
    const text = formatJson({ ...EXAMPLE, [field]: withoutSlash(url) });
    return firstOf(checkSiteConfig(parseJson(SITE, Buffer.from(text))).findings);
  };
  const suggest = (website: string): string => {
    const suggested = `https://${subdomain}.${new URL(website).hostname.replace(/^www\./, "")}`;
    return problem(suggested) === undefined ? suggested : EXAMPLE[field];
  };
  return { problem, suggest };
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, "");
}

function problemOfTitle(title: string): string | undefined {
  const source = parseJson(HOME, Buffer.from(formatJson(homePage(title))));
  return firstOf(new PageChecker({ model: programModel }).check(source).findings);
}

/** The first finding of `check`, as text. */
const firstOf = ([first]: Finding[]): string | undefined =>
  first && `${messageOf(first)}\n  ${hintOf(first)}`;

const homePage = (title: string, reference = "") =>
  newSource({
    model: programModel,
    type: programModel.root,
    slug: "home",
    id: freeId(new Map()),
    reference,
    title,
    facts: {},
    allFields: false,
  }).source;

function refuseUnlessEmpty(content: string): void {
  try {
    assertNoSources(content);
  } catch (cause) {
    if (!(cause instanceof Failure) || resolve(content) !== siteFolder(PROGRAM_FOLDER).content) throw cause;
    throw new CommandError(
      `${cause.message}\nTo replace the sample site by your own, remove it first: git rm -r --quiet ${content}`,
    );
  }
}

const OPTIONS = {
  ...siteOptions,
  "content DIR": "write the pages to DIR, which is empty or new (default: content)",
  "title TEXT": "give the home page this title (default: Home)",
  "site-url URL": `use this URL of the website (default: ${EXAMPLE.site_url})`,
  "base-url URL": "use this URL of the future API (default: api. and the website's domain)",
  "media-url URL": "use this URL of the images (default: media. and the website's domain)",
  website: `write a website that shows the pages (Astro) to ${WEBSITE}/`,
  github: {
    text: "write the workflows that check pull requests and publish the main branch, and CODEOWNERS",
    heading: "In a site of its own (docs/start.md), for the first time or after an update of the program:",
  },
  sync: "with --github: write the workflow that runs sync each night and keeps one pull request",
  cloudflare: "add wrangler, and wrangler.jsonc for Cloudflare Workers",
  bucket: "add wrangler, and wrangler.bucket.jsonc for the Worker that serves a bucket",
} as const;

await command(
  {
    name: "init",
    args: { "[DIR]": "the site folder, which is made if it does not exist (default: the current folder)" },
    summary:
      `Writes the smallest site: ${SITE} and a home page; with the package, also package.json, .gitignore and README.md.\n` +
      "In a terminal, it asks for each value that no option gives.",
    more: `With the package, init can be run again: it writes the files that are missing. --github, --cloudflare and --bucket show the lines of
their files that this version of the program would change, and change them. A file that was changed by hand stays as it is.`,
    status:
      "0 written, 1 a file was changed by hand and this version would change it too, 2 refused, with the reason.",
  },
  OPTIONS,
  async (values, [dir]): Promise<ExitStatus> => {
    if (dir !== undefined && values.site !== undefined)
      throw new CommandError("Name one folder for the site.");
    const additions = (Object.keys(ADDITIONS) as Addition[]).filter((name) => values[name]);
    if (!isPackage && (additions.length > 0 || dir !== undefined))
      throw new CommandError(
        "A clone of the program has these files already. For a site in a folder of its own, run init from the package (docs/start.md).",
      );
    if (values.sync && !values.github) throw new CommandError("Use --sync together with --github.");
    const { website } = values;
    const site = dir ?? values.site ?? (additions.length > 0 || website ? siteFolder().site : ".");
    const { content } = siteOf({ ...values, site });
    const hasPages = (isPackage || website) && existsSync(join(content, SITE));
    const ignored = hasPages ? QUESTIONS.find(({ option }) => values[option] !== undefined) : undefined;
    if (ignored !== undefined)
      throw new CommandError(
        `--${ignored.option}: the site has its pages already. Change ${ignored.option === "title" ? "the home page" : SITE} in ${printable(content)} instead.`,
      );
    if (isPackage) readManifest(site); // Before anything is written: it must be JSON.
    const start = hasPages ? undefined : await writePages(content, values);
    const pages = (): ExitStatus => (website ? reportFiles(writeWebsite(site, content, print)) : 0);
    if (!isPackage) {
      if (start !== undefined) print(nextSteps(start.report, content, site));
      return pages();
    }
    const written = writeSiteFiles(site, start?.title, {
      needsWrangler: additions.some((name) => name !== "github"),
    });
    if (written.includes("package.json")) print(takePackage(site));
    const updated = additions.flatMap((name) =>
      [...ADDITIONS[name](site, values.sync)].map(([path, text]) => updateFile(site, path, text)),
    );
    const status = reportFiles(updated);
    if (start !== undefined) print(nextSteps(start.report, content, site));
    else
      print(
        written
          .map((name) => `${name}: written${name === "package.json" ? "; run npm install" : ""}\n`)
          .join(""),
      );
    return Math.max(status, pages()) as ExitStatus;
  },
);

/** Writes the files that every site has, and returns the names of those that were missing or incomplete. */
function writeSiteFiles(site: string, title = "Our pages", { needsWrangler = false } = {}): string[] {
  mkdirSync(site, { recursive: true });
  const own = JSON.stringify(readManifest(site));
  const manifest = siteManifest(site, needsWrangler);
  const isComplete = JSON.stringify(manifest) === own;
  const file = join(site, "package.json");
  if (!isComplete)
    writeFileSync(file, printLike(existsSync(file) ? readFileSync(file, "utf8") : undefined, manifest));
  const missing = Object.entries({ ".gitignore": IGNORED, "README.md": readme(title) }).filter(
    ([name]) => !existsSync(join(site, name)),
  );
  for (const [name, text] of missing) writeFileSync(join(site, name), text);
  return [...(isComplete ? [] : ["package.json"]), ...missing.map(([name]) => name)];
}

/** Copies the package into the site if it is a file elsewhere. Returns a text about a package that other machines lack. */
function takePackage(site: string): string {
  const { given, copyOf, isElsewhere } = dependencyOf(site);
  if (!Object.values(readManifest(site)?.dependencies ?? {}).includes(given)) return "";
  if (isElsewhere === true)
    return `package.json: the program is a folder outside of this repository (${printable(given)}), which no other machine can install\n`;
  if (copyOf === undefined) return "";
  copyFileSync(copyOf, join(site, basename(copyOf)));
  return `${printable(basename(copyOf))}: a copy of the package, so that other machines can install it; commit it too\n`;
}

function reportFiles(files: readonly UpdatedFile[]): ExitStatus {
  for (const { path, state, changes } of files)
    print(`${path}: ${state}\n${changes.map((line) => `  ${line}\n`).join("")}`);
  const left = files.filter(({ state }) => state === "changed by hand");
  if (left.length === 0) return 0;
  const isRecorded = left.every(({ firstLine }) => firstLine === "");
  complain(
    `These files were changed by hand, so they are as they were. Take in the lines above${isRecorded ? "" : ", then replace the first line of each file"}:\n` +
      left.map(({ path, firstLine }) => (isRecorded ? `  ${path}\n` : `  ${path}:  ${firstLine}`)).join(""),
  );
  return 1;
}

type InitValues = Values<typeof OPTIONS>;

/** Writes the sources of the smallest site. */
async function writePages(content: string, values: InitValues): Promise<{ title: string; report: string }> {
  refuseUnlessEmpty(content);
  for (const { option, problem } of QUESTIONS) {
    const given = values[option];
    const wrong = given === undefined ? undefined : problem(given);
    if (wrong !== undefined) throw new CommandError(`--${option}: ${wrong}`);
  }
  const terminal = process.stdin.isTTY ? askOn(process.stdin, process.stderr) : undefined;
  const assumed: string[] = [];
  const answers = { title: "", "site-url": EXAMPLE.site_url, "base-url": "", "media-url": "" };
  try {
    for (const { option, text, suggest, problem } of QUESTIONS) {
      const suggested = suggest(answers["site-url"]);
      const given = values[option] ?? (await terminal?.ask({ text, default: suggested, problem }));
      if (given === undefined) assumed.push(suggested);
      answers[option] = given ?? suggested;
    }
  } finally {
    terminal?.close();
  }

  const writer = new SourceWriter(content);
  try {
    writer.write(SITE, {
      $schema: writer.schemaOf(SITE),
      base_url: withoutSlash(answers["base-url"]),
      site_url: withoutSlash(answers["site-url"]),
      media_url: withoutSlash(answers["media-url"]),
      ...(values.website && { index: true, bulk: true }),
    });
    const { title } = answers;
    const home = homePage(title, writer.schemaOf(HOME));
    writer.write(HOME, home);
    writer.commit();
    const examples =
      assumed.length === 0
        ? ""
        : `\nThese values are examples, as no option set them: ${assumed.join(", ")}.\nReplace them in ${printable(content)}/ before you publish.\n`;
    const report = `${printable(join(content, SITE))}: the addresses of the API, the website and the images
${printable(join(content, HOME))}: the home page “${printable(title)}”, id ${String(home["id"])}
${examples}`;
    return { title, report };
  } catch (cause) {
    writer.abandon();
    throw cause;
  }
}

function nextSteps(report: string, content: string, site: string): string {
  const isDefault = resolve(content) === resolve(siteFolder(site).content);
  const where = isDefault ? "" : ` --content ${argument(content)}`;
  const isHere = resolve(site) === resolve();
  const steps = [
    ...(isPackage && !isHere ? [[`cd ${argument(site)}`, "the site folder"]] : []),
    ...(isPackage && !existsSync(join(site, "node_modules"))
      ? [["npm install", "installs the program"]]
      : []),
    [`npx page-api dev${where}`, "shows the site, and every save at once"],
    [
      `npx page-api new ${programModel.of(programModel.usual).shortName} about --title "About us"${where}`,
      "adds a page",
    ],
    [`npx page-api check${where}`, "lists mistakes"],
  ];
  const column = Math.max(...steps.map(([typed = ""]) => typed.length)) + 2;
  const lines = steps.map(([typed = "", does]) => `  ${typed.padEnd(column)}${does}\n`);
  return `${report}
Next steps:
${lines.join("")}
${isPackage ? "node_modules/static-page-api/" : ""}docs/start.md explains how to publish the site and how to update the program.
`;
}
