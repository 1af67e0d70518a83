import { setTimeout } from "node:timers/promises";
import { pathOf } from "../base/api.ts";
import { forEachConcurrent } from "../base/concurrent.ts";
import { Failure } from "../base/failure.ts";
import { addressOf, openClient } from "../hosting/http/client.ts";
import { requestLine, type Reply } from "../hosting/http/reply.ts";
import { modelOf } from "../model/types.ts";
import { type CheckName, openProbe, type Probe, checkNames, type CheckResult, type Status } from "./probe.ts";
import { probeBrowse, probeBulk, probeContractFiles, probeMedia, probeWebsite } from "./probes/files.ts";
import { probeMissing, probeSpellings } from "./probes/missing.ts";
import { probePages, probeMethods, probeVariants } from "./probes/pages.ts";
import { choosePages, type HostRequests } from "./sample.ts";

export { checkNames, checks, isCheckName, type CheckName } from "./probe.ts";
export type { CheckResult, Status } from "./probe.ts";

interface VerifyOptions extends HostRequests {
  /** Known limits of the host: these checks may fail. */
  accept?: readonly CheckName[];
}

export type HostReport = Awaited<ReturnType<typeof verifyHost>>;

/** Whether the host keeps the contract, except for accepted failures. */
export const conforms = ({ checks }: HostReport): boolean =>
  checks.every(({ status }) => status !== "failed");

/** No server responds, or its certificate is not accepted. */
class HostUnreachable extends Failure {}

/** Milliseconds before the checks are repeated the first time; each later pause is twice as long. */
const FIRST_PAUSE_MS = 1000;

/** Repeats the checks for at most `wait` milliseconds until the host keeps the contract: new responses reach it late. */
export async function verifyWithin(wait: number, url: URL, options: VerifyOptions): Promise<HostReport> {
  const start = performance.now();
  for (let pause = FIRST_PAUSE_MS; ; pause *= 2) {
    const report = await verifyHost(url, options).catch((cause: unknown) => {
      if (cause instanceof HostUnreachable) return cause;
      throw cause;
    });
    const left = start + wait - performance.now();
    const isReport = !(report instanceof HostUnreachable);
    if (isReport && (conforms(report) || left <= 0)) return report;
    if (!isReport && left <= 0) throw report;
    await setTimeout(Math.min(pause, left));
  }
}

/** Checks a running host against the contract. @throws HostUnreachable if it cannot be reached. */
export async function verifyHost(url: URL, options: VerifyOptions) {
  const { accept = [], all = false, timeout = 10, concurrency = 6 } = options;
  const { out, content, progress } = options;
  const { model = modelOf(content) } = options;
  const pages = choosePages(options);
  const client = openClient(addressOf(url), { timeout: timeout * 1000, concurrency });
  const probe = openProbe({ client, model, pages, out, concurrency });
  const ids = all ? pages.ids : pages.sample;
  try {
    if (await responds(probe)) {
      const plain = await probePages(probe, ids, progress);
      const [first] = plain;
      const probes = [
        ...plain.map((page) => () => probeVariants(probe, page)),
        ...(first === undefined ? [] : [() => probeMethods(probe, first)]),
        () => probeMissing(probe),
      ];
      await forEachConcurrent(probes, concurrency, (run) => run());
      await probeContractFiles(probe);
      await probeBrowse(probe);
      await probeBulk(probe);
      await probeWebsite(probe);
      if (first !== undefined) await probeSpellings(probe, first.id);
      await probeMedia(probe, plain);
    }
  } finally {
    client.close();
  }
  return {
    host: client.base,
    /** Number of requested pages, and number of all requests. */
    pages: ids.length,
    requests: client.requests(),
    checks: probe.results(new Set(accept)),
    /** Advice for the user, in addition to the table. */
    hints: [...probe.hints],
  };
}

