import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { BULK_INDEX } from "../../base/api.ts";
import { forEachConcurrent } from "../../base/concurrent.ts";
import { readBytes } from "../../base/file.ts";
import { FOLDER, INDEX, isOwnIndex } from "../../outputs/browse/files.ts";
import { CONTRACT_FILES } from "../../outputs/contract/names.ts";
import {
  excerpt,
  header,
  statusOf,
  tokensOf,
  type HttpResponse,
  type Reply,
} from "../../hosting/http/reply.ts";
import { isObject } from "../../source/json/object.ts";
import { endingOf, IMAGE_ENDINGS, IMAGE_KINDS, kindOf, MEDIA } from "../../source/image-kinds.ts";
import { Damaged, shardAt, type BulkIndex, type Shard } from "../../outputs/shards/format.ts";
import { parseIndex } from "../../outputs/shards/schema.ts";
import { openShard } from "../../outputs/shards/unzip.ts";
import { parseBody } from "../body.ts";
import { headerChecks, expecting, type FaultOf, type Probe } from "../probe.ts";
import type { PlainPage } from "./pages.ts";

/** The files besides the pages: the contract, the browse UI, the bulk download and images, each optional. */

export const isServed = (reply: Reply): reply is HttpResponse =>
  reply.kind === "response" && reply.status === 200;

export const builtFile = ({ out }: Probe, path: string): Buffer | undefined =>
  out === undefined ? undefined : readBytes(join(out, path));

export const otherThanBuilt = (response: HttpResponse, built: Buffer | undefined): string | undefined =>
  built?.equals(response.body) === false ? "other bytes than the build's" : undefined;

/** Whether every website may read the response, and with no other type than its own. */
export const openFault: FaultOf = (response) => headerChecks.cors(response) ?? headerChecks.nosniff(response);

export async function probeContractFiles(probe: Probe): Promise<void> {
  for (const file of CONTRACT_FILES) {
    const reply = await probe.client.sendAlone({ path: `/${file}` });
    const built = builtFile(probe, file);
    if (built === undefined && !isServed(reply)) continue;
    const faultOf = expecting(200, (response) => {
      if (built !== undefined) return otherThanBuilt(response, built);
      const body = parseBody(response.body);
      return typeof body === "string" ? body : undefined;
    });
    probe.checkReply("contract-files", reply, faultOf);
    if (!isServed(reply)) continue;
    for (const name of ["content-type", "cors", "nosniff"] as const)
      probe.check("contract-headers", reply, headerChecks[name](reply));
  }
}

/**
 * The policy against third-party scripts and styles, whatever a page has (“Browse UI” in docs/reference.md).
 *
 * @param editing a space and the origin of the API that the editor uses; empty if there is no editor.
 */
