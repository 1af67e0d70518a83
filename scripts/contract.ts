import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure } from "../build/base/failure.ts";
import { compare } from "../build/contract/compare.ts";
import { CONTRACT, SCHEMAS } from "../build/contract/location.ts";
import { openapi, type OpenApi } from "../build/contract/openapi.ts";
import { breaksClients, reporters, type ContractReport } from "../build/contract/report.ts";
import { witness, type Witness } from "../build/contract/witness.ts";
import { listTree, openRepository, readObjects, resolveBase } from "../build/diff/git.ts";
import { readHeaders } from "../build/hosting/read.ts";
import { readBytes } from "../build/output/file.ts";
import { PAGES } from "../build/output/layout.ts";
import { build } from "../build/pipeline/build.ts";
import { command, CommandError, explain } from "./command.ts";
import { print } from "./output.ts";
import { contentOption } from "./reporting.ts";

await command(
  {
    name: "contract",
    does:
      `Says what changed for the clients of the API between the contract at a revision of git (build/contract/${CONTRACT}) and\n` +
      "what build/page/ and _headers say now, and which of it may break a client. Beside it, as a witness, it holds the pages\n" +
      "of a build before the former contract.",
    status: "0 no client breaks, 1 one may, 2 the comparison could not be made.",
  },
  {
    base: {
      type: "string",
      value: "REV",
      words: "compare with this revision of git (the merge base with the main branch)",
    },
    content: { ...contentOption.content, words: "the page sources of the witness" },
    reporter: {
      type: "string",
      value: "NAME",
      default: "human",
      words: `how it is printed: ${Object.keys(reporters).join(", ")}`,
    },
  },
  async ({ base: revision, content, ...options }) => {
    const reporter = Object.hasOwn(reporters, options.reporter) ? reporters[options.reporter] : undefined;
    if (reporter === undefined)
      throw new CommandError(
        `--reporter must be one of ${Object.keys(reporters).join(", ")}, but is ${options.reporter}`,
      );
    const { base, former } = await formerContract(revision);
    const changes = compare(former, openapi({ rules: readHeaders().rules }));
    const report: ContractReport = { base, changes, witness: await witnessOf(former, content) };
    print(reporter(report));
    return breaksClients(report) ? 1 : 0;
  },
);

/** The contract as it was committed. */
async function formerContract(
  revision: string | undefined,
): Promise<{ base: ContractReport["base"]; former: OpenApi }> {
  const repository = openRepository(SCHEMAS);
  const base = resolveBase(repository, revision);
  const entry = (await listTree(repository, base.commit)).get(CONTRACT);
  const [stored] = entry?.kind === "file" ? readObjects(repository, [entry.object]) : [];
  const where = `${repository.prefix}${CONTRACT} at ${base.from}`;
  if (stored?.bytes === undefined)
    throw new CommandError(`There is no ${where}, so there is nothing to compare with.`);
  try {
    const former = JSON.parse(stored.bytes.toString("utf8")) as OpenApi;
    if (typeof former.paths === "object" && typeof former.components.schemas === "object")
      return { base, former };
  } catch {
    // It is told below.
  }
  throw new CommandError(`${where}: expected the description of the API, found something else.`);
}

/** What the former contract says to the pages of a build; or why there are none. */
async function witnessOf(former: OpenApi, content: string): Promise<Witness | string> {
  const folder = mkdtempSync(join(tmpdir(), "contract-"));
  try {
    const out = join(folder, "public");
    const { published } = await build({ content, out, cache: join(folder, "cache") });
    if (published === undefined) return "the content has errors; npm run check lists them.";
    return witness(former, responsesIn(join(out, PAGES)));
  } catch (cause) {
    if (cause instanceof Failure || (cause as NodeJS.ErrnoException).code !== undefined)
      return explain(cause);
    throw cause;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function* responsesIn(pages: string): Generator<Uint8Array, undefined> {
  for (const id of readdirSync(pages).sort((a, b) => Number(a) - Number(b))) {
    const bytes = readBytes(join(pages, id, "index.json"));
    if (bytes !== undefined) yield bytes;
  }
  return undefined;
}
