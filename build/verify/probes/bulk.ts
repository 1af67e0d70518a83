import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { BULK_INDEX } from "../../base/api.ts";
import { statusOf, tokensOf, type HttpResponse, type Reply } from "../../http/reply.ts";
import { Damaged, shardAt, type BulkIndex, type Shard } from "../../shards/format.ts";
import { parseIndex } from "../../shards/schema.ts";
import { openShard } from "../../shards/unzip.ts";
import { check, probe, type ProbeContext } from "../context.ts";
import { headerChecks } from "../contract.ts";

/** The bulk download, which only some sites have. */

const INDEX = `/${BULK_INDEX}`;
const pathOf = ({ key }: Shard): string => `/bulk/${key}`;

/** No shard has this name. */
const MISSING = `/bulk/shards/${"0".repeat(64)}.zip`;

export async function probeBulk(context: ProbeContext, out: string | undefined): Promise<void> {
  const file = out === undefined ? undefined : join(out, BULK_INDEX);
  const built = file !== undefined && existsSync(file) ? readFileSync(file) : undefined;
  const reply = await context.client.sendAlone({ path: INDEX });
  const found = reply.kind === "response" && reply.status === 200 ? parseIndex(reply.body) : undefined;
  // Without a build to compare with, another file there is a third-party one.
  const isOther = found === undefined || (typeof found === "string" && !speaksOfShards(reply));
  if (built === undefined && isOther) return;
  check(context, "bulk-index", reply, (response) => {
    if (response.status !== 200) return statusOf(response);
    if (built?.equals(response.body) === false) return "other bytes than the build's";
    return typeof found === "string" ? found : undefined;
  });
  if (found === undefined || typeof found === "string") return;
  check(
    context,
    "bulk-headers",
    reply,
    (response) => isOpen(response, "application/json") ?? isNeverCached(response),
  );
  for (const shard of sampleOf(found)) await probeShard(context, shard);
  await probe(context, "bulk-missing", { path: MISSING }, (response) =>
    response.status === 404 ? isNotCachedForever(response) : statusOf(response),
  );
}

const speaksOfShards = (reply: Reply): boolean =>
  reply.kind === "response" && reply.body.includes('"shards"');

/** The first, a middle and the last shard. */
function sampleOf(index: BulkIndex): Shard[] {
  const shards = index.shards.flatMap((_, remainder) => shardAt(index, remainder) ?? []);
  const chosen = new Set([shards[0], shards[shards.length >> 1], shards.at(-1)]);
  return [...chosen].filter((shard) => shard !== undefined);
}

async function probeShard(context: ProbeContext, shard: Shard): Promise<void> {
  const reply = await context.client.sendAlone({ path: pathOf(shard) });
  check(context, "bulk-shards", reply, (response) => {
    if (response.status !== 200) return statusOf(response);
    try {
      openShard(response.body, shard);
      return undefined;
    } catch (cause) {
      if (cause instanceof Damaged) return cause.message;
      throw cause;
    }
  });
  if (reply.kind !== "response" || reply.status !== 200) return;
  check(
    context,
    "bulk-headers",
    reply,
    (response) => isOpen(response, "application/zip") ?? isCached(response),
  );
}

const isOpen = (response: HttpResponse, type: string): string | undefined =>
  headerChecks.cors(response) ?? headerChecks.nosniff(response) ?? isOfType(response, type);

function isOfType(response: HttpResponse, type: string): string | undefined {
  const found = response.headers.get("content-type") ?? [];
  return found.length === 1 && found[0]?.split(";")[0]?.trim() === type
    ? undefined
    : `Content-Type: ${found.join(", ")}`;
}

const cacheControl = (response: HttpResponse): string[] =>
  tokensOf(response.headers.get("cache-control") ?? []);
const inWords = (response: HttpResponse): string => `Cache-Control: ${cacheControl(response).join(", ")}`;

const isNeverCached = (response: HttpResponse): string | undefined =>
  cacheControl(response).includes("no-store") ? undefined : inWords(response);

/** Expects a cache time of a year, the usual maximum. */
const isCached = (response: HttpResponse): string | undefined =>
  cacheControl(response).includes("immutable") && cacheControl(response).includes("max-age=31536000")
    ? undefined
    : inWords(response);

/** A missing shard may be published later, so its 404 must have no cache time. */
const isNotCachedForever = (response: HttpResponse): string | undefined =>
  cacheControl(response).some((token) => token === "immutable" || /^(?:s-)?max(?:-)?age=[1-9]/.test(token))
    ? inWords(response)
    : undefined;
