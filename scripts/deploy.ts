import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  CLOUDFLARE_PLANS,
  isCloudflarePlan,
  LIMITS,
  refusals,
  type CloudflarePlan,
} from "../build/hosting/cloudflare/limits.ts";
import { readUpload } from "../build/hosting/cloudflare/upload.ts";
import {
  configurationArguments,
  startWrangler,
  WITHOUT_WORKER,
} from "../build/hosting/cloudflare/wrangler.ts";
import { plural, thousands } from "../build/findings/reporters/report.ts";
import { build } from "../build/pipeline/build.ts";
import { PROJECT } from "../build/base/project.ts";
import { command, CommandError, type ExitStatus } from "./command.ts";
import { print, progressOn } from "./output.ts";
import { report } from "./reporting.ts";

const USAGE = `npm run deploy [-- --dry-run] [--plan free|paid] [--no-worker]

Builds content/ into public/, checks that Cloudflare would accept it, and publishes it with wrangler.

  --dry-run    do everything except publish
  --plan PLAN  the plan of your account, which sets the number of files: free (20,000) or paid (100,000);
               by default config.cloudflare_plan in package.json, or free
  --no-worker  publish the files without the Worker: no request is billed, and OPTIONS is answered with 405

Exit status: 0 published, 1 the content has errors, 2 it could not be published.`;

await command(
  USAGE,
  {
    "dry-run": { type: "boolean", default: false },
    plan: { type: "string" },
    "no-worker": { type: "boolean", default: false },
  },
  async (values, positionals): Promise<ExitStatus> => {
    if (positionals.length > 0)
      throw new CommandError(`unexpected argument ${positionals[0]}\n${USAGE.split("\n")[0]}`);
    const plan = planOf(values.plan);
    const [content, out] = [join(PROJECT, "content"), join(PROJECT, "public")];
    const progress = progressOn(process.stderr, "Building");
    let status: ExitStatus = 2;
    // What is uploaded is one build's, whole: another may not begin before.
    await build({ content, out, browse: true, progress: progress.show }, async (built) => {
      progress.clear();
      status = report("human", content, built, `${plural(built.pages, "page")} built`);
      if (status === 0) await upload(out, plan, values);
    }).finally(progress.clear);
    return status;
  },
);

async function upload(
  out: string,
  plan: CloudflarePlan,
  { "dry-run": isDry, "no-worker": noWorker }: { "dry-run": boolean; "no-worker": boolean },
): Promise<void> {
  const found = readUpload(out);
  const reasons = refusals(found, plan);
  if (reasons.length > 0) throw new CommandError(`Cloudflare would refuse this:\n  ${reasons.join("\n  ")}`);
  const count = plural(found.files.length, "file");
  const limit = thousands(LIMITS.files[plan]);
  print(`${isDry ? "Would publish" : "Publishing"} ${count} (${limit} on the ${plan} plan)\n`);
  if (noWorker) print(WITHOUT_WORKER);

  const args = ["deploy", ...configurationArguments(!noWorker), ...(isDry ? ["--dry-run"] : [])];
  const [code] = (await once(startWrangler(args, "inherit"), "close")) as [number | null];
  if (code !== 0) throw new CommandError("wrangler could not publish; its output is above.");
}

function planOf(given: string | undefined): CloudflarePlan {
  const { config } = JSON.parse(readFileSync(join(PROJECT, "package.json"), "utf8")) as {
    config?: { cloudflare_plan?: string };
  };
  const plan = given ?? config?.cloudflare_plan ?? "free";
  if (isCloudflarePlan(plan)) return plan;
  const where = given === undefined ? "config.cloudflare_plan in package.json" : "--plan";
  throw new CommandError(`${where}: expected ${CLOUDFLARE_PLANS.join(" or ")}, found ${plan}.`);
}
