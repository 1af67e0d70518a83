import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  WITHOUT_WORKER,
  configurationArguments,
  runDeployment,
  wranglerProgram,
  writeAssetsIgnore,
} from "../build/hosting/cloudflare/wrangler.ts";
import {
  CLOUDFLARE_PLANS,
  LIMITS,
  isCloudflarePlan,
  readUpload,
  refusals,
  type CloudflarePlan,
} from "../build/hosting/cloudflare/limits.ts";
import { belowPath, isLoopback, isUnreachable, unreachableUrls } from "../build/hosting/reserved.ts";
import { assertComplete } from "../build/sources/complete.ts";
import { gitOutput } from "../build/sources/git.ts";
import { plural, thousands } from "../build/base/numbers.ts";
import { currentInstant, millisecondsOf, printInstant } from "../build/base/instant.ts";
import { printable } from "../build/findings/printable.ts";
import { formats } from "../build/page/formats.ts";
import { buildAhead, horizonOf } from "../build/pipeline/ahead.ts";
import { siteIn } from "../build/edit/pages.ts";
import { build } from "../build/pipeline/build.ts";
import { checkBaseUrl } from "../build/pipeline/discover.ts";
import type { Output } from "../build/pipeline/outcome.ts";
import type { PublicationNote } from "../build/release/format.ts";
import { changedPages, notify } from "../build/release/notify.ts";
import { publish, type PublishOptions, type PublishResult } from "../build/release/publish.ts";
import type { SiteFolder } from "../build/base/folders.ts";
import { BUCKET_ENVIRONMENT, bucketOptions, concurrencyOf, openBucket } from "./bucket.ts";
import type { Parsed } from "./arguments.ts";
import { command, CommandError, wholeNumber, type ExitStatus } from "./command.ts";
import { complain, print, progressOn } from "./output.ts";
import {
  atOption,
  browseOption,
  chooseReporter,
  instantOption,
  report,
  reporterOption,
  strictOption,
} from "./reporting.ts";
import { siteOf, siteOptions } from "./site.ts";
import { flag, valued } from "./usage.ts";

/** Maximum time without output of wrangler, in milliseconds. It reports its uploads every few seconds. */
const TIMEOUT_MS = 180_000;
/** Maximum number of attempts to publish with wrangler. */
const MAX_ATTEMPTS = 3;

/** Maximum number of days of a timeline. */
const MAX_DAYS = 3650;

const OPTIONS = {
  ...siteOptions,
  out: valued("DIR", "write the output to DIR (default: public)"),
  "base-url": valued("URL", "publish for this URL of the API (default: base_url in _site.json)"),
  reporter: {
    ...reporterOption.reporter,
    description: `${reporterOption.reporter.description}; json, with --bucket: one object about the release`,
  },
  ...strictOption,
  full: flag(
    "read and compare everything, without the cache of earlier builds; with --bucket, upload every object",
  ),
  ...browseOption,
  at: { ...atOption.at, description: `${atOption.at.description}; not in the future` },
  "dry-run": flag(
    "do everything except publish; with --bucket, print the number of objects to upload, and the timeline",
  ),
  plan: {
    heading: "With wrangler:",
    type: "string",
    value: "PLAN",
    description:
      "allow the number of files of your account's plan: free (20,000) or paid (100,000) (default: config.cloudflare_plan in package.json, or free)",
  },
  "no-worker": flag("publish the files without the Worker: no request is billed, and OPTIONS gets 405"),
  ...bucketOptions,
  bucket: {
    heading: "To a bucket, for any number of pages (docs/releases.md):",
    ...bucketOptions.bucket,
    isRequired: false,
  },
  ahead: valued(
    "DAYS",
    "also publish the releases of the instants in the next DAYS days at which pages go live or expire (default: 30)",
  ),
  notify: valued(
    "URL",
    "post the release and the ids of changed pages to this URL; sign them with NOTIFY_SECRET",
  ),
} as const;

