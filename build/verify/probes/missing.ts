import { judge, judged, PAGES, pathOf, type Asking } from "../asking.ts";
import { beginning, beyond, inWords, missingFaults, type Fault } from "../contract.ts";
import { decoded } from "../encoding.ts";
import { header, statusOf, type Answer, type Question } from "../reply.ts";
import { ACCEPTS, ENCODINGS, noBody, QUERIES } from "./variants.ts";

/** Ids that are not published, from likely slips to attempts to get out of the folder; and the folders themselves. */

const LARGEST = Number.MAX_SAFE_INTEGER;

function unpublished({ ids, complete }: Asking["pages"]): number[] {
  const known = new Set(ids);
  // 404: hosts that keep the error page beside the pages may take it for one.
  const candidates = complete ? [ids.reduce((a, b) => Math.max(a, b), 0) + 1, 404, 500, LARGEST] : [LARGEST];
  return candidates.filter((id) => Number.isSafeInteger(id) && !known.has(id));
}

/** Written otherwise than an id is: never a page, even where the number in it is one. */
const malformed = (id: number): string[] => [
  "0",
  "-1",
  "007",
  `00${id}`,
  "abc",
  "1e3",
  `${id}.0`,
  `+${id}`,
  `${id}%20`,
  `%20${id}`,
  `${id},${id}`,
  `${id}abc`,
  "0x10",
  "9007199254740993",
  "99999999999999999999999999",
  "null",
  "index",
  "*",
  "%D9%A1%D9%A2",
  "%3Cscript%3E",
];

const hostile = (id: number): string[] => [
  "%2e%2e",
  "%2e",
  "..",
  "..%2f..%2f..%2f_headers",
  "%2e%2e%2f%2e%2e%2f%2e%2e%2f_redirects",
  "..%5c..%5c..%5c_headers",
  "%c0%ae%c0%ae",
  "%252e%252e",
  "%00",
  `${id}%00`,
  `${id}%0d%0aX-Injected:%20yes`,
  "%zz",
  "%",
  "a".repeat(300),
  "9".repeat(10_000),
];

/**
 * The headers of the 404 are judged once; whatever else asks for it must get no worse. Gives what is wrong with the
 * plain one already, or nothing where there is no 404.
 */
export async function probeMissing(asking: Asking, published: number): Promise<readonly Fault[] | undefined> {
  const { host, pages } = asking;
  let plain: readonly Fault[] | undefined;
  for (const id of unpublished(pages)) {
    const reply = await host.askAlone({ path: pathOf(id) });
    judge(asking, "not-found", reply, (answer) => (answer.status === 404 ? undefined : statusOf(answer)));
    if (reply.kind === "silence" || reply.status !== 404) continue;
    const faults = missingFaults(reply);
    plain ??= faults;
    const of = (...aspects: string[]) => inWords(faults.filter(({ aspect }) => aspects.includes(aspect)));
    judge(asking, "not-found-body", reply, () => of("body"));
    judge(asking, "not-found-content-type", reply, () => of("content-type"));
    judge(asking, "not-found-headers", reply, () =>
      of("allow", "cache-control", "expires", "vary", "cors", "nosniff"),
    );
  }
  for (const id of pages.drafts)
    await judged(asking, "draft", { path: pathOf(id) }, (answer) =>
      answer.status === 404 ? undefined : statusOf(answer),
    );
  if (plain !== undefined) await probeMissingVariants(asking, plain, published);
  return plain;
}

async function probeMissingVariants(
  asking: Asking,
  plain: readonly Fault[],
  published: number,
): Promise<void> {
  const path = pathOf(LARGEST);
  const same = (answer: Answer): string | undefined => {
    const body = decoded(answer);
    return typeof body === "string" ? body : inWords(beyond(plain, missingFaults({ ...answer, body })));
  };

  const head = await asking.host.askBare({ method: "HEAD", path });
  judge(asking, "not-found-head", head, (answer) => noBody(answer) ?? same(answer));

  await judged(asking, "not-found-accept-json", { path, headers: { Accept: "application/json" } }, same);

  const variants: Question[] = [
    ...QUERIES.map((query) => ({ path: path + query })),
    ...ACCEPTS.filter((accept) => !accept.includes("application/json")).map((Accept) => ({
      path,
      headers: { Accept },
    })),
    ...ENCODINGS.map((encoding) => ({ path, headers: { "Accept-Encoding": encoding } })),
    { path, headers: { "If-None-Match": "*" } },
  ];
  for (const question of variants) await judged(asking, "not-found-variants", question, same);

  for (const id of malformed(published)) await judged(asking, "malformed-id", { path: pathOf(id) }, same);

  for (const id of hostile(published))
    await judged(asking, "hostile-id", { path: pathOf(id) }, (answer) => {
      if (header(answer, "X-Injected") !== undefined) return "a header that was smuggled in with the id";
      return (answer.status >= 400 && answer.status <= 499) || staysHere(asking, answer)
        ? undefined
        : statusOf(answer);
    });
}

/** Some hosts answer dots in a path by a redirect to the path without them. */
function staysHere({ host }: Asking, answer: Answer): boolean {
  const location = header(answer, "Location");
  const redirect = [301, 302, 307, 308].includes(answer.status) && location !== undefined;
  if (!redirect || !URL.canParse(location, host.base)) return false;
  const to = new URL(location, host.base + answer.question.path);
  return to.origin === new URL(host.base).origin && !to.pathname.endsWith("_headers");
}

export async function probeFolders(asking: Asking, missing: readonly Fault[] | undefined): Promise<void> {
  await judged(asking, "pages-root", { path: PAGES }, (answer) => {
    if (answer.status === 403) return undefined;
    if (answer.status !== 404) return statusOf(answer);
    return inWords(beyond(missing ?? [], missingFaults(answer)));
  });
  // Servers that list folders do so in JSON too, for those who ask for it.
  await judged(asking, "pages-root", { path: PAGES, headers: { Accept: "application/json" } }, (answer) =>
    answer.status === 403 || answer.status === 404 ? undefined : statusOf(answer),
  );
  for (const path of ["/", "/api/", "/api/v2/"])
    for (const Accept of ["text/html", "application/json"])
      await judged(asking, "listing", { path, headers: { Accept } }, (answer) => listingIn(answer, path));
  const unpublishedFiles = ["/_headers", "/_redirects", "/%5Fheaders", "/_headers/", "/.assetsignore"];
  for (const path of [...unpublishedFiles, "/.building/lock"])
    await judged(asking, "leaks", { path }, (answer) =>
      answer.status >= 200 && answer.status <= 299
        ? `${answer.status}, ${beginning(answer.body.toString("utf8"))}`
        : undefined,
    );
}

/** At the root a website may stand, which may well link to its API: only what no website shows gives a listing away. */
function listingIn(answer: Answer, path: string): string | undefined {
  if (answer.status < 200 || answer.status > 299) return undefined;
  const text = answer.body.toString("utf8");
  const child = path === "/" ? /_headers|_redirects/ : /["'/>](v2|pages)\/?["'<]/;
  return child.test(text) || /\bindex of\b|directory listing/i.test(text)
    ? `a listing, ${beginning(text)}`
    : undefined;
}
