import { isDeepStrictEqual } from "node:util";
import { instantAt } from "../../build/base/instant.ts";
import { hintOf, isError, messageOf, type Finding, type Place } from "../../build/findings/finding.ts";
import { configuredHosts } from "../../build/hosting/config/index.ts";
import { headersIn } from "../../build/hosting/conformance.ts";
import { valueOf } from "../../build/source/json/object.ts";
import { parseJson } from "../../build/source/json/parse.ts";
import { schemaFault } from "../../build/verify/body.ts";
import { programModel } from "../../build/model/program-model.ts";
import type { PageModel } from "../../build/model/page.ts";
import type { PageType } from "../../build/model/page-types.ts";
import { languagesOf } from "../../build/model/languages.ts";
import type { Site } from "../../build/model/site.ts";
import { checkSiteConfig } from "../../build/check/config.ts";
import { PageChecker } from "../../build/check/page.ts";
import { SourceChecker } from "../../build/check/source.ts";
import { checkTypes } from "../../build/model/types.ts";
import { childAddress, detailUrl, homeAddress, type Parent } from "../../build/model/tree.ts";
import { declaredPaths } from "./declared.ts";
import { disagreements, type DeclaredPaths, type Value } from "./oracle.ts";

export type FuzzVerdict = "accepted" | "refused";

/** A mistake of this project, which no source may cause. */
export class Wrong extends Error {}

/** The build's instant, later than the dates of most sources. */
export const AT = instantAt(Date.UTC(2026, 0));

const FILE = "mutant.json";
const SLUG = "mutant";

export class PageValidator {
  private readonly site: Site;
  private readonly model: PageModel;
  private readonly checker: SourceChecker;
  private readonly strict: PageChecker;
  private readonly declared: DeclaredPaths;

  constructor(site: Site, model = programModel) {
    this.site = site;
    this.model = model;
    this.declared = declaredPaths(model, programModel);
    const options = { model, site, times: { at: AT, knownSince: AT } };
    this.checker = new SourceChecker(options);
    this.strict = new PageChecker(options);
  }

  /** Builds a source at a location that its type allows, and checks the result against the guarantees. */
  validate(bytes: Buffer, type: PageType): FuzzVerdict {
    const { site, model } = this;
    const parsed = parseJson(FILE, bytes);
    assertStrict(
      bytes,
      parsed.root === undefined || parsed.findings.length > 0 ? undefined : valueOf(parsed.root),
    );
    const parent = parentOf(model, model.of(type).parents[0], site);
    const [language] = languagesOf(site);
    const at = { parent, slug: parent === "root" ? "home" : SLUG, language };
    const { findings, response } = this.checker.check({ file: FILE, bytes, size: bytes.length }, at);
    assertFindings(findings, parsed.source.text);
    if (!isDeepStrictEqual(findings, this.strict.check(parsed, at).findings))
      throw new Wrong("other findings than those of the strict parser");
    const fails = findings.some(isError);
    if (response === undefined && !fails) throw new Wrong("refused without an error");
    if (response !== undefined) {
      if (fails) throw new Wrong("accepted with an error");
      assertResponse(
        this.checker.encode(response).toString(),
        parsed.source.text,
        site,
        model,
        this.declared,
      );
    }
    return fails ? "refused" : "accepted";
  }
}

function parentOf(model: PageModel, type: PageType | undefined, site: Site): Parent | "root" {
  if (type === undefined) return "root";
  const address = model.isRoot(type) ? homeAddress(site) : childAddress(homeAddress(site), "parent", site);
  return {
    address,
    type,
    summary: {
      id: 2,
      meta: { type, detail_url: detailUrl(site, 2), html_url: address },
      title: 'Parent "é"',
    },
  };
}

/** Checks that input which this project's parser accepts without a finding gives the same value with JSON.parse. */
function assertStrict(bytes: Buffer, value: unknown): void {
  if (value === undefined) return;
  let plain: unknown;
  try {
    plain = JSON.parse(bytes.toString("utf8"));
  } catch {
    throw new Wrong("the parser accepts text that is not JSON");
  }
  if (JSON.stringify(plain) !== JSON.stringify(value)) throw new Wrong("the parser reads a different value");
}

