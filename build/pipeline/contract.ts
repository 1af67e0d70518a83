import { createHash } from "node:crypto";
import { join } from "node:path";
import { Failure } from "../base/failure.ts";
import { CONTRACT_FILES } from "../contract/paths.ts";
import { parseHeaders } from "../hosting/headers.ts";
import type { ContractDigests } from "../manifest/manifest.ts";
import { firstOfEachType } from "../manifest/page-table.ts";
import { readBytes } from "../base/file.ts";
import type { StaticFiles } from "../output/foreign.ts";
import type { Layout } from "../output/layout.ts";
import type { Discovery } from "./discover.ts";
import type { Plan } from "./plan.ts";
import { responsePath } from "./replace.ts";

/**
 * The published contract. Its examples are the pages with the smallest id of each type, so that a new page, which usually
 * has a larger id, does not change them.
 */
export interface Contract {
  digests: ContractDigests;
  /** Empty if the published files have the same inputs. */
  files: StaticFiles;
}

/** Whether the published contract is the one that a build wrote. */
export const isContractUnchanged = (layout: Layout, known: ContractDigests): boolean =>
  publishedDigest(layout) === known.files;

/** Makes the contract, after all responses are staged or known to be published. */
export async function contractOf(
  layout: Layout,
  { site, headers }: Discovery,
  plan: Plan,
  outcomes: Uint8Array,
  known: ContractDigests | undefined,
  bulk: boolean,
): Promise<Contract> {
  const { base_url = "", site_url = "", append_slash = true } = site ?? {};
  const pages = Array.from(
    firstOfEachType(plan.table),
    ([type, i]) => [type, responseOf(layout, plan.table.id[i] ?? 0, outcomes[i] ?? 0)] as const,
  );
  const inputs = digestOf([
    Buffer.from(base_url),
    Buffer.from(site_url),
    Buffer.from(String(append_slash)),
    headers,
    Buffer.from(String(bulk)),
    ...pages.map(([, bytes]) => bytes),
  ]);
  if (known?.inputs === inputs && isContractUnchanged(layout, known))
    return { digests: known, files: new Map() };
  // Loaded here, because most builds do not need it.
  const { contractFiles } = await import("../contract/published.ts");
  const examples = new Map(
    pages.map(([type, bytes]) => [type, JSON.parse(bytes.toString("utf8")) as unknown]),
  );
  const files = contractFiles(
    parseHeaders(headers.toString("utf8"), "").rules,
    { base_url, site_url, append_slash },
    examples,
    bulk,
  );
  const digests = { inputs, files: digestOf(CONTRACT_FILES.map((path) => files.get(path) ?? NOTHING)) };
  return { digests, files };
}

const NOTHING = Buffer.alloc(0);

function responseOf(layout: Layout, id: number, outcome: number): Buffer {
  const path = responsePath(layout, id, outcome);
  const bytes = readBytes(path);
  if (bytes === undefined) throw new Failure(`${path} was removed while the build ran. Build again.`);
  return bytes;
}

function publishedDigest({ root }: Layout): string | undefined {
  const files = CONTRACT_FILES.map((path) => readBytes(join(root, path)));
  return files.includes(undefined) ? undefined : digestOf(files as Buffer[]);
}

function digestOf(parts: readonly Uint8Array[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(`${part.byteLength}\n`).update(part);
  return hash.digest("hex");
}
