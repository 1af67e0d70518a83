import { Failure } from "../base/failure.ts";
import type { History } from "../page/history.ts";
import { homeAddress, linkPath } from "../sources/tree.ts";
import { HistoryError, readHistory } from "./history.ts";
import { takenIds } from "./ids.ts";
import { readPages, type Pages } from "./pages.ts";

/** Where a former address leads. */
export interface Redirect {
  from: string;
  /** Absent where nothing stands in for the page. */
  to?: string;
}

/**
 * Where the addresses in `_history.json` lead now, each in one step.
 *
 * @throws HistoryError where it has errors, or addresses lead back to themselves.
 */
export function redirectsOf(content: string): Redirect[] {
  const pages = readPages(content);
  const history = readHistory(content);
  const resolveAddress = resolver(pages, history);
  const published = new Set([...pages.addresses.values()].map(linkPath));
  const redirects = new Map<string, Redirect>();
  for (const { address } of [...history.retired, ...history.moved]) {
    const path = linkPath(address);
    // A page is at home there again.
    if (published.has(path)) continue;
    const end = resolveAddress(address);
    if (end !== "unpublished") redirects.set(path, { from: address, ...end });
  }
  return [...redirects.values()];
}

/** Gives the address at which visitors of another arrive at last, if any; of a page that is a draft now, nobody can say. */
function resolver(
  { content, listing, site, addresses }: Pages,
  { retired, moved }: History,
): (address: string) => { to?: string } | "unpublished" {
  const published = new Map([...addresses.values()].map((address) => [linkPath(address), address]));
  const files = moved.length === 0 ? undefined : takenIds(content, listing);
  const byAddress = new Map(retired.map((entry) => [linkPath(entry.address), entry]));
  const byId = new Map(retired.map((entry) => [entry.id, entry]));
  const movedFrom = new Map(moved.map(({ id, address }) => [linkPath(address), id]));
  const { origin } = new URL(homeAddress(site));
  const next = (path: string): { at: string | null } | "unpublished" | undefined => {
    const id = movedFrom.get(path);
    if (id !== undefined) {
      const page = addresses.get(files?.get(id) ?? "");
      const gone = byId.get(id);
      return page === undefined && gone === undefined ? "unpublished" : { at: page ?? gone?.to ?? null };
    }
    const entry = byAddress.get(path);
    return entry && { at: entry.to };
  };
  return (address) => {
    const through = [address];
    for (let at = address; ;) {
      const inside = at.startsWith(`${origin}/`) ? at.slice(origin.length) : at;
      const path = linkPath(inside);
      const step = published.has(path) ? undefined : next(path);
      if (step === "unpublished") return step;
      if (step === undefined) return { to: /[?#]/.test(at) ? at : (published.get(path) ?? at) };
      if (step.at === null) return {};
      through.push(step.at);
      if (through.slice(0, -1).some((one) => linkPath(one) === linkPath(step.at ?? "")))
        throw new HistoryError(
          `${through.join(" → ")}: these addresses lead back to themselves. Correct “to” in _history.json.`,
        );
      at = step.at;
    }
  };
}

/** In an address that a configuration can hold: what has a meaning there is encoded. */
const encoded = (address: string, also = ""): string =>
  address
    .replace(/[^A-Za-z0-9\-._~!*'(),;:@&=+/?#%[\]]/gu, (c) => encodeURIComponent(c))
    .replace(/[*:]/g, (c) => (also.includes(c) ? `%${c.charCodeAt(0).toString(16).toUpperCase()}` : c));

/** As servers compare it: decoded, and without what follows the path. */
function decodedPath(address: string): string {
  const path = address.replace(/[?#].*$/s, "");
  let decoded = path;
  try {
    decoded = decodeURI(path);
  } catch {
    // A sign of per cent that encodes nothing stands for itself.
  }
  if (/[\p{Cc}"\\]/u.test(decoded))
    throw new Failure(`${address}: an address with such characters cannot be written into a configuration.`);
  return decoded;
}

const escapedPattern = (path: string): string => path.replace(/[.*+?^${}()|[\]]/g, "\\$&");

const quotedCsv = (text: string): string =>
  /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

/** How redirects are written for the host of a website: each a line. */
export const REDIRECT_FORMATS: Record<string, (redirects: readonly Redirect[]) => string[]> = {
  cloudflare: (redirects) =>
    redirects.map(({ from, to }) =>
      to === undefined ? `# gone: ${encoded(from)}` : `${encoded(from, "*:")} ${encoded(to)} 301`,
    ),
  nginx: (redirects) =>
    redirects.map(({ from, to }) => {
      const answer = to === undefined ? "return 410;" : `return 301 "${encoded(to)}";`;
      return `location = "${decodedPath(from)}" { ${answer} }`;
    }),
  apache: (redirects) =>
    redirects.map(({ from, to }) => {
      const pattern = `"^${escapedPattern(decodedPath(from))}$"`;
      return to === undefined
        ? `RedirectMatch 410 ${pattern}`
        : `RedirectMatch 301 ${pattern} "${encoded(to)}"`;
    }),
  csv: (redirects) => [
    "from,to,status",
    ...redirects.map(({ from, to }) =>
      [quotedCsv(from), quotedCsv(to ?? ""), to === undefined ? 410 : 301].join(","),
    ),
  ],
};
