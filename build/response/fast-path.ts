import { NO_FUTURE, type Instant, type Times } from "../base/instant.ts";
import { isObject } from "../json/object.ts";
import type { ClaimCollector } from "../check/claims.ts";
import { MAX_VALUES } from "../json/parse.ts";
import { sourceSchemas } from "../page/page.ts";
import type { Site } from "../page/site.ts";
import { isPageType, parentTypes, type PageType } from "../page/types.ts";
import { childAddress, detailUrl, homeAddress, type Parent } from "../sources/tree.ts";
import { PlanCompiler } from "./plan.ts";
import { bail, BAIL_OUT, jsonOf, type Print } from "./print.ts";
import { scan, type Scan } from "./scan.ts";

/*
 * The fast path to a response: JSON.parse, then one pass over the page with the compiled plan of its type. It takes only
 * simple, valid pages and leaves all others to the full path (`parseJson`, `checkPage`, `render`). Both paths produce the
 * same bytes.
 */

/** Maximum bytes of a source: with fewer, it cannot exceed `MAX_VALUES`, so the fast path need not count values. */
const MAX_BYTES = 2 * MAX_VALUES;

/** A response, and the other facts about its page that the build needs. */
export interface Taken {
  id: number;
  type: PageType;
  /** Empty if the page has none. */
  acno: string;
  /** The source, with each byte of its UTF-8 as one character. */
  source: Record<string, unknown>;
  /** The page's URL on the website. */
  address: string;
  /** Targets of the links in the page's texts; empty if the site has no `owned_paths`. */
  links: string[];
  /** The instants after `Times.floor` at which time changes a finding of the page. */
  moments: Instant[];
  /** Valid until the next page is taken. */
  bytes: Buffer;
}

export interface FastPath {
  /**
   * The response of a source below a page; undefined if the full path must decide.
   *
   * @param source if it is the same buffer as before, it is not parsed again.
   */
  take(source: Buffer, parent: Parent | "root" | undefined, slug: string): Taken | undefined;
}

interface ParsedText {
  source: Buffer;
  page: unknown;
  scanned: Scan;
}

/** @param claims receives the claims of the pages that the fast path takes. */
export const openFastPath = (site: Site, claims: ClaimCollector, times = NO_FUTURE): FastPath =>
  new CompiledPath(site, claims, times);

class CompiledPath implements FastPath {
  private readonly site: Site;
  private readonly claims: ClaimCollector;
  private readonly compiler: PlanCompiler;
  /** Compiled when a type first occurs: one edited page needs only one plan. */
  private readonly plans = new Map<PageType, Print>();
  /** Kept because the subpages of one parent mostly follow each other. */
  private lastParent: Parent | "root" | undefined;
  private lastParentJson = "";
  private last: ParsedText | undefined;
  private out = Buffer.allocUnsafeSlow(1 << 17);

  constructor(site: Site, claims: ClaimCollector, times: Times) {
    this.site = site;
    this.claims = claims;
    this.compiler = new PlanCompiler(site, claims, times);
  }

  take(source: Buffer, parent: Parent | "root" | undefined, slug: string): Taken | undefined {
    if (parent === undefined || (parent !== "root" && parent.summary === undefined)) return undefined;
    try {
      const { page, scanned } = this.parse(source);
      return this.print(page, scanned, parent, slug);
    } catch (cause) {
      this.claims.rollBack();
      if (cause === BAIL_OUT || cause instanceof SyntaxError) return undefined;
      throw cause;
    }
  }

  private parse(source: Buffer): ParsedText {
    if (this.last?.source === source) return this.last;
    if (source.length >= MAX_BYTES) bail();
    const text = source.toString("latin1");
    const scanned = scan(source, text);
    if (scanned === undefined) bail();
    return (this.last = { source, page: JSON.parse(text), scanned });
  }

  private print(page: unknown, { keys, signs }: Scan, parent: Parent | "root", slug: string): Taken {
    const { compiler, site } = this;
    if (!isObject(page) || !isObject(page["meta"])) bail();
    const { type } = page["meta"];
    if (!isPageType(type)) bail();
    const parents = parentTypes(type);
    const isAllowed =
      parent === "root" ? parents.length === 0 : (parents as readonly unknown[]).includes(parent.type);
    if (!isAllowed) bail();
    const { id } = page;
    if (typeof id !== "number") bail();
    const address = parent === "root" ? homeAddress(site) : childAddress(parent.address, slug, site);
    compiler.begin(
      {
        response: jsonOf(detailUrl(site, id)),
        address: jsonOf(address),
        slug: jsonOf(slug),
        parent: this.parentJson(parent),
      },
      signs,
    );
    const json = this.planOf(type)(page);
    const { $schema } = page;
    if ($schema !== undefined && typeof $schema !== "string") bail();
    // An unknown or a duplicate key was counted only in the source.
    if (compiler.keys + ($schema === undefined ? 0 : 1) !== keys) bail();
    const acno = typeof page["acno"] === "string" ? page["acno"] : "";
    const { links, moments } = compiler;
    return { id, type, acno, source: page, address, links, moments, bytes: this.encode(json) };
  }

  private parentJson(parent: Parent | "root"): string {
    if (parent !== this.lastParent) {
      this.lastParent = parent;
      this.lastParentJson = jsonOf(parent === "root" ? null : parent.summary);
    }
    return this.lastParentJson;
  }

  private planOf(type: PageType): Print {
    let plan = this.plans.get(type);
    if (plan === undefined) this.plans.set(type, (plan = this.compiler.compile(sourceSchemas[type])));
    return plan;
  }

  private encode(json: string): Buffer {
    if (json.length > this.out.length) this.out = Buffer.allocUnsafeSlow(2 * json.length);
    return this.out.subarray(0, this.out.write(json, "latin1"));
  }
}
