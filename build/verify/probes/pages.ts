import { pathOf } from "../../base/api.ts";
import { check, type ProbeContext, type PlainPage } from "../context.ts";
import { bytesFault, equalsFault, hasEqualFields, orderFault, parseBody, schemaFault } from "../body.ts";
import { headerFaults, headerChecks, headerNames } from "../contract.ts";
import {
  decoded,
  excerpt,
  header,
  requestLine,
  statusOf,
  type HttpResponse,
  type Reply,
} from "../../http/reply.ts";
import type { PageResponse } from "../../page/page.ts";

type Parents = (id: number) => Promise<Reply>;

/** Requests each parent once, however many subpages it has. */
export function parentsOf({ client }: ProbeContext): Parents {
  const known = new Map<number, Promise<Reply>>();
  return (id) => {
    const reply = known.get(id) ?? client.send({ path: pathOf(id) });
    known.set(id, reply);
    return reply;
  };
}

/**
 * Checks a GET of one page: its status, each header, its body. Returns the page if other responses can be compared
 * with it.
 */
export async function probePage(
  context: ProbeContext,
  id: number,
  parents: Parents,
): Promise<PlainPage | undefined> {
  const { client, hint } = context;
  const reply = await client.send({ path: pathOf(id) });
  check(context, "page-status", reply, (response) =>
    response.status === 200 ? undefined : statusOf(response),
  );
  if (reply.kind === "no-reply") return undefined;
  if (reply.status !== 200) {
    redirectHint(reply, client.base, hint);
    return undefined;
  }
  for (const name of headerNames) check(context, `page-${name}`, reply, headerChecks[name]);

  const body = decoded(reply);
  if (typeof body === "string") {
    check(context, "page-json", reply, () => body);
    return undefined;
  }
  const built = context.pages.file?.(id);
  if (built !== undefined) check(context, "page-bytes", reply, () => bytesFault(body, built));
  await probeBody(context, id, reply, body, parents);
  return { id, response: reply, body, faults: headerFaults(reply, headerNames) };
}

async function probeBody(
  context: ProbeContext,
  id: number,
  reply: HttpResponse,
  body: Buffer,
  parents: Parents,
): Promise<void> {
  const json = parseBody(body);
  check(context, "page-json", reply, () => (typeof json === "string" ? json : undefined));
  if (typeof json === "string") {
    if (json.includes("an HTML page"))
      context.hint(
        "The host responds with web pages (HTML). Give the URL of the API, the base_url of its site.",
      );
    return;
  }
  check(context, "page-id", reply, () =>
    json["id"] === id ? undefined : `id ${excerpt(JSON.stringify(json["id"]) ?? "missing")}`,
  );
  const fault = schemaFault(json, context.model);
  check(context, "page-schema", reply, () => fault);
  probeDetailUrl(context, id, reply, json);
  if (fault !== undefined) return;
  const page = json as unknown as PageResponse;
  check(context, "page-key-order", reply, () => orderFault(page, context.model));
  if (hasEqualFields(page)) check(context, "page-equals", reply, () => equalsFault(page));
  await probeParent(context, page, parents);
}

function probeDetailUrl(
  context: ProbeContext,
  id: number,
  reply: HttpResponse,
  page: Record<string, unknown>,
): void {
  const { detail_url: own, parent } = (page["meta"] ?? {}) as {
    detail_url?: unknown;
    parent?: ShownParent | null;
  };
  if (typeof own !== "string") return;
  const { base } = context.client;
  check(context, "detail-url", reply, () => {
    if (own !== base + pathOf(id)) return `detail_url ${excerpt(own)}`;
    const parents = parent?.meta?.detail_url;
    if (parent && typeof parents === "string" && parents !== base + pathOf(String(parent.id)))
      return `the parent's detail_url ${excerpt(parents)}`;
    return undefined;
  });
  const elsewhere = own.endsWith(pathOf(id)) ? own.slice(0, -pathOf(id).length) : base;
  if (elsewhere !== base)
    context.hint(
      `The pages give ${excerpt(elsewhere)} as their address, for which they were built (--base-url). ` +
        "If that is intended, add --accept detail-url.",
    );
}

interface ShownParent {
  id?: unknown;
  meta?: { detail_url?: unknown };
}

const summaryOf = (page: Pick<PageResponse, "id" | "title"> & { meta: Summary }): string =>
  JSON.stringify([page.id, page.title, page.meta.type, page.meta.detail_url, page.meta.html_url]);

type Summary = Pick<PageResponse["meta"], "type" | "detail_url" | "html_url">;

async function probeParent(context: ProbeContext, page: PageResponse, parents: Parents): Promise<void> {
  const { parent } = page.meta;
  if (parent === null) return;
  const about = `the parent ${parent.id} of page ${page.id}`;
  const reply = await parents(parent.id);
  const fault = (): string | undefined => {
    if (reply.kind === "no-reply") return reply.message;
    if (reply.status !== 200) return `${requestLine(reply.request)}: ${statusOf(reply)}`;
    const body = decoded(reply);
    const own = typeof body === "string" ? body : parseBody(body);
    if (typeof own === "string" || schemaFault(own, context.model) !== undefined)
      return "its own page is not readable";
    const [given, found] = [summaryOf(parent), summaryOf(own as unknown as PageResponse)];
    return given === found
      ? undefined
      : `expected ${excerpt(found)}, as on its own page, found ${excerpt(given)}`;
  };
  context.results.note("parent-summary", about, fault());
}

function redirectHint(response: HttpResponse, base: string, hint: (words: string) => void): void {
  const location = header(response, "Location");
  if (location === undefined || response.status < 300 || response.status > 399) return;
  const { origin } = new URL(base);
  const target = URL.canParse(location, base) ? new URL(location, base).origin : undefined;
  if (target !== undefined && target !== origin)
    hint(`The host redirects to ${excerpt(target)}. If that is the host to verify, give its URL.`);
}
