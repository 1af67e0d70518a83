import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { reserveFreePort } from "../../../build/hosting/port.ts";
import { Failure } from "../../../build/base/failure.ts";
import { isError } from "../../../build/findings/finding.ts";
import type { Host } from "../../../build/hosting/config/host.ts";
import { writeAssetsIgnore } from "../../../build/hosting/cloudflare/wrangler.ts";
import { readHeaders } from "../../../build/hosting/conformance.ts";
import { layoutOf } from "../../../build/site/output/layout.ts";
import { thisProcess } from "../../../build/base/lock.ts";
import { build } from "../../../build/site/build.ts";
import type { Output } from "../../../build/site/outcome.ts";
import { PROGRAM_FOLDER, siteFolder } from "../../../build/base/folders.ts";
import { isCheckName, verifyHost, type CheckName, type HostReport } from "../../../build/verify/verify.ts";
import { whileRunning, writeConfiguration } from "../../../build/hosting/run.ts";

/** A host that does not serve the output folder itself. */
export interface PublishedHost extends Host {
  /** Publishes an output to the host's store; `folder` is the host's own. The result ends the store. */
  publish: (output: Output, folder: string) => Promise<() => Promise<void>>;
}

/** Checks a running host against the contract, except for its known limits. */
export function verifyServed(host: Host, base: URL, out: string): Promise<HostReport> {
  const accept = Object.keys(host.limits).map((name) => checkNamed(name, host));
  return verifyHost(base, { out, content: contentBeside(out), accept, timeout: 60 });
}

/**
 * Builds the test site, or that of a content folder, and serves it on a free port of this machine.
 * `first` is the first port to try; hosts that run at the same time need different ones.
 */
export async function whileServed<T>(
  host: Host | PublishedHost,
  { first = 18_080, content }: { first?: number; content?: string },
  use: (base: URL, out: string) => Promise<T>,
): Promise<T> {
  const { port, release } = await reserveFreePort(first);
  // A server that root starts runs as another user, who may not have access to the project's folder.
  const folder = mkdtempSync(join(tmpdir(), "host-"));
  chmodSync(folder, 0o755);
  let end: (() => Promise<void>) | undefined;
  try {
    const base = `http://127.0.0.1:${port}`;
    const root = join(folder, "public");
    const output = await buildFor(base, root, join(PROGRAM_FOLDER, ".cache", "hosts", String(port)), content);
    const options = { root, listen: { address: "127.0.0.1", port }, rules: readHeaders().rules };
    writeConfiguration(host, options, folder);
    if ("publish" in host) end = await host.publish(output, folder);
    await release();
    return await whileRunning(host, { ...options, folder, ready: { url: base } }, async () => {
      const requests = setInterval(
        () => void fetch(base, { method: "HEAD" }).catch(() => undefined),
        TICK_MS,
      );
      try {
        return await use(new URL(base), root);
      } finally {
        clearInterval(requests);
      }
    });
  } finally {
    await end?.();
    await release();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Milliseconds between requests beside the tests' own. The proxy of `wrangler dev` repeats a request whose connection was lost
 * on a busy machine only when another one arrives, so the last of several would wait forever.
 */
const TICK_MS = 1000;

/** The test site: a host is checked with the same pages, whatever `content/` contains. */
const SITE = join(PROGRAM_FOLDER, "test", "fixtures", "site");

const LOCALES = { en: { label: "English", path: "/en/" }, cy: { label: "Cymraeg", path: "/cymraeg/" } };

const contentBeside = (out: string): string => join(dirname(out), "content");

/** The test site, with files for websites, a slug of another script, and languages. */
function testSite(content: string): string {
  cpSync(SITE, content, { recursive: true });
  const file = join(content, "_site.json");
  const site = JSON.parse(readFileSync(file, "utf8")) as object;
  writeFileSync(file, JSON.stringify({ ...site, index: true, append_slash: false, locales: LOCALES }));
  const written = {
    id: 4711,
    meta: { type: "standardpages.GeneralPage" },
    title: "A slug of another script",
  };
  writeFileSync(join(content, "visit", "%5Fcafé-日本-.json"), JSON.stringify(written));
  mkdirSync(join(content, "cy"));
  const home = { id: 4712, meta: { type: "home.HomePage" }, title: "Hafan" };
  writeFileSync(join(content, "cy", "index.json"), JSON.stringify(home));
  return content;
}

/** Builds into one folder, because a build keeps its cache per folder, and copies the output to `root`. */
async function buildFor(baseUrl: string, root: string, out: string, given?: string): Promise<Output> {
  mkdirSync(out, { recursive: true });
  const content = given ?? testSite(contentBeside(root));
  const { findings, output } = await build({
    content,
    out,
    cache: siteFolder().cache,
    baseUrl,
    browse: true,
    bulk: true,
  });
  if (findings.some(isError) || output === undefined)
    throw new Failure(`The site for tests has errors: npm run check -- --content ${content} lists them.`);
  cpSync(out, root, { recursive: true });
  writeAssetsIgnore(root);
  // The same state as while another build runs.
  const { staging, lock } = layoutOf(root);
  mkdirSync(staging);
  writeFileSync(lock, JSON.stringify(thisProcess()));
  return { ...output, root, cache: dirname(root) };
}

function checkNamed(name: string, { title }: Host): CheckName {
  if (isCheckName(name)) return name;
  throw new Error(`${title}: there is no check ${name}`);
}
