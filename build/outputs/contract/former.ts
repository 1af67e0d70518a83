import type { ModelLanguages } from "../../model/page.ts";
import type { ContractChange } from "./compare.ts";
import { plain } from "./plain.ts";
import type { OpenApi } from "./document.ts";
import type { JsonSchema } from "../../model/json-schema.ts";

/**
 * The contract that an earlier program and an earlier `_types.json` had together: the committed contract of that program,
 * with everything by which the site's contract differs from that of the program's own types.
 *
 * @param program the contract of the present program's own types
 * @param site the contract of the earlier `_types.json`, by the present program
 */
export function formerContract(committed: OpenApi, program: OpenApi, site: OpenApi): OpenApi {
  const [was, own, now] = [committed, program, site].map(plain) as [OpenApi, OpenApi, OpenApi];
  const schemas = merged(was.components.schemas, own.components.schemas, now.components.schemas);
  return { ...was, components: { ...was.components, schemas } };
}

/** The languages by which an earlier contract is read: with those that are new, which break no client. */
export function languagesOfFormer(
  was: ModelLanguages | undefined,
  now: ModelLanguages | undefined,
): ModelLanguages | undefined {
  if (was === undefined || now === undefined) return was ?? now;
  return was.codes.every((code) => now.codes.includes(code)) ? { ...was, codes: now.codes } : was;
}

/** What is new by languages. @param of the page types */
export function languageChanges(
  was: ModelLanguages | undefined,
  now: ModelLanguages | undefined,
  of: string[],
): ContractChange[] {
  if (now === undefined) return [];
  const added =
    was === undefined
      ? ["“meta.locale”", ...(now.hasTranslations ? ["“meta.translations”"] : [])]
      : now.codes.filter((code) => !was.codes.includes(code)).map((code) => `the language “${code}”`);
  return added.map((what) => ({ breaking: false, what, message: "is new", of }));
}

type Schemas = Readonly<Record<string, JsonSchema | true>>;

function merged<T extends Schemas>(committed: T, program: T, site: T): T {
  // A part of only the program is one that the site leaves out, or that the program has got since.
  const names = [
    ...Object.keys(committed).filter((name) => name in site || !(name in program)),
    ...Object.keys(site).filter((name) => !(name in committed) && !(name in program)),
  ];
  return Object.fromEntries(
    names.map((name) => [name, mergedSchema(committed[name], program[name], site[name])]),
  ) as T;
}

function mergedSchema(
  committed: JsonSchema | true | undefined,
  program: JsonSchema | true | undefined,
  site: JsonSchema | true | undefined,
): JsonSchema | true {
  if (site === undefined || JSON.stringify(site) === JSON.stringify(program)) return committed ?? site ?? {};
  const [was, own] = [committed, program].map((schema) =>
    typeof schema === "object" && schema.properties !== undefined ? schema : undefined,
  );
  if (was === undefined || own === undefined || typeof site !== "object" || site.properties === undefined)
    return site;
  const properties = merged(was.properties ?? {}, own.properties ?? {}, site.properties);
  const required = Object.keys(properties).filter((name) =>
    (name in (was.properties ?? {}) ? was : site).required?.includes(name),
  );
  return { ...was, type: site.type ?? "object", properties, required };
}
