import { inParallel, pathOf, type Asking, type PlainPage } from "./asking.ts";
import { CannotVerify } from "./cannot.ts";
import type { CheckName } from "./checks.ts";
import { openHost } from "./host.ts";
import { openLedger, type CheckResult } from "./ledger.ts";
import { probeMethods } from "./probes/methods.ts";
import { probeFolders, probeMissing } from "./probes/missing.ts";
import { parentsOf, probePage } from "./probes/pages.ts";
import { probeOptions, probeSlash, probeVariants } from "./probes/variants.ts";
import { asked, type Reply } from "./reply.ts";
import { choosePages, type Sources } from "./sample.ts";

export { CannotVerify } from "./cannot.ts";
export { checkNames, checks, isCheckName, type CheckName } from "./checks.ts";
export type { CheckResult, Status } from "./ledger.ts";

export interface VerifyOptions extends Sources {
  /** Known limits of the host: these checks may fail. */
  accept?: readonly CheckName[];
  /** Ask for every page, not only for several of each type. */
  all?: boolean;
  /** Seconds for a whole answer; 10 where left out. */
  timeout?: number;
  /** Questions that are open at the same time; 6 where left out. */
  concurrency?: number;
  progress?: (done: number, total: number) => void;
}

export interface Report {
  /** The address that was verified. */
  host: string;
  /** How many pages were asked for, and how many questions were put in all. */
  pages: number;
  requests: number;
  checks: readonly CheckResult[];
  /** What the person who verifies should think of, beyond the table. */
  hints: readonly string[];
}

/** Whether the host keeps the contract, but for what was accepted. */
export const holds = ({ checks }: Report): boolean => checks.every(({ status }) => status !== "failed");

/** Asks a running host for the whole contract. Throws `CannotVerify` where nothing could be asked. */
export async function verifyHost(url: URL, options: VerifyOptions): Promise<Report> {
  const { accept = [], all = false, timeout = 10, concurrency = 6 } = options;
  const pages = choosePages(options);
  const host = openHost(addressOf(url), { timeout: timeout * 1000, concurrency });
  const ledger = openLedger();
  const hints = new Set<string>();
  const asking: Asking = { host, ledger, pages, hint: (words) => hints.add(words) };
  const ids = all ? pages.ids : pages.sample;
  try {
    if (await answers(asking, concurrency)) {
      const plain = await probePages(asking, ids, options);
      await probeContract(asking, plain, concurrency);
    }
  } finally {
    host.close();
  }
  return {
    host: host.base,
    pages: ids.length,
    requests: host.requests(),
    checks: ledger.results(new Set(accept)),
    hints: [...hints],
  };
}

/** The address that all paths are below: a page's own address, or one with a query, is a slip worth telling. */
export function addressOf(url: URL): URL {
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new CannotVerify(`${url.href}: an address begins with http:// or https://.`);
  if (url.username !== "" || url.password !== "")
    throw new CannotVerify("An address with a user name or password in it is not asked: leave them out.");
  const at = url.pathname.search(/\/api(\/|$)/);
  if (at >= 0)
    throw new CannotVerify(
      `${url.href}: name the address that /api/v2/pages/ is below: ${url.origin}${url.pathname.slice(0, at)}`,
    );
  if (url.search !== "" || url.hash !== "")
    throw new CannotVerify(`${url.href}: name the address without what follows ? or #.`);
  return url;
}

/** Whether anything speaks HTTP there. A host that cannot be reached at all cannot be verified. */
async function answers({ host, ledger, pages }: Asking, concurrency: number): Promise<boolean> {
  const replies: Reply[] = [];
  await inParallel(pages.sample.slice(0, 3), concurrency, async (id) => {
    replies.push(await host.askAlone({ path: pathOf(id) }));
  });
  const silent = replies.find((reply) => reply.kind === "silence");
  const answered = replies.some((reply) => reply.kind === "answer");
  if (!answered && silent !== undefined && (silent.trouble === "unreachable" || silent.trouble === "tls"))
    throw new CannotVerify(`${host.base}: ${silent.words}`);
  ledger.note(
    "answers",
    silent === undefined ? "GET" : asked(silent.question),
    answered ? undefined : silent?.words,
  );
  return answered;
}

/** Every chosen page by a plain GET; those of the sample are kept, to hold other answers against them. */
async function probePages(
  asking: Asking,
  ids: readonly number[],
  options: VerifyOptions,
): Promise<PlainPage[]> {
  const { concurrency = 6, progress } = options;
  const sample = new Set(asking.pages.sample);
  const parents = parentsOf(asking);
  const kept: PlainPage[] = [];
  let done = 0;
  await inParallel(ids, concurrency, async (id) => {
    const page = await probePage(asking, id, parents);
    if (page !== undefined && sample.has(id)) kept.push(page);
    progress?.(++done, ids.length);
  });
  return kept.sort((a, b) => a.id - b.id);
}

async function probeContract(
  asking: Asking,
  plain: readonly PlainPage[],
  concurrency: number,
): Promise<void> {
  const published = asking.pages.sample[0] ?? 1;
  const probes = [
    ...plain.flatMap((page) => [
      () => probeVariants(asking, page),
      () => probeSlash(asking, page),
      () => probeOptions(asking, page),
    ]),
    ...plain.slice(0, 1).map(
      ({ id }) =>
        () =>
          probeMethods(asking, id),
    ),
    async () => probeFolders(asking, await probeMissing(asking, published)),
  ];
  await inParallel(probes, concurrency, (probe) => probe());
}
