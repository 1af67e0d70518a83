import { resolve } from "node:path";
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
  uploadedFiles,
  refusals,
  type CloudflarePlan,
} from "../build/hosting/cloudflare/limits.ts";
import { isLoopback } from "../build/hosting/http/proxy.ts";
import { belowPath, unreachableUrls } from "../build/hosting/reserved.ts";
import { assertComplete } from "../build/source/complete.ts";
import { gitOutput } from "../build/source/git.ts";
import { plural, thousands } from "../build/base/numbers.ts";
import { currentInstant, millisecondsOf, printInstant } from "../build/base/instant.ts";
import { printable } from "../build/findings/printable.ts";
import { formats } from "../build/model/formats.ts";
import { buildAhead, horizonOf, NO_HORIZON } from "../build/site/ahead.ts";
import { siteIn } from "../build/change/files.ts";
import { readManifest } from "./init/package.ts";
import { build } from "../build/site/build.ts";
import type { Output } from "../build/site/outcome.ts";
import type { PublicationNote } from "../build/release/format.ts";
import { addressesIn, changedPages, notify, type Notice } from "../build/release/notify.ts";
import { markNotified, publishToFolder, type FolderOptions } from "../build/release/folder.ts";
import { NOTIFIED, publish, type PublishOptions, type PublishResult } from "../build/release/publish.ts";
import type { SiteFolder } from "../build/base/folders.ts";
import { BUCKET_ENVIRONMENT, bucketOptions, concurrencyOf, openBucket } from "./bucket.ts";
import {
  command,
  CommandError,
  complain,
  explain,
  print,
  refuseUseless,
  siteOptions,
  type Values,
  whole,
  withProgress,
} from "./command.ts";
import { report, shared } from "./reporting.ts";

/** Maximum time without output of wrangler, in milliseconds. It reports its uploads every few seconds. */
const TIMEOUT_MS = 180_000;
/** Maximum number of attempts to publish with wrangler. */
const MAX_ATTEMPTS = 3;

/** Maximum number of releases to keep in a folder. */
const MAX_KEPT = 100;

/** Maximum number of days of a timeline. */
const MAX_DAYS = 3650;

/** The things at the addresses of a site, in words. */
const OWNERS = { base_url: "the API", site_url: "the website", media_url: "the images" };

const usual = shared("reporter NAME", "at INSTANT");

const OPTIONS = {
  ...siteOptions,
  ...shared("out DIR", "base-url URL"),
  "reporter NAME": {
    ...usual["reporter NAME"],
    text: `${usual["reporter NAME"].text}; json, with --bucket or --to: one object about the release`,
  },
  ...shared("strict"),
  full: "read and compare everything, without the cache of earlier builds; with --bucket, upload every object",
  ...shared("no-browse"),
  "at INSTANT": { ...usual["at INSTANT"], text: `${usual["at INSTANT"].text}; not in the future` },
  "dry-run":
    "do everything except publish; with --bucket, print the number of objects to upload, and the timeline; with --to, the number of changed files",
  "notify URL":
    "post the release and the ids of changed pages to this URL, so that a website is built again; sign them with NOTIFY_SECRET (default: NOTIFY_URL)",
  "plan PLAN": {
    heading: "With wrangler:",
    text: "allow the number of files of your account's plan: free (20,000) or paid (100,000) (default: config.cloudflare_plan in package.json, or free)",
  },
  "no-worker": "publish the files without the Worker: no request is billed, and OPTIONS gets 405",
  "preview-alias NAME":
    "upload a preview that wrangler serves under this alias, instead of publishing; --base-url is its URL",
  "to DIR": {
    heading: "To a folder of a web server (docs/hosting.md):",
    text: "publish a new release in DIR, and move the link DIR/current to it",
  },
  "keep N": {
    text: "keep the latest N releases, including the current one",
    default: "5",
    parse: whole(1, MAX_KEPT),
  },
  ...bucketOptions,
  "bucket URL": {
    heading: "To a bucket, for any number of pages (docs/hosting.md):",
    text: bucketOptions["bucket URL"].text,
  },
  "ahead DAYS": {
    text: "also publish the releases of the instants in the next DAYS days at which pages go live or expire",
    default: "30",
    parse: whole(0, MAX_DAYS),
  },
} as const;

