import { pathOf } from "../../base/api.ts";
import { forEachConcurrent } from "../../base/concurrent.ts";
import {
  decoded,
  excerpt,
  header,
  requestLine,
  statusOf,
  type HttpResponse,
  type Reply,
} from "../../hosting/http/reply.ts";
import type { JsonObject } from "../../source/json/object.ts";
import { itemOf, type Item } from "../../model/item.ts";
import type { PageResponse } from "../../model/page.ts";
import { bytesFault, equalsFault, orderFault, parseBody, schemaFault } from "../body.ts";
import { headerChecks, headerFaults, headerNames, type Fault } from "../contract.ts";
import { expectStatus, type Probe } from "../probe.ts";

/** A page as a plain GET returns it. The responses to all other requests for it are compared with it. */
export interface PlainPage {
  id: number;
  response: HttpResponse;
  body: Buffer;
  /** The faults of its headers, which are not reported again for each variant. */
  faults: readonly Fault[];
}

/** The response to a GET of a parent. Each is requested once, however many subpages it has. */
type Parents = (id: number) => Promise<Reply>;

/** Requests every chosen page by a plain GET; returns those of the sample. */
export async function probePages(
  probe: Probe,
  ids: readonly number[],
  progress: ((done: number, total: number) => void) | undefined,
): Promise<PlainPage[]> {
  const sample = new Set(probe.pages.sample);
  const known = new Map<number, Promise<Reply>>();
  const parents: Parents = (id) => {
    const reply = known.get(id) ?? probe.client.send({ path: pathOf(id) });
    known.set(id, reply);
    return reply;
  };
  const kept: PlainPage[] = [];
  let done = 0;
  await forEachConcurrent(ids, probe.concurrency, async (id) => {
    const page = await probePage(probe, id, parents);
    if (page !== undefined && sample.has(id)) kept.push(page);
    progress?.(++done, ids.length);
  });
  return kept.sort((a, b) => a.id - b.id);
}

/** Returns the page if other responses can be compared with it. */
async function probePage(probe: Probe, id: number, parents: Parents): Promise<PlainPage | undefined> {
  const response = await probe.send("page-status", { path: pathOf(id) }, expectStatus(200), "send");
  if (response?.status !== 200) {
    if (response !== undefined) hintAtRedirect(probe, response);
    return undefined;
  }
  for (const name of headerNames) probe.check(`page-${name}`, response, headerChecks[name](response));

  const body = decoded(response);
  if (typeof body === "string") {
    probe.check("page-json", response, body);
    return undefined;
  }
  const built = probe.pages.file?.(id);
  if (built !== undefined) probe.check("page-bytes", response, bytesFault(body, built));
  const page = { id, response, body, faults: headerFaults(response, headerNames) };
  await probeBody(probe, page, parents);
  return page;
}

async function probeBody(probe: Probe, plain: PlainPage, parents: Parents): Promise<void> {
  const { id, response } = plain;
  const json = parseBody(plain.body);
  probe.check("page-json", response, typeof json === "string" ? json : undefined);
  if (typeof json === "string") {
    if (json.includes("an HTML page"))
      probe.hints.add(
        "The host responds with web pages (HTML). Give the URL of the API, the base_url of its site.",
      );
    return;
  }
  const wrongId = json["id"] === id ? undefined : `id ${excerpt(JSON.stringify(json["id"]) ?? "missing")}`;
  probe.check("page-id", response, wrongId);
  const fault = schemaFault(json, probe.model);
  probe.check("page-schema", response, fault);
  probeDetailUrl(probe, plain, json);
  if (fault !== undefined) return;
  const page = json as unknown as PageResponse;
  probe.placed.set(id, { item: itemOf(page as PageResponse & Item), parent: page.meta.parent?.id });
  probe.check("page-key-order", response, orderFault(page, probe.model));
  if (probe.model.of(page.meta.type).own.length > 0)
    probe.check("page-equals", response, equalsFault(page, probe.model));
  await probeParent(probe, page, parents);
}

function probeDetailUrl(probe: Probe, { id, response }: PlainPage, page: JsonObject): void {
  const { detail_url: url, parent } = (page["meta"] ?? {}) as {
    detail_url?: unknown;
    parent?: { id?: unknown; meta?: { detail_url?: unknown } } | null;
  };
  if (typeof url !== "string") return;
  const { base } = probe.client;
  const parentUrl = parent?.meta?.detail_url;
  const isOther = typeof parentUrl === "string" && parentUrl !== base + pathOf(String(parent?.id));
  if (url !== base + pathOf(id)) probe.check("detail-url", response, `detail_url ${excerpt(url)}`);
  else
    probe.check(
      "detail-url",
      response,
      isOther ? `the parent's detail_url ${excerpt(parentUrl)}` : undefined,
    );
  const elsewhere = url.endsWith(pathOf(id)) ? url.slice(0, -pathOf(id).length) : base;
  if (elsewhere !== base)
    probe.hints.add(
      `The pages give ${excerpt(elsewhere)} as their address, for which they were built (--base-url). ` +
        "If that is intended, add --accept detail-url.",
    );
}

const summaryOf = ({ id, title, meta }: Pick<PageResponse, "id" | "title"> & { meta: Summary }): string =>
  JSON.stringify([id, title, meta.type, meta.detail_url, meta.html_url]);

type Summary = Pick<PageResponse["meta"], "type" | "detail_url" | "html_url">;

async function probeParent(probe: Probe, page: PageResponse, parents: Parents): Promise<void> {
  const { parent } = page.meta;
  if (parent === null) return;
  const reply = await parents(parent.id);
  const fault = (): string | undefined => {
    if (reply.kind === "no-reply") return reply.message;
    if (reply.status !== 200) return `${requestLine(reply.request)}: ${statusOf(reply)}`;
    const body = decoded(reply);
    const json = typeof body === "string" ? body : parseBody(body);
    if (typeof json === "string" || schemaFault(json, probe.model) !== undefined)
      return "its own page is not readable";
    const [expected, found] = [summaryOf(json as unknown as PageResponse), summaryOf(parent)];
    return found === expected
      ? undefined
      : `expected ${excerpt(expected)}, as on its own page, found ${excerpt(found)}`;
  };
  probe.note("parent-summary", `the parent ${parent.id} of page ${page.id}`, fault());
}

function hintAtRedirect({ client, hints }: Probe, response: HttpResponse): void {
  const location = header(response, "Location");
  if (location === undefined || response.status < 300 || response.status > 399) return;
  const target = URL.canParse(location, client.base) ? new URL(location, client.base).origin : undefined;
  if (target !== undefined && target !== new URL(client.base).origin)
    hints.add(`The host redirects to ${excerpt(target)}. If that is the host to verify, give its URL.`);
}
