import { createHash } from "node:crypto";
import { join } from "node:path";
import { readBytes } from "../../base/file.ts";
import { CONTRACT_FILES } from "../../outputs/contract/names.ts";
import { parseHeaders } from "../../hosting/headers.ts";
import type { ContractDigests } from "../manifest/manifest.ts";
import type { Layout } from "../output/layout.ts";
import type { Part } from "./part.ts";
import type { StepContext } from "../step.ts";
import { wantsBulk } from "./bulk.ts";
import { hasIndex } from "../../base/website.ts";

/** The published contract, whose examples are pages. */
export function contractPart(context: StepContext): Part<ContractDigests> {
  const { layout } = context.folders;
  const { site, headers, model } = context.discovery;
  const known = context.manifest?.contract;
  const isUnchanged = (): boolean => known !== undefined && publishedDigest(layout) === known.files;
  let digests = known ?? { inputs: "", files: "" };
  return {
    isUnchanged,
    stage: async ({ publication, pages, showcase }) => {
      const { base_url = "", site_url = "", append_slash = true } = site ?? {};
      const bulk = wantsBulk(context.options, context.discovery);
      const index = hasIndex(context.discovery.site);
      const examples = showcase.examples.map(([type, row]) => [type, pages.responseOf(row)] as const);
      const inputs = digestOf([
        Buffer.from(base_url),
        Buffer.from(site_url),
        Buffer.from(String(append_slash)),
        headers,
        Buffer.from(`${bulk} ${index}`),
        Buffer.from(model.declared ?? ""),
        Buffer.from(model.languages ?? ""),
        ...examples.map(([, bytes]) => bytes),
      ]);
      if (known?.inputs === inputs && isUnchanged()) return [];
      // Loaded here, because most builds do not need it.
      const { contractFiles } = await import("../../outputs/contract/openapi.ts");
      const files = contractFiles({
        model: await model.load(),
        rules: parseHeaders(headers.toString("utf8"), "").rules,
        site: { base_url, site_url, append_slash },
        examples: new Map(
          examples.map(([type, bytes]) => [type, JSON.parse(bytes.toString("utf8")) as unknown]),
        ),
        bulk,
        index,
      });
      publication.stageChanged(files);
      const parts = CONTRACT_FILES.map((path) => files.get(path) ?? Buffer.alloc(0));
      digests = { inputs, files: digestOf(parts) };
      return [];
    },
    commit: () => undefined,
    state: () => digests,
  };
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
