import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Instant } from "../build/base/instant.ts";
import { develop, homeOf, addressesOf } from "../build/dev/develop.ts";
import { takePreviewFolder, unlessInterrupted, untilInterrupted } from "../build/dev/folder.ts";
import { freePort, type ReservedPort } from "../build/hosting/port.ts";
import { isError } from "../build/findings/finding.ts";
import { printable } from "../build/findings/printable.ts";
import { plural } from "../build/base/numbers.ts";
import type { HeaderRule } from "../build/hosting/headers.ts";
import { readHeaders } from "../build/hosting/conformance.ts";
import { realPath } from "../build/base/paths.ts";
import { contentFolder } from "../build/source/complete.ts";
import type { Changed } from "../build/site/watch-build.ts";
import type { Built } from "../build/site/outcome.ts";
import type { SiteFolder } from "../build/base/folders.ts";
import {
  command,
  CommandError,
  complain,
  type ExitStatus,
  explain,
  print,
  progressOn,
  siteOptions,
} from "./command.ts";
import { onPort, portOption, takenNote } from "./ports.ts";
import { report, shared } from "./reporting.ts";

await command(
  {
    name: "dev",
    summary:
      "Builds the pages for a local address, into .preview/, serves them there, and builds them again whenever a source is\n" +
      "saved. If the sources have errors, it shows them and keeps the last valid pages. Ctrl-C ends it.",
    status: "0 ended with Ctrl-C, 2 it could not be served.",
  },
  {
    ...siteOptions,
    ...portOption,
    ...shared("at INSTANT"),
    website: "show the pages in the website of init --website, also beside the form",
  },
  async ({ port, at, website: isShown }, _, site) => {
    contentFolder(site.content);
    const headers = readHeaders(site.headersFile);
    if (headers.findings.length > 0) return report("human", ".", { pages: 0, findings: headers.findings });
    const astro = join(site.site, "website/node_modules/astro/astro.js");
    if (isShown && !existsSync(astro))
      throw new CommandError(`${printable(astro)} is missing: run npm install in website/.`);
    const website = isShown ? await freePort(4321) : undefined;
    const interrupted = untilInterrupted();
    return onPort(port, (reserved) => preview(site, at, headers.rules, reserved, interrupted, website));
  },
);

async function preview(
  { site, content, headersFile, cache }: SiteFolder,
  at: Instant | undefined,
  rules: readonly HeaderRule[],
  reserved: ReservedPort,
  interrupted: Promise<undefined>,
  website: number | undefined,
): Promise<ExitStatus> {
  const root = realPath(content);
  const baseUrl = `http://localhost:${reserved.port}`;
  const progress = progressOn("Building");
  let reported: ReadonlySet<string> = new Set();
  let isFirst = true;

  let isGreeted = false;
  const greet = (): void => {
    if (!isGreeted) print(`\n${takenNote(reserved)}  ${baseUrl}/   the browse UI\n\n`);
    isGreeted = true;
  };

  /** Reports a build; findings that were shown before are not repeated. */
  const reportBuild = (built: Built, changed: Changed): void => {
    progress.clear();
    greet();
    const findings = built.findings.filter((f) => !reported.has(JSON.stringify(f)));
    if (findings.length > 0) report("human", content, { pages: built.pages, findings }, "");
    reported = new Set(built.findings.map((f) => JSON.stringify(f)));
    if (built.published === undefined) {
      const errors = built.findings.filter(isError);
      const known = findings.some(isError) ? "" : ` ${plural(errors.length, "error")} left, shown above.`;
      print(`Not built: the pages are as they were before.${known} Waiting for the next change.\n\n`);
      return;
    }
    const { written, removed } = built.published;
    const done = isFirst
      ? `${plural(built.pages, "page")}, to be opened now`
      : `${plural(written, "page")} written, ${removed} removed`;
    const live = isFirst ? homeOf(root, baseUrl) : addressesOf(root, changed, baseUrl);
    isFirst = false;
    print(`${done}\n${live.map(([file, address]) => `  ${address}   ${printable(file)}\n`).join("")}`);
  };

  const folder = takePreviewFolder(site, reserved.port);
  let astro: ChildProcess | undefined;
  let ended: Promise<unknown> = interrupted;
  try {
    await reserved.release();
    const starting = develop({
      content: root,
      out: folder.path,
      headersFile,
      cache,
      port: reserved.port,
      at,
      rules,
      progress: progress.show,
      website: website === undefined ? undefined : `http://localhost:${website}`,
      onBuilt: reportBuild,
      onTrouble: (trouble) => {
        progress.clear();
        complain(`${explain(trouble)}\n`);
      },
    });
    const developing = await unlessInterrupted(starting, interrupted, folder.release);
    greet();
    if (website !== undefined) {
      astro = startWebsite(join(site, "website"), website, baseUrl);
      ended = Promise.race([interrupted, endOf(astro)]);
      print(`  http://localhost:${website}/   the website\n`);
    }
    print("\nWaiting for changes. Ctrl-C ends it.\n\n");
    try {
      await ended;
    } finally {
      await developing.close();
    }
    return 0;
  } finally {
    astro?.kill();
    folder.release();
  }
}

/** Rejects when the website's server ends: without it, the editor would show an empty frame. */
async function endOf(astro: ChildProcess): Promise<never> {
  const [status, signal] = (await once(astro, "exit")) as [number | null, string | null];
  throw new CommandError(
    `The website's server ended (${signal ?? `exit status ${status}`}). Correct the error above in website/, then start dev again.`,
  );
}

/** Starts the website's server, which requests the pages and drafts from this one, and shows each save. */
function startWebsite(folder: string, port: number, api: string): ChildProcess {
  return spawn(process.execPath, ["node_modules/astro/astro.js", "dev", "--port", String(port)], {
    cwd: folder,
    env: { ...process.env, PAGE_API: api, PAGE_DRAFTS: "1", ASTRO_TELEMETRY_DISABLED: "1" },
    stdio: ["ignore", "ignore", "inherit"],
  });
}