/** The options that apply to one way of publishing only. */
const ONLY = {
  wrangler: ["plan", "no-worker", "preview-alias"],
  to: ["keep"],
  bucket: ["endpoint", "concurrency", "ahead"],
} as const;

await command(
  {
    name: "deploy",
    summary:
      "Builds the pages and publishes them: with wrangler, after checking that Cloudflare would accept them, to a folder of a web\nserver, or to a bucket.",
    more: BUCKET_ENVIRONMENT,
    status: "0 published, 1 the content has errors, 2 it could not be published.",
  },
  OPTIONS,
  async (values, _, { site, ...folders }) => {
    const way = wayOf(values);
    const concurrency = concurrencyOf(values);
    const { strict, full, reporter, keep, "dry-run": isDry, "base-url": baseUrl } = values;
    const { content, out } = folders;
    const plan = planOf(values.plan, site);
    if (way === "wrangler") wranglerProgram(site);
    const store = way === "bucket" ? openBucket(values) : undefined;
    const now = currentInstant();
    const at = values.at ?? now;
    if (at > now)
      throw new CommandError(
        "--at: a future instant cannot be deployed now. Leave out --at: --ahead publishes the change in time.",
      );
    // A timeline from a past instant would lead to the present at once.
    if (at < now) refuseUseless(["ahead"], "--at");
    const notifyUrl = notifyOption(values);
    const notifies = notifyUrl !== undefined;
    let status: 0 | 1 | 2 = 2;
    await assertComplete(content);
    // The upload is part of the build, so that no other build starts before all files of this one are uploaded.
    const options = { ...folders, baseUrl, strict, full, at, browse: !values["no-browse"] };
    await withProgress("Building", "pages", (progress, clear) =>
      build({ ...options, progress }, async (built, open) => {
        clear();
        const { output } = built;
        if (output !== undefined) refuseUnreachable(content, baseUrl, store?.endpoint, way);
        if (output === undefined || reporter !== "json")
          status = report(reporter, content, built, `${plural(built.pages, "page")} built`);
        if (output === undefined) return;
        const publishBuilt = async (): Promise<PublishedRelease> => {
          if (values.to !== undefined) return toFolder(out, values.to, { keep, isDry, notifies });
          if (store === undefined) return toCloudflare({ site, out }, plan, values);
          const horizon = at < now ? NO_HORIZON : horizonOf(open, at, values.ahead);
          const ahead = () => buildAhead(open, at, horizon);
          const note = noteOn(content);
          const about = { concurrency, full, at: millisecondsOf(at), ahead, note, isDry, notifies };
          const published = await toBucket(store, output, about);
          if (horizon.leftOut !== undefined)
            complain(
              `Warning: the timeline ends before ${printInstant(horizon.leftOut)}, when the next page goes live or expires. Deploy again before then.\n`,
            );
          return published;
        };
        const { summary, data, notice, delivered } = await publishBuilt();
        if (reporter === "json") status = report(reporter, content, built, { more: data });
        else print(summary);
        if (notifyUrl !== undefined && notice !== undefined)
          await deliver(notifyUrl, await notice(), delivered, out);
      }),
    ).finally(() => store?.close());
    return status;
  },
);

type DeployValues = Values<typeof OPTIONS>;

/** The way of publishing. @throws CommandError if an option does not apply to it. */
function wayOf(values: DeployValues): keyof typeof ONLY {
  if (values.bucket !== undefined && values.to !== undefined)
    throw new CommandError("Give either --bucket or --to.");
  const way = values.bucket !== undefined ? "bucket" : values.to !== undefined ? "to" : "wrangler";
  for (const [only, names] of Object.entries(ONLY))
    if (only !== way) refuseUseless(names, way === "wrangler" ? `wrangler, only with --${only}` : `--${way}`);
  if (way === "wrangler" && values.reporter === "json")
    throw new CommandError("--reporter json needs --bucket or --to: wrangler prints its own output.");
  if (values["preview-alias"] === undefined) return way;
  refuseUseless(["notify"], "--preview-alias");
  if (values["base-url"] === undefined)
    throw new CommandError("--preview-alias needs --base-url, because pages contain their own URLs.");
  return way;
}

