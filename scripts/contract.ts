import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { PAGES } from "../build/base/api.ts";
import { Failure } from "../build/base/failure.ts";
import type { SiteFolder } from "../build/base/folders.ts";
import { compare } from "../build/outputs/contract/compare.ts";
import { crossCheck, type CrossCheck } from "../build/outputs/contract/cross-check.ts";
import { languagesIn } from "../build/model/languages.ts";
import { localizedIn, modelIn, modelOf } from "../build/model/types.ts";
import { formerContract, languageChanges, languagesOfFormer } from "../build/outputs/contract/former.ts";
import { CONTRACT, SCHEMAS } from "../build/outputs/contract/location.ts";
import { openapi } from "../build/outputs/contract/openapi.ts";
import type { OpenApi } from "../build/outputs/contract/document.ts";
import { isBreaking, reporters, type ContractReport } from "../build/outputs/contract/report.ts";
import { SITE, TYPES } from "../build/source/site-files.ts";
import {
  CheckoutRefused,
  openRepository,
  readFileAt,
  resolveBase,
  type Repository,
} from "../build/source/git.ts";
import { versionsSince } from "./init/package.ts";
import { objectIn } from "../build/source/json/object.ts";
import { parseJson } from "../build/source/json/parse.ts";
import { isPackage } from "../build/base/program.ts";
import { readHeaders } from "../build/hosting/conformance.ts";
import { readBytes, isFolder } from "../build/base/file.ts";
import { programModel } from "../build/model/program-model.ts";
import { build } from "../build/site/build.ts";
import { command, CommandError, explain, print, reporterOption, siteOptions } from "./command.ts";
import { shared } from "./reporting.ts";

await command(
  {
    name: "contract",
    summary:
      "Lists the changes for clients of the API between the contract at a git revision and the current one: those of the\n" +
      `program, of _headers and of ${TYPES}. Everything but an addition may break clients.\n` +
      "As a cross-check, the command also builds your pages and validates them by the former contract.",
    status:
      "0 there are only additions, or the revision has no contract, 1 a change may break clients, 2 the comparison could not be made.",
  },
  {
    ...shared("base REV"),
    ...siteOptions,
    "content DIR":
      "read the page types, and the page sources for the cross-check, from DIR (default: content)",
    "pages DIR": "cross-check the responses in this folder instead, such as those of a mirror",
    "reporter NAME": reporterOption("the report", reporters),
    ...shared("exit-zero"),
  },
  async ({ base: revision, pages, ...options }, _, site) => {
    const { rules } = readHeaders(site.headersFile);
    // The site's, whose revision is named; without one, that of the program is used.
    const repository = isFolder(site.content) ? withoutErrors(() => openRepository(site.content)) : undefined;
    const base = resolveBase(repository ?? openRepository(SCHEMAS), revision);
    const { before, after: model, languages } = typesOf(site.content, repository, base);
    const report: ContractReport = { base, isNew: true, changes: [], crossCheck: "there was no contract." };
    const program = openapi({ model: programModel, rules });
    const committed = committedContract(repository, base, program);
    if (committed !== undefined) {
      const former = formerContract(committed, program, openapi({ model: before, rules }));
      report.isNew = false;
      report.program = isPackage && repository !== undefined ? versions(site.site, base) : undefined;
      report.changes = [
        ...compare(former, openapi({ model, rules })),
        ...languageChanges(languages, model.languages, [...model.names]),
      ];
      report.crossCheck =
        pages === undefined ? await crossCheckOf(former, site) : crossCheckIn(former, pages);
    }
    print(reporters[options.reporter](report, model));
    return isBreaking(report) && !options["exit-zero"] ? 1 : 0;
  },
);

/**
 * The page types at the revision and now. If one of them has errors, the other is used for both, so that only the
 * cross-check is skipped. Without a repository, only the present ones are known.
 */
function typesOf(content: string, repository: Repository | undefined, { commit }: ContractReport["base"]) {
  const now = withoutErrors(() => modelOf(content));
  const stored = repository && readFileAt(repository, commit, TYPES);
  const present = localizedIn(content).languages;
  const languages = repository === undefined ? present : languagesIn(readFileAt(repository, commit, SITE));
  const program = programModel.inLanguages(languagesOfFormer(languages, present));
  const former =
    stored === undefined ? program : withoutErrors(() => modelIn(parseJson(TYPES, stored), program));
  const before = (repository === undefined ? now : former) ?? now ?? program;
  return { before, after: now ?? before, languages };
}

function withoutErrors<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof Failure && !(cause instanceof CheckoutRefused)) return undefined;
    throw cause;
  }
}

/** @param site the site's repository. The program of another one, or of a package, is the present one at every revision */
function committedContract(
  site: Repository | undefined,
  { commit, from }: ContractReport["base"],
  program: OpenApi,
): OpenApi | undefined {
  if (isPackage) return program;
  const repository = openRepository(SCHEMAS);
  if (site !== undefined && site.root !== repository.root) return program;
  const bytes = readFileAt(repository, commit, CONTRACT);
  if (bytes === undefined) return undefined;
  const former = objectIn(bytes.toString()) as Partial<OpenApi> | undefined;
  if (typeof former?.paths === "object" && typeof former.components?.schemas === "object")
    return former as OpenApi;
  throw new CommandError(
    `${repository.prefix}${CONTRACT} at ${from}: expected the description of the API, found something else.`,
  );
}

function versions(site: string, { commit }: ContractReport["base"]): ContractReport["program"] {
  return versionsSince(site, (path) =>
    withoutErrors(() => readFileAt(openRepository(dirname(path)), commit, basename(path)))?.toString("utf8"),
  );
}

/** Validates the pages of a build by the previous contract. If there is no build, returns the reason as text. */
async function crossCheckOf(
  former: OpenApi,
  { content, headersFile }: SiteFolder,
): Promise<CrossCheck | string> {
  const folder = mkdtempSync(join(tmpdir(), "contract-"));
  try {
    const out = join(folder, "public");
    const { published } = await build({
      content,
      out,
      headersFile,
      bulk: false,
      cache: join(folder, "cache"),
    });
    if (published === undefined) return "the content has errors; npx page-api check lists them.";
    return crossCheckIn(former, out);
  } catch (cause) {
    if (cause instanceof Failure || (cause as NodeJS.ErrnoException).code !== undefined)
      return explain(cause);
    throw cause;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function crossCheckIn(former: OpenApi, folder: string): CrossCheck {
  const pages = join(folder, PAGES);
  if (!isFolder(pages)) throw new CommandError(`--pages: there is no folder ${pages}.`);
  return crossCheck(former, responsesIn(pages));
}

function* responsesIn(pages: string): Generator<Uint8Array> {
  for (const id of readdirSync(pages).sort((a, b) => Number(a) - Number(b))) {
    const bytes = readBytes(join(pages, id, "index.json"));
    if (bytes !== undefined) yield bytes;
  }
}
