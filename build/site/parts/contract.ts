import { hash } from "node:crypto";
import { join } from "node:path";
import { statAt } from "../../base/file.ts";
import { CONTRACT_FILES } from "../../outputs/contract/names.ts";
import { parseHeaders } from "../../hosting/headers.ts";
import type { ContractState } from "../manifest/manifest.ts";
import { areUntouched, type Part } from "./part.ts";
import type { StepContext } from "../step.ts";
import { wantsBulk } from "./bulk.ts";
import { hasIndex } from "../../base/website.ts";

/** The published contract, whose examples are pages. */
export function contractPart({
  options,
  folders: { layout },
  discovery,
  manifest,
}: StepContext): Part<ContractState> {
  const { site, headers, model } = discovery;
  const { base_url = "", site_url = "", append_slash = true } = site ?? {};
  const known = manifest?.contract;
  const isUnchanged = (): boolean => known !== undefined && areUntouched(layout, known);
  let inputs = "";
  return {
    isUnchanged,
    stage: async ({ publication, pages, showcase }) => {
      const [bulk, index] = [wantsBulk(options, discovery), hasIndex(site)];
      const addresses = { base_url, site_url, append_slash };
      const rules = headers.toString();
      const examples = showcase.examples.map(
        ([type, row]) => [type, pages.responseOf(row).toString()] as const,
      );
      const { declared, languages } = model;
      inputs = hash("sha256", JSON.stringify([addresses, rules, bulk, index, declared, languages, examples]));
      if (known?.inputs === inputs && isUnchanged()) return [];
      // Loaded here, because most builds do not need it.
      const { contractFiles } = await import("../../outputs/contract/openapi.ts");
      const files = contractFiles({
        model: await model.load(),
        rules: parseHeaders(rules, "").rules,
        site: addresses,
        examples: new Map(examples.map(([type, text]) => [type, JSON.parse(text) as unknown])),
        bulk,
        index,
      });
      publication.stageChanged(files);
      return [];
    },
    commit: () => undefined,
    state: () => ({ inputs, files: CONTRACT_FILES.map((path) => [path, statAt(join(layout.root, path))]) }),
  };
}