/**
 * Refuses a base_url that no client can reach, such as the sample's, or below which no host serves. Warns about other such
 * addresses.
 */
function refuseUnreachable(
  content: string,
  baseUrl: string | undefined,
  endpoint: string | undefined,
  way: keyof typeof ONLY,
): void {
  const site = siteIn(content);
  if (site === undefined) return;
  const effective = { ...site, base_url: baseUrl ?? site.base_url };
  const below = belowPath(effective.base_url);
  if (below !== undefined) throw new CommandError(`${below} Nothing was published.`);
  // This machine may be the only client of its own store or web server.
  const isPublic = way === "wrangler" || !isLoopback(new URL(endpoint ?? effective.base_url).hostname);
  if (!isPublic) return;
  const wrong = unreachableUrls(effective);
  if (wrong.length === 0) return;
  const listed = wrong.map((field) => `${field} (${effective[field]})`).join(", ");
  const what = `No client can reach ${listed}: such a host is reserved for examples, or is this machine.`;
  const remedies = wrong.map((field) => `the address of ${OWNERS[field]} as ${field}`).join(", ");
  const remedy = `Write ${remedies} in _site.json`;
  if (wrong.includes("base_url"))
    throw new CommandError(`${what} Nothing was published. ${remedy}; --base-url replaces only base_url.`);
  complain(`Warning: ${what} ${remedy}.\n`);
}

type OpenedBucket = ReturnType<typeof openBucket>;

/** The URL to notify, if pages are published. In GitHub's workflows, an unset variable is empty. */
function notifyOption(values: DeployValues): string | undefined {
  const url = values.notify ?? (process.env["NOTIFY_URL"] || undefined);
  const isPublished = values["preview-alias"] === undefined && !values["dry-run"];
  if (url === undefined || formats["absolute-url"].matches(url)) return isPublished ? url : undefined;
  const from = values.notify === undefined ? "NOTIFY_URL" : "--notify";
  throw new CommandError(`${from}: expected a complete address, found “${printable(url)}”.`);
}

function noteOn(content: string): PublicationNote {
  const { GITHUB_ACTOR: actor } = process.env;
  const by = actor ?? gitOutput(content, "config", "user.name");
  const commit = gitOutput(content, "rev-parse", "--verify", "HEAD");
  return { ...(by ? { by } : {}), ...(commit ? { commit } : {}) };
}

/** A failed notification is only a warning: to a folder and to a bucket, the next deployment sends it again. */
async function deliver(
  url: string,
  known: Omit<Notice, "at">,
  delivered: PublishedRelease["delivered"],
  out: string,
): Promise<void> {
  const addresses = known.changed && {
    addresses: { ...known.addresses, ...addressesIn(out, known.changed) },
  };
  const notice = { ...known, ...addresses, at: printInstant(currentInstant()) };
  const failed = await notify(url, notice, process.env["NOTIFY_SECRET"] || undefined);
  if (failed === undefined) await delivered?.();
  else complain(`Warning: ${printable(url)} was not notified: ${printable(failed)}\n`);
}

interface PublishedRelease {
  summary: string;
  /** For programs. */
  data: Record<string, unknown>;
  /** Absent if nothing has changed since the last notice. */
  notice: (() => Promise<Omit<Notice, "at">>) | undefined;
  /** Records that the notice was delivered. */
  delivered?: () => void | Promise<void>;
}

