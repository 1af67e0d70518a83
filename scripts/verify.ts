import { existsSync } from "node:fs";
import { join } from "node:path";
import { siteFolder } from "../build/base/folders.ts";
import { isFolder } from "../build/base/file.ts";
import { siteIn } from "../build/change/files.ts";
import { nearest } from "../build/findings/finding.ts";
import { printableJson } from "../build/findings/printable.ts";
import { SITE } from "../build/source/site-files.ts";
import { against, agree, compareHosts } from "../build/verify/against.ts";
import { modelOf } from "../build/model/types.ts";
import {
  human,
  markdown,
  advice,
  checkNames,
  checks,
  conforms,
  isCheckName,
  verifyWithin,
  type CheckName,
  type HostReport,
} from "../build/verify/verify.ts";
import {
  addressIn,
  command,
  CommandError,
  complain,
  print,
  refuseOthers,
  refuseUseless,
  reporterOption,
  siteOf,
  siteOptions,
  type Values,
  whole,
  withProgress,
} from "./command.ts";

const REPORTERS = {
  human: (report: HostReport) => human(report, process.stdout.columns),
  markdown,
  json: (report: HostReport) => printableJson(report, 2),
};

const OPTIONS = {
  "against NEW":
    "compare URL, an old, live API, with the one at this URL instead: statuses, headers and values. A folder of responses, such as a mirror, can replace either. Only GET, HEAD and OPTIONS are sent then; --accept names fields and headers that may differ",
  live: "check the live host instead of URL: base_url in _site.json",
  "wait SECONDS": {
    text: "repeat the checks until all pass, for at most this many seconds: a host may need time for new pages (default: check once)",
    parse: seconds,
  },
  "out DIR": "compare bodies with the files of this output of a build, byte by byte",
  ...siteOptions,
  "content DIR":
    "read from these sources which pages exist or, with --out, which are drafts (default: content)",
  "id N …": { text: "request this page; may be repeated", parse: whole(1) },
  all: "request every page, not only several of each type",
  "accept CHECK …": "accept that this check fails, as a known limit of the host; may be repeated",
  "timeout SECONDS": {
    text: "wait at most this many seconds for a complete response",
    default: "10",
    parse: seconds,
  },
  "concurrency N": {
    text: "run at most N requests at a time (default: 6, or 4 with --against)",
    parse: whole(1, 64),
  },
  "reporter NAME": reporterOption("the table", REPORTERS),
  list: "print every check with its expectation, and send nothing",
} as const;

await command(
  {
    name: "verify",
    args: { "[URL]": "the URL in front of /api/v2/pages/" },
    summary:
      "Checks a running host, live or local, against the contract, and prints a table: check, expected, got. It also sends the\n" +
      "methods that a host must refuse (POST, PUT, PATCH, DELETE, …).",
    status:
      "0 the host keeps the contract except for what was accepted, 1 a check fails, 2 it could not be verified.",
  },
  OPTIONS,
  async (values, [given]) => {
    if (values.list) {
      refuseOthers(["list"], "--list");
      for (const [name, [asks, expected]] of Object.entries(checks)) print(`${name}: ${asks}: ${expected}\n`);
      return 0;
    }
    if (values.against !== undefined) {
      refuseUseless(["live", "wait"], "--against");
      return compare(addressOrFolder(given), addressOrFolder(values.against), values);
    }
    const url = values.live ? liveAddress(given, siteOf(values).content) : address(given);
    const { concurrency = 6, wait = 0 } = values;
    const options = { concurrency, ...chosenPages(values), accept: values.accept.map(checkName) };
    const report = await withProgress("Verifying", "pages", (progress) =>
      verifyWithin(1000 * wait, url, { ...options, progress }),
    );
    print(`${REPORTERS[values.reporter](report)}\n`);
    for (const line of advice(report)) complain(`${line}\n`);
    return conforms(report) ? 0 : 1;
  },
);

type VerifyValues = Values<typeof OPTIONS>;

async function compare(old: URL | string, now: URL | string, values: VerifyValues): Promise<0 | 1> {
  const { reporter, accept, concurrency = 4 } = values;
  if (reporter === "markdown")
    throw new CommandError(`--reporter: expected human or json with --against, found ${reporter}.`);
  const folder = [old, now].find((one) => typeof one === "string");
  const out = values.out ?? (values.content === undefined ? folder : undefined);
  const options = { concurrency, ...chosenPages({ ...values, out }), against: now, accept };
  const report = await withProgress("Comparing", "pages", (progress) =>
    compareHosts(old, { ...options, progress }),
  );
  print(`${reporter === "json" ? printableJson(report, 2) : against(report)}\n`);
  return agree(report) ? 0 : 1;
}

function chosenPages({ site, out, content, id, all, timeout }: VerifyValues) {
  const own = siteFolder(site).content;
  const sources = content ?? (out === undefined && existsSync(own) ? own : undefined);
  // A host is checked against the types of the site, also if its pages are those of an output.
  return { out, content: sources, model: modelOf(content ?? own), ids: id, all, timeout };
}

/** A URL, or a folder of responses, which `--against` accepts in place of either API. */
function addressOrFolder(given: string | undefined): URL | string {
  return given !== undefined && isFolder(given) ? given : address(given);
}

function liveAddress(given: string | undefined, content: string): URL {
  if (given !== undefined) throw new CommandError("Give either a URL or --live.");
  const site = siteIn(content);
  if (site === undefined)
    throw new CommandError(`--live: ${join(content, SITE)} is missing or has errors (npm run check).`);
  return new URL(site.base_url);
}

function address(text: string | undefined): URL {
  if (text === undefined)
    throw new CommandError("Give the URL of a host: npx page-api verify URL, or --live (see --help).");
  return addressIn(text);
}

function checkName(name: string): CheckName {
  if (isCheckName(name)) return name;
  const near = nearest(name, checkNames);
  throw new CommandError(
    `--accept ${name}: there is no such check${near === undefined ? "; --list prints them all." : `; did you mean ${near}?`}`,
  );
}

function seconds(written: string, option: string): number {
  const value = Number(written);
  if (/^\d+(\.\d+)?$/.test(written) && value > 0 && value <= 3600) return value;
  throw new CommandError(
    `${option}: expected a number of seconds up to 3600, such as 10 or 0.5, found ${written}.`,
  );
}
