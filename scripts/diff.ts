import { relative, resolve } from "node:path";
import { isError } from "../build/findings/finding.ts";
import { checkBaseUrl } from "../build/pipeline/discover.ts";
import { diff } from "../build/diff/diff.ts";
import { withPaths } from "../build/diff/paths.ts";
import { reporters } from "../build/diff/reporters/index.ts";
import { command, CommandError } from "./command.ts";
import { print } from "./output.ts";
import { report } from "./reporting.ts";

const USAGE = `Usage: npm run diff -- [--base REV] [--content DIR] [--reporter human|markdown|json] [--preview URL]

Shows what a change of the page sources publishes: pages that are added, removed, changed and moved, what changes in
their responses, and which ids and addresses are gone with it. It reads what changed and writes nothing.

  --base REV       compare with this revision of git (the merge base with the main branch)
  --content DIR    the page sources (content)
  --reporter NAME  how it is printed: human, markdown or json (human)
  --preview URL    for markdown: where the change is deployed, so that pages are links to it

Exit status: 0 no errors in what changed, 1 there are, 2 the comparison could not be made.`;

await command(
  USAGE,
  {
    base: { type: "string" },
    content: { type: "string", default: "content" },
    reporter: { type: "string", default: "human" },
    preview: { type: "string" },
  },
  (values, positionals) => {
    if (positionals.length > 0)
      throw new CommandError(`unexpected argument ${positionals[0]}\n${USAGE.split("\n")[0]}`);
    const { content, base } = values;
    const reporter = Object.hasOwn(reporters, values.reporter) ? reporters[values.reporter] : undefined;
    if (reporter === undefined)
      throw new CommandError(
        `--reporter must be one of ${Object.keys(reporters).join(", ")}, but is ${values.reporter}`,
      );
    const preview = values.preview === undefined ? undefined : checkBaseUrl(values.preview);

    const comparison = diff({ content, base });
    const { pages, findings } = comparison;
    if (values.reporter === "human" && findings.length > 0) report("human", content, { pages, findings }, "");
    const here = withPaths(comparison, (file) => relative(process.cwd(), resolve(content, file)));
    print(reporter(here, { preview }));
    return findings.some(isError) ? 1 : 0;
  },
);