await command(
  {
    name: "deploy",
    summary:
      "Builds the pages and publishes them: with wrangler, after checking that Cloudflare would accept them, or to a bucket.",
    more: BUCKET_ENVIRONMENT,
    status: "0 published, 1 the content has errors, 2 it could not be published.",
  },
  OPTIONS,
  async (values): Promise<ExitStatus> => {
    refuseMixed(values);
    chooseReporter(values.reporter);
    const concurrency = concurrencyOf(values);
    const { strict, full, reporter } = values;
    const { site, ...folders } = siteOf(values);
    const { content, out } = folders;
    const plan = planOf(values.plan, site);
    const baseUrl = values["base-url"] === undefined ? undefined : checkBaseUrl(values["base-url"]);
    if (values.bucket === undefined) wranglerProgram(site);
    const store = values.bucket === undefined ? undefined : openBucket(values);
    const now = currentInstant();
    const at = instantOption("at", values.at) ?? now;
    if (at > now)
      throw new CommandError(
        "--at: a future instant cannot be deployed now. Leave out --at: --ahead publishes the change in time.",
      );
    const days = wholeNumber("--ahead", values.ahead ?? "30", { to: MAX_DAYS });
    const notifyUrl = notifyOption(values.notify);
    const progress = progressOn(process.stderr, "Building");
    let status: ExitStatus = 2;
    await assertComplete(content);
    // The upload is part of the build, so that no other build starts before all files of this one are uploaded.
    await build(
      { ...folders, baseUrl, strict, full, at, browse: !values["no-browse"], progress: progress.show },
      async (built, open) => {
        progress.clear();
        const isPublic = store === undefined || !isLoopback(store.endpoint);
        if (built.output !== undefined) refuseUnreachable(content, baseUrl, isPublic);
        const isDry = values["dry-run"];
        const publishBuilt = async (output: Output): Promise<PublishResult> => {
          const bucket = store as OpenedBucket;
          const horizon = horizonOf(open, at, days);
          const ahead = () => buildAhead(open, at, horizon);
          const note = noteOn(content);
          const options = { concurrency, full, at: millisecondsOf(at), ahead, note, isDry };
          const published = await publishTo(bucket, output, options);
          if (horizon.leftOut !== undefined)
            complain(
              `Warning: the timeline ends before ${printInstant(horizon.leftOut)}, when the next page goes live or expires. Deploy again before then.\n`,
            );
          if (notifyUrl !== undefined && !isDry) await notifyOf(notifyUrl, bucket, published, concurrency);
          return published;
        };
        if (built.output !== undefined && store !== undefined && reporter === "json") {
          const { before: _, after: __, ...release } = await publishBuilt(built.output);
          status = report(reporter, content, built, { more: release });
          return;
        }
        const exit = report(reporter, content, built, { result: `${plural(built.pages, "page")} built` });
        if (store !== undefined && built.output !== undefined)
          print(summaryOf(await publishBuilt(built.output), isDry));
        else if (exit === 0) await upload({ site, out }, plan, values);
        status = exit;
      },
    ).finally(() => {
      progress.clear();
      store?.close();
    });
    return status;
  },
);

type DeployValues = Parsed<typeof OPTIONS>["values"];

/** Refuses options that do not apply to the chosen way of publishing. */
function refuseMixed(values: DeployValues): void {
  const { bucket, reporter } = values;
  const useless =
    bucket === undefined
      ? (["endpoint", "concurrency", "ahead", "notify"] as const)
      : (["plan", "no-worker"] as const);
  const wrong = useless.find((name) => values[name] !== undefined && values[name] !== false);
  if (wrong !== undefined)
    throw new CommandError(
      `--${wrong} is only for publishing ${bucket === undefined ? "to a" : "without a"} bucket.`,
    );
  if (bucket === undefined && reporter === "json")
    throw new CommandError(
      "--reporter json is only for publishing to a bucket: wrangler prints its own output.",
    );
}

/**
 * Refuses a base_url that no client can reach, such as the sample's, or below which no host serves. Warns about other such
 * addresses.
 */
function refuseUnreachable(content: string, baseUrl: string | undefined, isPublic: boolean): void {
  const site = siteIn(content);
  if (site === undefined) return;
  const effective = { ...site, base_url: baseUrl ?? site.base_url };
  const below = belowPath(effective.base_url);
  if (below !== undefined) throw new CommandError(`${below} Nothing was published.`);
  if (!isPublic) return;
  const wrong = unreachableUrls(effective).map((field) => `${field} (${effective[field]})`);
  if (wrong.length === 0) return;
  const what = `No client can reach ${wrong.join(", ")}: such a host is reserved for examples, or is this machine.`;
  if (isUnreachable(effective.base_url))
    throw new CommandError(
      `${what} Nothing was published. Write the API's own address as base_url in _site.json, or give --base-url.`,
    );
  complain(`Warning: ${what} Write the real address in _site.json.\n`);
}

type OpenedBucket = ReturnType<typeof openBucket>;

function notifyOption(url: string | undefined): string | undefined {
  if (url === undefined || formats["absolute-url"].matches(url)) return url;
  throw new CommandError(`--notify: expected a complete address, found “${printable(url)}”.`);
}

