import { judge, pathOf, type Asking, type PlainPage } from "../context.ts";
import { bytesFault, equalsFault, isArtwork, orderFault, parseBody, schemaFault } from "../body.ts";
import { headerFaults, headerJudges, headerNames } from "../contract.ts";
import { decoded } from "../encoding.ts";
import { asked, header, shown, statusOf, type Answer, type Reply } from "../reply.ts";
import type { PageResponse } from "../../page/page.ts";

type Parents = (id: number) => Promise<Reply>;

/** Parents are asked for once, however many children they have. */
export function parentsOf({ host }: Asking): Parents {
  const known = new Map<number, Promise<Reply>>();
  return (id) => {
    const reply = known.get(id) ?? host.ask({ path: pathOf(id) });
    known.set(id, reply);
    return reply;
  };
}

/** GET of one page: its status, each header, its body. Gives the page where there is one to compare others with. */
export async function probePage(
  asking: Asking,
  id: number,
  parents: Parents,
): Promise<PlainPage | undefined> {
  const { host, hint } = asking;
  const reply = await host.ask({ path: pathOf(id) });
  judge(asking, "page-status", reply, (answer) => (answer.status === 200 ? undefined : statusOf(answer)));
  if (reply.kind === "silence") return undefined;
  if (reply.status !== 200) {
    redirectHint(reply, host.base, hint);
    return undefined;
  }
  for (const name of headerNames) judge(asking, `page-${name}`, reply, headerJudges[name]);

  const body = decoded(reply);
  if (typeof body === "string") {
    judge(asking, "page-json", reply, () => body);
    return undefined;
  }
  const built = asking.pages.file?.(id);
  if (built !== undefined) judge(asking, "page-bytes", reply, () => bytesFault(body, built));
  await probeBody(asking, id, reply, body, parents);
  return { id, answer: reply, body, faults: headerFaults(reply, headerNames) };
}

async function probeBody(
  asking: Asking,
  id: number,
  reply: Answer,
  body: Buffer,
  parents: Parents,
): Promise<void> {
  const json = parseBody(body);
  judge(asking, "page-json", reply, () => (typeof json === "string" ? json : undefined));
  if (typeof json === "string") {
    if (json.includes("an HTML page"))
      asking.hint(
        "It answers with web pages (HTML): is this the address of the API, as its base_url has it?",
      );
    return;
  }
  judge(asking, "page-id", reply, () =>
    json["id"] === id ? undefined : `id ${shown(JSON.stringify(json["id"]) ?? "missing")}`,
  );
  const fault = schemaFault(json);
  judge(asking, "page-schema", reply, () => fault);
  probeDetailUrl(asking, id, reply, json);
  if (fault !== undefined) return;
  const page = json as unknown as PageResponse;
  judge(asking, "page-key-order", reply, () => orderFault(page));
  if (isArtwork(page)) judge(asking, "page-equals", reply, () => equalsFault(page));
  await probeParent(asking, page, parents);
}

function probeDetailUrl(asking: Asking, id: number, reply: Answer, page: Record<string, unknown>): void {
  const { detail_url: own, parent } = (page["meta"] ?? {}) as {
    detail_url?: unknown;
    parent?: ParentSummary | null;
  };
  if (typeof own !== "string") return;
  const { base } = asking.host;
  judge(asking, "detail-url", reply, () => {
    if (own !== base + pathOf(id)) return `detail_url ${shown(own)}`;
    const parents = parent?.meta?.detail_url;
    if (parent && typeof parents === "string" && parents !== base + pathOf(String(parent.id)))
      return `the parent's detail_url ${shown(parents)}`;
    return undefined;
  });
  const elsewhere = own.endsWith(pathOf(id)) ? own.slice(0, -pathOf(id).length) : base;
  if (elsewhere !== base)
    asking.hint(
      `The pages say that they live at ${shown(elsewhere)}: they were built for that address (--base-url). ` +
        "Where that is meant, add: --accept detail-url",
    );
}

interface ParentSummary {
  id?: unknown;
  meta?: { detail_url?: unknown };
}

const summaryOf = (page: Pick<PageResponse, "id" | "title"> & { meta: Summary }): string =>
  JSON.stringify([page.id, page.title, page.meta.type, page.meta.detail_url, page.meta.html_url]);

type Summary = Pick<PageResponse["meta"], "type" | "detail_url" | "html_url">;

async function probeParent(asking: Asking, page: PageResponse, parents: Parents): Promise<void> {
  const { parent } = page.meta;
  if (parent === null) return;
  const about = `the parent ${parent.id} of page ${page.id}`;
  const reply = await parents(parent.id);
  const fault = (): string | undefined => {
    if (reply.kind === "silence") return reply.words;
    if (reply.status !== 200) return `${asked(reply.question)}: ${statusOf(reply)}`;
    const body = decoded(reply);
    const own = typeof body === "string" ? body : parseBody(body);
    if (typeof own === "string" || schemaFault(own) !== undefined) return "its own page cannot be read";
    const [given, found] = [summaryOf(parent), summaryOf(own as unknown as PageResponse)];
    return given === found ? undefined : `${shown(given)} rather than its own ${shown(found)}`;
  };
  asking.ledger.note("parent-summary", about, fault());
}

function redirectHint(answer: Answer, base: string, hint: (words: string) => void): void {
  const location = header(answer, "Location");
  if (location === undefined || answer.status < 300 || answer.status > 399) return;
  const { origin } = new URL(base);
  const target = URL.canParse(location, base) ? new URL(location, base).origin : undefined;
  if (target !== undefined && target !== origin)
    hint(`The host sends its visitors on to ${shown(target)}: is that the address to verify?`);
}
