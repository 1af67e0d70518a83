import { pathOf } from "../base/api.ts";
import { forEachConcurrent } from "../base/concurrent.ts";
import { type ProbeContext, type PlainPage } from "./context.ts";
import { Failure } from "../base/failure.ts";
import type { CheckName } from "./checks.ts";
import { addressOf, openClient } from "../http/client.ts";
import { collectResults, type CheckResult } from "./results.ts";
import { probeMethods } from "./probes/methods.ts";
import { probeFolders, probeMissing } from "./probes/missing.ts";
import { probeBrowse } from "./probes/browse.ts";
import { probeBulk } from "./probes/bulk.ts";
import { probeContractFiles } from "./probes/contract-files.ts";
import { probeSpellings } from "./probes/spellings.ts";
import { probeMedia } from "./probes/media.ts";
import { parentsOf, probePage } from "./probes/pages.ts";
import { probeOptions, probeSlash, probeVariants } from "./probes/variants.ts";
import { requestLine, type Reply } from "../http/reply.ts";
import { choosePages, type Sources } from "./sample.ts";
import type { PageModel } from "../page/page.ts";
import { programModel } from "../page/program-model.ts";

export { Failure } from "../base/failure.ts";
export { checkNames, checks, isCheckName, type CheckName } from "./checks.ts";
export type { CheckResult, Status } from "./results.ts";

export interface VerifyOptions extends Sources {
  /** The page types of the site; the program's own by default. */
  model?: PageModel;
  /** Known limits of the host: these checks may fail. */
  accept?: readonly CheckName[];
  /** Request every page, not only several of each type. */
  all?: boolean;
  /** Seconds for a complete response (default: 10). */
  timeout?: number;
  /** Maximum number of simultaneous requests (default: 6). */
  concurrency?: number;
  progress?: (done: number, total: number) => void;
}

export interface HostReport {
  /** The address that was verified. */
  host: string;
  /** Number of requested pages, and number of all requests. */
  pages: number;
  requests: number;
  checks: readonly CheckResult[];
  /** Advice for the user, in addition to the table. */
  hints: readonly string[];
}

/** Whether the host keeps the contract, except for accepted failures. */
export const holds = ({ checks }: HostReport): boolean => checks.every(({ status }) => status !== "failed");

/** Checks a running host against the contract. @throws Failure if it cannot be reached. */
export async function verifyHost(url: URL, options: VerifyOptions): Promise<HostReport> {
  const { model = programModel, accept = [], all = false, timeout = 10, concurrency = 6 } = options;
  const pages = choosePages(options);
  const client = openClient(addressOf(url), { timeout: timeout * 1000, concurrency });
  const results = collectResults();
  const hints = new Set<string>();
  const context: ProbeContext = { model, client, results, pages, hint: (words) => hints.add(words) };
  const ids = all ? pages.ids : pages.sample;
  try {
    if (await responds(context, concurrency)) {
      const plain = await probePages(context, ids, options);
      await probeContract(context, plain, concurrency);
      await probeContractFiles(context, options.out);
      await probeBrowse(context, options.out);
      await probeBulk(context, options.out);
      if (plain[0] !== undefined) await probeSpellings(context, plain[0].id, concurrency);
      await probeMedia(context, plain, options.out, concurrency);
    }
  } finally {
    client.close();
  }
  return {
    host: client.base,
    pages: ids.length,
    requests: client.requests(),
    checks: results.all(new Set(accept)),
    hints: [...hints],
  };
}

/** Whether the host sends HTTP responses. @throws Failure if it cannot be reached. */
async function responds({ client, results, pages }: ProbeContext, concurrency: number): Promise<boolean> {
  const replies: Reply[] = [];
  await forEachConcurrent(pages.sample.slice(0, 3), concurrency, async (id) => {
    replies.push(await client.sendAlone({ path: pathOf(id) }));
  });
  const silent = replies.find((reply) => reply.kind === "no-reply");
  const hasResponse = replies.some((reply) => reply.kind === "response");
  if (!hasResponse && silent !== undefined && (silent.trouble === "unreachable" || silent.trouble === "tls"))
    throw new Failure(`${client.base}: ${silent.message}`);
  results.note(
    "answers",
    silent === undefined ? "GET" : requestLine(silent.request),
    hasResponse ? undefined : silent?.message,
  );
  return hasResponse;
}

/** Requests every chosen page by a plain GET; returns those of the sample, to compare other responses with them. */
async function probePages(
  context: ProbeContext,
  ids: readonly number[],
  options: VerifyOptions,
): Promise<PlainPage[]> {
  const { concurrency = 6, progress } = options;
  const sample = new Set(context.pages.sample);
  const parents = parentsOf(context);
  const kept: PlainPage[] = [];
  let done = 0;
  await forEachConcurrent(ids, concurrency, async (id) => {
    const page = await probePage(context, id, parents);
    if (page !== undefined && sample.has(id)) kept.push(page);
    progress?.(++done, ids.length);
  });
  return kept.sort((a, b) => a.id - b.id);
}

async function probeContract(
  context: ProbeContext,
  plain: readonly PlainPage[],
  concurrency: number,
): Promise<void> {
  const published = context.pages.sample[0] ?? 1;
  const probes = [
    ...plain.flatMap((page) => [
      () => probeVariants(context, page),
      () => probeSlash(context, page),
      () => probeOptions(context, page),
    ]),
    ...plain.slice(0, 1).map(
      ({ id }) =>
        () =>
          probeMethods(context, id),
    ),
    async () => probeFolders(context, await probeMissing(context, published)),
  ];
  await forEachConcurrent(probes, concurrency, (probe) => probe());
}