function noteOn(content: string): PublicationNote {
  const { GITHUB_ACTOR: actor } = process.env;
  const by = actor ?? gitOutput(content, "config", "user.name");
  const commit = gitOutput(content, "rev-parse", "--verify", "HEAD");
  return { ...(by ? { by } : {}), ...(commit ? { commit } : {}) };
}

/** A failed notification is only a warning. */
async function notifyOf(
  url: string,
  store: OpenedBucket,
  { release, put, before, after }: PublishResult,
  concurrency: number,
): Promise<void> {
  // Nothing has changed, not even the pointer.
  if (put === 0) return;
  const pages = await changedPages(store, before, after, concurrency);
  const notice = { release, ...pages, at: printInstant(currentInstant()) };
  const failed = await notify(url, notice, process.env["NOTIFY_SECRET"]);
  if (failed !== undefined) complain(`Warning: ${printable(url)} was not notified: ${printable(failed)}\n`);
}

async function publishTo(
  store: OpenedBucket,
  output: Output,
  options: Omit<PublishOptions, "address" | "progress" | "warn">,
): Promise<PublishResult> {
  const progress = progressOn(process.stderr, "Publishing", "bytes");
  return publish(output, store, {
    ...options,
    address: store.address,
    progress: progress.show,
    warn: (message) => {
      progress.clear();
      complain(`${message}\n`);
    },
  }).finally(progress.clear);
}

function summaryOf({ release, pages, put, bytes, kept, then }: PublishResult, isDry: boolean): string {
  const timeline = then.map(([from, name]) => `  from ${from}  ${name}\n`).join("");
  const objects = `${plural(put, "object")} ${isDry ? "to upload" : "uploaded"} (${thousands(bytes)} bytes), ${thousands(kept)} kept`;
  const done = isDry
    ? `${plural(pages, "page")}: ${objects}. The release would be`
    : `${plural(pages, "page")} published: ${objects}. The current release is`;
  return `${done} ${release}\n${then.length === 0 ? "" : `Timeline:\n${timeline}`}`;
}

async function upload(
  { site, out }: Pick<SiteFolder, "site" | "out">,
  plan: CloudflarePlan,
  { "dry-run": isDry, "no-worker": noWorker }: DeployValues,
): Promise<void> {
  const found = readUpload(out);
  const reasons = refusals(found, plan);
  if (found.files.length > LIMITS.files[plan])
    reasons.push("A bucket takes any number of pages: npm run deploy -- --bucket (docs/releases.md).");
  if (reasons.length > 0) throw new CommandError(`Cloudflare would refuse this:\n  ${reasons.join("\n  ")}`);
  const count = plural(found.files.length, "file");
  const limit = thousands(LIMITS.files[plan]);
  print(
    `${isDry ? "Would publish" : "Publishing"} ${count} (${limit} on the ${plan} plan)\nwrangler's own count includes folders, and files that it does not publish.\n`,
  );
  if (noWorker) print(WITHOUT_WORKER);

  writeAssetsIgnore(out);
  const args = ["deploy", ...configurationArguments(site, !noWorker), "--assets", resolve(out)];
  if (isDry) args.push("--dry-run");
  const ended = await runDeployment(
    { site, args, print, patience: TIMEOUT_MS, attempts: MAX_ATTEMPTS },
    (attempt) =>
      complain(
        `wrangler has printed nothing for ${TIMEOUT_MS / 60_000} minutes, so it was ended${attempt < MAX_ATTEMPTS ? " and is started again: files that are already uploaded are not uploaded again" : ""}.\n`,
      ),
  );
  if (ended === "stalled")
    throw new CommandError(
      `The upload stalled ${MAX_ATTEMPTS} times; nothing was published. Try again later: files that are already uploaded are not uploaded again. With many files, publish to a bucket instead: npm run deploy -- --bucket (docs/releases.md).`,
    );
  if (ended !== 0) throw new CommandError("wrangler could not publish; its output is above.");
}

function planOf(given: string | undefined, site: string): CloudflarePlan {
  const manifest = join(site, "package.json");
  const { config } = (existsSync(manifest) ? JSON.parse(readFileSync(manifest, "utf8")) : {}) as {
    config?: { cloudflare_plan?: string };
  };
  const plan = given ?? config?.cloudflare_plan ?? "free";
  if (isCloudflarePlan(plan)) return plan;
  const where = given === undefined ? "config.cloudflare_plan in package.json" : "--plan";
  throw new CommandError(`${where}: expected ${CLOUDFLARE_PLANS.join(" or ")}, found ${plan}.`);
}