const policyFor = (editing: string): string =>
  `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https:; connect-src 'self'${editing}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

const SITE_PATH = `/${FOLDER}/site.json`;
const SCRIPT = /^(?:text|application)\/javascript\b/;
const STYLE = /^text\/css\b/;

/** One file of each kind. */
const BROWSE_FILES: [path: string, type: RegExp][] = [
  [`/${FOLDER}/app.js`, SCRIPT],
  [`/${FOLDER}/page.css`, STYLE],
  [SITE_PATH, /^application\/json\b/],
];
const EDITOR_FILES: [path: string, type: RegExp][] = [
  [`/${FOLDER}/edit.js`, SCRIPT],
  [`/${FOLDER}/edit.css`, STYLE],
];

export async function probeBrowse(probe: Probe): Promise<void> {
  const home = await probe.client.sendAlone({ path: "/" });
  const isBrowse = isServed(home) && isOwnIndex(home.body.toString("utf8"));
  // Without a build to compare with, another page there is a third-party website.
  if (builtFile(probe, INDEX) === undefined && !isBrowse) return;
  const faultOf: FaultOf = (response) => (isBrowse ? typeFault(response, /^text\/html\b/) : "another page");
  probe.checkReply("browse-page", home, expecting(200, faultOf));
  if (!isBrowse) return;
  const origin = await editorOrigin(probe);
  const policy = policyFor(origin === undefined ? "" : ` ${origin}`);
  const checkPolicy = (response: HttpResponse): void => {
    const found = header(response, "Content-Security-Policy") ?? "";
    const fault = found === policy ? undefined : `Content-Security-Policy: ${excerpt(found)}`;
    probe.check("browse-policy", response, fault);
  };
  checkPolicy(home);
  await probe.send("browse-page", { path: "/?page=1&q=a%20b" }, (response) =>
    isServed(response) && isOwnIndex(response.body.toString("utf8")) ? undefined : statusOf(response),
  );
  for (const [path, type] of [...BROWSE_FILES, ...(origin === undefined ? [] : EDITOR_FILES)]) {
    const response = await probe.get("browse-assets", path, (found) => typeFault(found, type));
    if (response !== undefined) checkPolicy(response);
  }
}

function typeFault(response: HttpResponse, type: RegExp): string | undefined {
  const found = header(response, "Content-Type") ?? "";
  if (!type.test(found)) return `Content-Type: ${excerpt(found)}`;
  const sniffing = header(response, "X-Content-Type-Options");
  return sniffing === "nosniff" ? undefined : `X-Content-Type-Options: ${excerpt(sniffing ?? "")}`;
}

/** The origin of the editor's API, from the build's files or else the host's; undefined without editor. */
async function editorOrigin(probe: Probe): Promise<string | undefined> {
  const built = builtFile(probe, SITE_PATH);
  const reply = built === undefined ? await probe.client.sendAlone({ path: SITE_PATH }) : undefined;
  const text = built ?? (reply?.kind === "response" ? reply.body : "");
  try {
    const { editing } = JSON.parse(text.toString("utf8")) as {
      editing?: { repository?: { api_url?: string } };
    };
    return new URL(editing?.repository?.api_url ?? "").origin;
  } catch {
    return undefined;
  }
}

/** No shard has this name. */
const MISSING_SHARD = `/bulk/shards/${"0".repeat(64)}.zip`;

const cacheControl = (response: HttpResponse): string[] =>
  tokensOf(response.headers.get("cache-control") ?? []);

/** Whether the directives of `Cache-Control` are right. */
type IsCaching = (tokens: string[]) => boolean;

export const cacheFault = (response: HttpResponse, isRight: IsCaching): string | undefined =>
  isRight(cacheControl(response)) ? undefined : `Cache-Control: ${cacheControl(response).join(", ")}`;

export const isNeverCached: IsCaching = (tokens) => tokens.includes("no-store");
/** A year is the usual maximum. */
const isCached: IsCaching = (tokens) => tokens.includes("immutable") && tokens.includes("max-age=31536000");
/** A missing shard may be published later, so its 404 must have no cache time. */
const mayAppear: FaultOf = (response) =>
  cacheFault(
    response,
    (tokens) => !tokens.some((token) => token === "immutable" || /^(?:s-)?max(?:-)?age=[1-9]/.test(token)),
  );

export async function probeBulk(probe: Probe): Promise<void> {
  const built = builtFile(probe, BULK_INDEX);
  const reply = await probe.client.sendAlone({ path: `/${BULK_INDEX}` });
  const found = isServed(reply) ? parseIndex(reply.body) : undefined;
  // Without a build to compare with, another file there is a third-party one.
  const isOther = !isServed(reply) || (typeof found === "string" && !reply.body.includes('"shards"'));
  if (built === undefined && isOther) return;
  const faultOf: FaultOf = (response) =>
    otherThanBuilt(response, built) ?? (typeof found === "string" ? found : undefined);
  probe.checkReply("bulk-index", reply, expecting(200, faultOf));
  if (!isServed(reply) || typeof found !== "object") return;
  checkBulkHeaders(probe, reply, "application/json", isNeverCached);
  for (const shard of shardsOf(found)) {
    const response = await probe.get("bulk-shards", `/bulk/${shard.key}`, (zip) => shardFault(zip, shard));
    if (response !== undefined) checkBulkHeaders(probe, response, "application/zip", isCached);
  }
  await probe.send("bulk-missing", { path: MISSING_SHARD }, expecting(404, mayAppear));
}

/** The first, a middle and the last shard. */
function shardsOf(index: BulkIndex): Shard[] {
  const shards = index.shards.flatMap((_, remainder) => shardAt(index, remainder) ?? []);
  const chosen = new Set([shards[0], shards[shards.length >> 1], shards.at(-1)]);
  return [...chosen].filter((shard) => shard !== undefined);
}

function shardFault({ body }: HttpResponse, shard: Shard): string | undefined {
  try {
    openShard(body, shard);
    return undefined;
  } catch (cause) {
    if (cause instanceof Damaged) return cause.message;
    throw cause;
  }
}

function checkBulkHeaders(probe: Probe, response: HttpResponse, type: string, isRight: IsCaching): void {
  const found = response.headers.get("content-type") ?? [];
  const isType = found.length === 1 && found[0]?.split(";")[0]?.trim() === type;
  const wrongType = isType ? undefined : `Content-Type: ${found.join(", ")}`;
  probe.check("bulk-headers", response, openFault(response) ?? wrongType ?? cacheFault(response, isRight));
}

export async function probeMedia(probe: Probe, pages: readonly PlainPage[]): Promise<void> {
  const folder = probe.out === undefined ? undefined : join(probe.out, MEDIA);
  const built = folder !== undefined && existsSync(folder) ? oneOfEachKind(folder) : [];
  const paths = new Set([...pages.flatMap(imagesOf), ...built]);
  await forEachConcurrent([...paths], probe.concurrency, (path) => probeImage(probe, path));
}

async function probeImage(probe: Probe, path: string): Promise<void> {
  const ending = endingOf(path);
  const response = await probe.get("media-images", `/${MEDIA}/${path}`, (found) => {
    const kind = kindOf(found.body.subarray(0, 256));
    if (kind.ending !== ending) return `a body that is ${kind.name}`;
    return otherThanBuilt(found, builtFile(probe, `${MEDIA}/${decodeURIComponent(path)}`));
  });
  if (response === undefined) return;
  const type = (response.headers.get("content-type") ?? []).join(", ");
  const wrongType = type === IMAGE_KINDS[ending]?.contentType ? undefined : `Content-Type: ${type}`;
  probe.check("media-headers", response, wrongType ?? openFault(response));
}

/** The paths of a page's images that are published below its own host's address. */
function imagesOf({ body }: PlainPage): string[] {
  const page = parseBody(body);
  const meta = typeof page === "string" ? undefined : page["meta"];
  const detail = isObject(meta) ? meta["detail_url"] : undefined;
  if (typeof detail !== "string" || !URL.canParse(detail)) return [];
  const base = new URL(`${detail.replace(/\/api\/v2\/pages\/\d+\/$/, "")}/${MEDIA}/`).href;
  return textsIn(page)
    .flatMap((url) => (URL.canParse(url) ? new URL(url).href : []))
    .flatMap((url) => (url.startsWith(base) ? url.slice(base.length) : []))
    .map((path) => path.replace(/[?#].*$/s, ""))
    .filter((path) => IMAGE_ENDINGS.includes(endingOf(path)));
}

const textsIn = (value: unknown): string[] =>
  typeof value === "string"
    ? [value]
    : typeof value === "object" && value !== null
      ? Object.values(value).flatMap(textsIn)
      : [];

/** The first image of each kind, as an address spells its path. */
function oneOfEachKind(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  return IMAGE_ENDINGS.flatMap((ending) => files.find((file) => endingOf(file) === ending) ?? []).map(
    (file) => file.split(/[\\/]/).map(encodeURIComponent).join("/"),
  );
}