export function assertFindings(findings: Finding[], text: string): void {
  const lines = text.split("\n");
  for (const f of findings) {
    assertPlace(f.place, lines);
    if (f.other?.file === f.place.file) assertPlace(f.other, lines);
    for (const prose of [messageOf(f), hintOf(f)])
      if (prose === "" || prose.length > 1000 || prose.includes("undefined"))
        throw new Wrong(`${f.code}: ${prose}`);
  }
}

function assertPlace({ line, column, endLine = line, endColumn = column }: Place, lines: string[]): void {
  const isInside = (l: number, c: number): boolean => {
    const text = lines[l - 1];
    return text !== undefined && c >= 1 && c <= text.length + 1;
  };
  const isOrdered = endLine > line || (endLine === line && endColumn >= column);
  if (!isInside(line, column) || !isInside(endLine, endColumn) || !isOrdered)
    throw new Wrong(`a place outside the file: ${line}:${column} to ${endLine}:${endColumn}`);
}

function assertResponse(
  text: string,
  source: string,
  { media_url }: Site,
  model: PageModel,
  declared: DeclaredPaths,
): void {
  const response = JSON.parse(text) as { meta: { type: unknown } } & Record<string, Value>;
  const fault = schemaFault(response, model);
  if (fault !== undefined) throw new Wrong(`the response breaks its schema: ${fault}`);
  for (const problem of disagreements(JSON.parse(source) as Value, response, media_url, declared))
    throw new Wrong(problem);
  if (/\s/.test(text.replaceAll(/"(?:[^"\\]|\\.)*"/g, ""))) throw new Wrong("the response is not compact");
}

const PLAIN_PAGE = Buffer.from(JSON.stringify({ id: 7, meta: { type: programModel.root }, title: "Home" }));

/** Checks a `_site.json`: if it is accepted, its responses must match their schema. */
export function validateSite(bytes: Buffer): FuzzVerdict {
  const parsed = parseJson("_site.json", bytes);
  const { site, findings } = checkSiteConfig(parsed);
  assertFindings(findings, parsed.source.text);
  if (site === undefined) {
    if (!findings.some(isError)) throw new Wrong("refused without an error");
    return "refused";
  }
  if (findings.length > 0) throw new Wrong("accepted with findings");
  for (const url of [site.base_url, site.site_url, site.media_url])
    if (url.endsWith("/") || new URL(url).hostname === "") throw new Wrong(`accepted the address ${url}`);
  if (new PageValidator(site).validate(PLAIN_PAGE, programModel.root) !== "accepted")
    throw new Wrong("a valid simple page is refused");
  return "accepted";
}

/** Checks a `_types.json`: it must be understood, or refused with findings. */
export function validateTypes(bytes: Buffer): FuzzVerdict {
  const parsed = parseJson("_types.json", bytes);
  const { model, findings } = checkTypes(parsed, programModel);
  assertFindings(findings, parsed.source.text);
  const fails = findings.some(isError);
  if (fails === (model !== undefined))
    throw new Wrong(fails ? "accepted with an error" : "refused without an error");
  return fails ? "refused" : "accepted";
}

const LISTEN = { address: "127.0.0.1", port: 8080 };

/** Checks a `_headers`: if it is accepted, every host must have a configuration for it. */
export function validateHeaders(bytes: Buffer): FuzzVerdict {
  const text = bytes.toString("utf8");
  const { rules, findings } = headersIn(text, "_headers");
  assertFindings(findings, text);
  if (findings.some(isError)) return "refused";
  for (const { name, configuration } of configuredHosts)
    if (configuration.print({ root: "/srv/public", listen: LISTEN, rules }) === "")
      throw new Wrong(`nothing for ${name}`);
  return "accepted";
}
