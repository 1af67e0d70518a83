import { isUtf8 } from "node:buffer";
import type { ClaimLog } from "../../check/claims.ts";
import { MAX_VALUES } from "../../json/parse.ts";
import { sourceSchemas } from "../../page/page.ts";
import type { Site } from "../../page/site.ts";
import { PAGE_TYPES, PARENT_TYPES, type PageType } from "../../page/types.ts";
import type { Parent } from "../../sources/tree.ts";
import { ByteWriter } from "./bytes.ts";
import { planOf } from "./compile.ts";
import { BAIL_OUT, Cursor } from "./cursor.ts";
import { Judge } from "./judge.ts";
import { encodeParent, type EncodedParent } from "./parent.ts";
import { type FieldPlan, type ObjectPlan } from "./plan.ts";
import { Printer } from "./print.ts";
import { Slots } from "./slots.ts";

/*
 * The fast path, and its only door. The bytes of a plain, sound source become the bytes of its response in two passes,
 * without a string or an object in between: a judge passes over the source with a cursor, by plans that are compiled of
 * the schemas and rows in `page/`, and notes in slots where each value stands; a printer puts together what is there.
 * It words no findings: whatever it is not sure of (any defect, any warning, any field that it does not know) it leaves
 * to the full path (`parseJson`, `checkPage`, `render`), whose answer on all that it takes is the same to the byte.
 *
 * What V8 wants of it, measured with `node --trace-opt --trace-deopt scripts/run.mjs build --full …`. Compiling is a
 * fifth of a full build's processor time on each thread, and a function is compiled again when a branch is first taken
 * that never was before.
 * - What nearly never happens is no branch of its own where it can be a chosen value (an empty object, an element that is
 *   not interned), and what grows begins small, so that it grows before it is compiled.
 * - Loops that every object passes are counted: iterators take long to compile.
 * - A field's kind is kept beside its plan: plans have seven shapes, and reading a property of any of them is slow.
 * - Bytes are compared and copied four at a time through a DataView, in a loop where they are few and by a call into the
 *   runtime where they are many.
 * - What every page asks for is kept in a field where it was asked for last: a WeakMap of parents took 3 % of a build.
 * - What a loop reads of an object it has in a constant; but `numbers` of the slots is another array once it has grown.
 */

/** In fewer bytes than these there is no room for more values than a source may have: they need not be counted. */
const LONG = 2 * MAX_VALUES;

/** A response and what else the build needs of its page. */
export interface Taken {
  id: number;
  type: PageType;
  /** Empty where a page of the type has none. */
  acno: string;
  /** The fast path's own, good until it takes the next. */
  bytes: Buffer;
}

export interface FastPath {
  /** The response of a source below a page; undefined where the full path must decide. */
  take(source: Buffer, parent: Parent | "root" | undefined, slug: string): Taken | undefined;
}

/** `claims` gets what the pages that are taken state of things that other pages speak of too. */
export const openFastPath = (site: Site, claims: ClaimLog): FastPath => new Passes(site, claims);

class Passes implements FastPath {
  private readonly site: Site;
  private readonly claims: ClaimLog;
  private readonly cursor = new Cursor();
  private readonly slots = new Slots();
  private readonly out = new ByteWriter(1 << 17);
  private readonly judge: Judge;
  private readonly printer: Printer;
  /** The last page's parent: the pages below one mostly come one after another. */
  private parent: Parent | "root" | undefined;
  private encodedParent: EncodedParent | undefined;
  /** Made when they are first needed: one edited page needs one of them. */
  private readonly plans = new Map<PageType, ObjectPlan>();

  constructor(site: Site, claims: ClaimLog) {
    this.site = site;
    this.claims = claims;
    this.judge = new Judge(this.cursor, this.slots, site, claims);
    this.printer = new Printer(this.slots, this.out, site);
  }

  take(source: Buffer, parent: Parent | "root" | undefined, slug: string): Taken | undefined {
    const encoded = this.encoded(parent);
    if (encoded === undefined || source.length >= LONG || !isUtf8(source)) return undefined;
    for (let k = 0; k < PAGE_TYPES.length; k++) {
      const type = PAGE_TYPES[k] as PageType;
      const isAllowed =
        encoded.type === "root" ? type === "home.HomePage" : PARENT_TYPES[type].includes(encoded.type);
      const taken = isAllowed ? this.attempt(source, encoded, slug, type) : undefined;
      if (taken !== undefined) return taken;
    }
    return undefined;
  }

  private encoded(parent: Parent | "root" | undefined): EncodedParent | undefined {
    if (parent !== this.parent) {
      this.parent = parent;
      this.encodedParent = parent && encodeParent(parent, this.site);
    }
    return this.encodedParent;
  }

  private attempt(source: Buffer, parent: EncodedParent, slug: string, type: PageType): Taken | undefined {
    const { cursor, slots, out } = this;
    cursor.begin(source);
    slots.begin(source, cursor.view);
    out.length = 0;
    const plan = this.planFor(type);
    try {
      const record = this.judge.page(plan);
      const id = slots.numberAt(record + (plan.byName.get("id") as FieldPlan).slot);
      this.printer.page(plan, record, { id, slug, parent });
      const acno = plan.byName.get("acno");
      return {
        id,
        type,
        acno: acno === undefined ? "" : slots.printed(record + acno.slot).slice(1, -1),
        bytes: out.written(),
      };
    } catch (cause) {
      this.claims.rollBack();
      if (cause === BAIL_OUT) return undefined;
      throw cause;
    }
  }

  private planFor(type: PageType): ObjectPlan {
    let plan = this.plans.get(type);
    if (plan === undefined) this.plans.set(type, (plan = planOf(sourceSchemas[type]) as ObjectPlan));
    return plan;
  }
}
