import { check } from "../build/pipeline/check.ts";
import { command, CommandError } from "./command.ts";
import { progressOn } from "./output.ts";
import { chooseReporter, report, reporterOption } from "./reporting.ts";

const USAGE = `Usage: npm run check -- [--content DIR] [--reporter human|github|json|markdown] [--strict]

Checks the page sources and writes nothing.

  --content DIR    the page sources (content)
  --reporter NAME  how findings are printed: human, github, json or markdown (human)
  --strict         warnings are errors

Exit status: 0 no errors, 1 the content has errors, 2 the check could not be done.`;

await command(
  USAGE,
  {
    content: { type: "string", default: "content" },
    ...reporterOption,
    strict: { type: "boolean", default: false },
  },
  async (values, positionals) => {
    if (positionals.length > 0)
      throw new CommandError(`unexpected argument ${positionals[0]}\n${USAGE.split("\n")[0]}`);
    chooseReporter(values.reporter);
    const progress = progressOn(process.stderr, "Checking");
    const { content, strict } = values;
    const checked = await check({ content, strict, progress: progress.show }).finally(progress.clear);
    return report(values.reporter, content, checked);
  },
);