/** Whether the host sends HTTP responses. @throws HostUnreachable if it cannot be reached. */
async function responds(probe: Probe): Promise<boolean> {
  const { client, pages, concurrency } = probe;
  const replies: Reply[] = [];
  await forEachConcurrent(pages.sample.slice(0, 3), concurrency, async (id) => {
    replies.push(await client.sendAlone({ path: pathOf(id) }));
  });
  const silent = replies.find((reply) => reply.kind === "no-reply");
  const hasResponse = replies.some((reply) => reply.kind === "response");
  if (!hasResponse && silent !== undefined && (silent.trouble === "unreachable" || silent.trouble === "tls"))
    throw new HostUnreachable(`${client.base}: ${silent.message}`);
  const about = silent === undefined ? "GET" : requestLine(silent.request);
  probe.note("answers", about, hasResponse ? undefined : silent?.message);
  return hasResponse;
}

/** A report as text, for a terminal or a pull request. */

const WORDS: Record<Status, string> = {
  passed: "ok",
  failed: "FAILED",
  accepted: "accepted",
  "unexpectedly-passed": "passed, though accepted",
  "not-applicable": "-",
};

export function summary({ host, checks, pages, requests }: HostReport): string {
  const count = (...statuses: Status[]): number =>
    checks.filter(({ status }) => statuses.includes(status)).length;
  const [accepted, notApplicable] = [count("accepted"), count("not-applicable")];
  const counts = [
    `${count("passed", "unexpectedly-passed")} checks passed`,
    `${count("failed")} failed`,
    ...(accepted > 0 ? [`${accepted} failed as accepted`] : []),
    ...(notApplicable > 0 ? [`${notApplicable} not applicable`] : []),
  ];
  return `${host}: ${counts.join(", ")} (${pages} pages, ${requests} requests).`;
}

export function advice(report: HostReport): string[] {
  const surprising = report.checks.filter((check) => check.status === "unexpectedly-passed");
  return [
    ...report.hints,
    ...surprising.map(({ name }) => `${name} passes: --accept ${name} is no longer needed.`),
  ];
}

const gotOf = ({ status, got, judged }: CheckResult): string => {
  if (status === "passed") return `as expected (${judged})`;
  return status === "not-applicable" ? `not applicable: ${got}` : `${WORDS[status]}: ${got}`;
};

/** A table of three columns, wrapped to the width of a terminal. */
export function human(report: HostReport, width = 160): string {
  const nameWidth = Math.max(...checkNames.map((name) => name.length));
  const expectedWidth = Math.max(20, Math.floor((width - nameWidth - 4) * 0.42));
  const gotWidth = Math.max(20, width - nameWidth - expectedWidth - 4);
  const row = (name: string, expected: string, got: string): string => {
    const [left, right] = [wrapped(expected, expectedWidth), wrapped(got, gotWidth)];
    const lines = Array.from({ length: Math.max(left.length, right.length) }, (_, i) =>
      [(i === 0 ? name : "").padEnd(nameWidth), (left[i] ?? "").padEnd(expectedWidth), right[i] ?? ""]
        .join("  ")
        .trimEnd(),
    );
    return lines.join("\n");
  };
  const rows = report.checks.map((check) =>
    row(check.name, `${check.asks}: ${check.expected}`, gotOf(check)),
  );
  return [
    row("check", "expected", "got"),
    row("-----", "--------", "---"),
    ...rows,
    "",
    summary(report),
  ].join("\n");
}

const cell = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(/[\\|`*_]/g, String.raw`\$&`)
    .replaceAll("\n", "<br>");

export function markdown(report: HostReport): string {
  const rows = report.checks.map((check) => [
    `\`${check.name}\``,
    cell(`${check.asks}: ${check.expected}`),
    cell(gotOf(check)),
  ]);
  const table = [["check", "expected", "got"], ["---", "---", "---"], ...rows];
  return `${table.map((row) => `| ${row.join(" | ")} |`).join("\n")}\n\n${cell(summary(report))}`;
}

/** Breaks a text at spaces; a word longer than a line is cut. */
function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const paragraph of text.split("\n")) {
    let line = "";
    for (const word of paragraph.split(" ")) {
      if (line !== "" && line.length + 1 + word.length > width) {
        lines.push(line);
        line = "";
      }
      line = line === "" ? word : `${line} ${word}`;
      for (; line.length > width; line = line.slice(width)) lines.push(line.slice(0, width));
    }
    lines.push(line);
  }
  return lines;
}