function toFolder(out: string, folder: string, options: Omit<FolderOptions, "now">): PublishedRelease {
  const { isDry } = options;
  const { unnotified, ...published } = publishToFolder(out, folder, {
    ...options,
    now: Date.now(),
    onKept: (release, cause) =>
      complain(
        `Warning: the former release ${release} cannot be removed: ${explain(cause)}. Remove its folder, or let the user of this process write in it.\n`,
      ),
  });
  const { release, files, changed, removed } = published;
  const counts = `${plural(changed.length, "page")} changed, ${removed.length} removed (${plural(files, "file")})`;
  const summary = isDry
    ? `Would publish: ${counts}.`
    : files === 0
      ? `Nothing has changed. The current release is still ${release}.`
      : `Published: ${counts}. The current release is ${release}.`;
  return {
    summary: `${summary}\n`,
    data: { ...published },
    notice: release === undefined ? undefined : unnotified && (async () => ({ release, ...unnotified })),
    delivered: () => markNotified(folder),
  };
}

async function toBucket(
  store: OpenedBucket,
  output: Output,
  options: Omit<PublishOptions, "address" | "progress" | "warn">,
): Promise<PublishedRelease> {
  const published = await withProgress("Publishing", "bytes", (progress, clear) => {
    const warn = (message: string): void => {
      clear();
      complain(`${message}\n`);
    };
    return publish(output, store, { ...options, address: store.address, progress, warn });
  });
  const { unnotified, after, ...data } = published;
  const { release } = data;
  return {
    summary: summaryOf(published, options.isDry),
    data,
    notice:
      unnotified &&
      (async () => ({
        release,
        ...(await changedPages(store, unnotified.since, after, options.concurrency)),
      })),
    delivered: () => store.remove(NOTIFIED),
  };
}

function summaryOf({ release, pages, put, bytes, kept, then }: PublishResult, isDry = false): string {
  const timeline = then.map(([from, name]) => `  from ${from}  ${name}\n`).join("");
  const objects = `${plural(put, "object")} ${isDry ? "to upload" : "uploaded"} (${thousands(bytes)} bytes), ${thousands(kept)} kept`;
  const done = isDry
    ? `${plural(pages, "page")}: ${objects}. The release would be`
    : `${plural(pages, "page")} published: ${objects}. The current release is`;
  return `${done} ${release}\n${then.length === 0 ? "" : `Timeline:\n${timeline}`}`;
}

async function toCloudflare(
  { site, out }: Pick<SiteFolder, "site" | "out">,
  plan: CloudflarePlan,
  { "dry-run": isDry, "no-worker": noWorker, "preview-alias": alias }: DeployValues,
): Promise<PublishedRelease> {
  const found = uploadedFiles(out);
  const reasons = refusals(found, plan);
  if (found.length > LIMITS.files[plan])
    reasons.push("A bucket takes any number of pages: npm run deploy -- --bucket (docs/hosting.md).");
  if (reasons.length > 0) throw new CommandError(`Cloudflare would refuse this:\n  ${reasons.join("\n  ")}`);
  const count = plural(found.length, "file");
  const limit = thousands(LIMITS.files[plan]);
  print(
    `${isDry ? "Would publish" : "Publishing"} ${count} (${limit} on the ${plan} plan)\nwrangler's own count includes folders, and files that it does not publish.\n`,
  );
  if (noWorker) print(WITHOUT_WORKER);

  writeAssetsIgnore(out);
  const subcommand = alias === undefined ? ["deploy"] : ["versions", "upload", "--preview-alias", alias];
  const args = [...subcommand, ...configurationArguments(site, !noWorker), "--assets", resolve(out)];
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
      `The upload stalled ${MAX_ATTEMPTS} times; nothing was published. Try again later: files that are already uploaded are not uploaded again. With many files, publish to a bucket instead: npm run deploy -- --bucket (docs/hosting.md).`,
    );
  if (ended !== 0) throw new CommandError("wrangler could not publish; its output is above.");
  return { summary: "", data: {}, notice: async () => ({}) };
}

function planOf(given: string | undefined, site: string): CloudflarePlan {
  const plan = given ?? readManifest(site)?.config?.["cloudflare_plan"] ?? "free";
  if (isCloudflarePlan(plan)) return plan;
  const where = given === undefined ? "config.cloudflare_plan in package.json" : "--plan";
  throw new CommandError(`${where}: expected ${CLOUDFLARE_PLANS.join(" or ")}, found ${plan}.`);
}
