import { isUtf8 } from "node:buffer";
import { sourceSchemas } from "../../page/page.ts";
import type { Site } from "../../page/site.ts";
import { PAGE_TYPES, PARENT_TYPES, type PageType } from "../../page/types.ts";
import type { ClaimLog } from "../../check/claims.ts";
import type { EncodedParent } from "./parent.ts";
import { bytesOf, ByteWriter } from "./bytes.ts";
import { Judge } from "./judge.ts";
import {
  ARRAY,
  DERIVED,
  END,
  FRAME_HEAD,
  makeTemplate,
  MISSING,
  nextTemplates as next,
  OBJECT,
  planOf,
  SLOT_SIZE,
  TUPLE,
  type ArrayPlan,
  type FieldPlan,
  type ObjectPlan,
  type Piece,
  type Template,
  type TuplePlan,
  type ValuePlan,
} from "./plan.ts";
import { displayName, slugName } from "../render.ts";
import type { Repeats } from "./repeats.ts";
import { BAIL_OUT, placeAt } from "./scan.ts";

/**
 * The fast lane: the bytes of a sound, ordinary source become the bytes of its response in two passes, without a
 * string or an object in between. It judges nothing by itself: whatever it is not sure of (any defect, any warning,
 * any field that it does not know) it leaves to the lane of `parseJson`, `checkPage` and `render`, whose answer on
 * all that it takes is the same to the byte.
 */

const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const NOTHING = bytesOf("");

export interface Transcoded {
  id: number;
  type: PageType;
  /** Empty where a page of the type has none. */
  acno: string;
  bytes: Buffer;
}

export class Transcoder extends Judge {
  /** Made when they are first needed: one edited page needs one of them. */
  private readonly plans = new Map<PageType, ObjectPlan>();
  private readonly detailPrefix: DataView;
  private readonly slash: boolean;
  private readonly out = new ByteWriter(1 << 17);
  /** The bytes that the objects around the one at hand can take beside their values. */
  private around = 0;
  /** The bytes that the page's own derived fields can take. */
  private pageRoom = 0;
  // Of the page at hand, for its derived fields:
  private id = 0;
  private slug = "";
  private encodedParent: EncodedParent = { type: "root", address: NOTHING, parent: NOTHING };

  /** `claims` gets what the pages that are taken state of things that other pages speak of too. */
  constructor(site: Site, claims: ClaimLog) {
    super(site, claims);
    this.detailPrefix = bytesOf(JSON.stringify(`${site.base_url}/api/v2/pages/`).slice(0, -1));
    this.slash = site.append_slash;
  }

  /**
   * The response of a source below a page, and its id; undefined where the other lane must decide. The bytes are
   * the transcoder's own and good until the next call.
   */
  transcode(source: Buffer, encodedParent: EncodedParent, slug: string): Transcoded | undefined {
    if (!isUtf8(source)) return undefined;
    for (let k = 0; k < PAGE_TYPES.length; k++) {
      const type = PAGE_TYPES[k] as PageType;
      const isAllowed =
        encodedParent.type === "root"
          ? type === "home.HomePage"
          : PARENT_TYPES[type].includes(encodedParent.type);
      const done = isAllowed ? this.attempt(source, encodedParent, slug, type) : undefined;
      if (done !== undefined) return done;
    }
    return undefined;
  }

  private attempt(
    source: Buffer,
    encodedParent: EncodedParent,
    slug: string,
    type: PageType,
  ): Transcoded | undefined {
    this.begin(source);
    this.out.length = 0;
    this.around = 0;
    this.encodedParent = encodedParent;
    this.slug = slug;
    const { claims } = this;
    const plan = this.planFor(type);
    try {
      this.space();
      const frame = this.object(plan);
      this.space();
      if (this.pos !== this.end) throw BAIL_OUT;
      this.id = this.numberAt(frame + fieldOf(plan, "id").slot);
      this.pageRoom =
        encodedParent.parent.byteLength +
        2 * (encodedParent.address.byteLength + slug.length) +
        this.detailPrefix.byteLength +
        64;
      this.printObject(plan, frame);
      const acno = plan.byName.get("acno");
      return {
        id: this.id,
        type,
        acno: acno === undefined ? "" : this.printed(frame + acno.slot).slice(1, -1),
        bytes: this.out.written(),
      };
    } catch (cause) {
      claims.rollBack();
      if (cause === BAIL_OUT) return undefined;
      throw cause;
    }
  }

  private planFor(type: PageType): ObjectPlan {
    let plan = this.plans.get(type);
    if (plan === undefined) this.plans.set(type, (plan = planOf(sourceSchemas[type]) as ObjectPlan));
    return plan;
  }

  private printObject(plan: ObjectPlan, frame: number): void {
    const { out, arena } = this;
    this.roomFor(plan.fixed);
    this.around += plan.fixed;
    const template = this.templateOf(plan, frame);
    for (let k = 0; k < template.length; k++) {
      const { before, kind, slot, field, name } = template[k] as Piece;
      out.put(before);
      if (kind === DERIVED) this.printDerived(plan, frame, name);
      else if (kind === MISSING) this.printDisplayName(plan, frame, name);
      else if (kind === OBJECT)
        this.printObject((field as FieldPlan).plan as ObjectPlan, arena[frame + slot] as number);
      else if (kind !== END) this.printValue(kind, (field as FieldPlan).plan, frame + slot);
    }
    this.around -= plan.fixed;
  }

  /** Makes room for so many bytes, for all values, and for what the objects around this one print of themselves. */
  private roomFor(fixed: number): void {
    this.out.room(fixed + this.around + 2 * this.end + 2 * this.sideTop + this.pageRoom);
  }

  /** Which fields are there decides all bytes between the values, and few combinations occur: each is put together once. */
  private templateOf(plan: ObjectPlan, frame: number): Template {
    const { arena } = this;
    if (plan.fields.length <= 30) return this.smallTemplateOf(plan, frame);
    let node = plan.templates;
    let mask = 0;
    let bits = 0;
    const { length } = plan.fields;
    for (let k = 0, slot = frame + FRAME_HEAD + 1; k < length; k++, slot += SLOT_SIZE) {
      mask = (mask << 1) | (arena[slot] === 0 ? 0 : 1);
      if (++bits === 30) {
        node = next(node, mask);
        mask = 0;
        bits = 0;
      }
    }
    node = next(node, mask);
    return (node.template ??= makeTemplate(plan, (field) => arena[frame + field.slot + 1] !== 0));
  }

  /** The same for the objects of lists, which are many and mostly alike. */
  private smallTemplateOf(plan: ObjectPlan, frame: number): Template {
    const { arena } = this;
    const { fields } = plan;
    let mask = 0;
    let slot = frame + FRAME_HEAD + 1;
    for (let k = 0; k < fields.length; k++, slot += SLOT_SIZE)
      mask = (mask << 1) | (arena[slot] === 0 ? 0 : 1);
    if (mask === plan.lastMask && plan.lastTemplate !== undefined) return plan.lastTemplate;
    const node = next(plan.templates, mask);
    node.template ??= makeTemplate(plan, (field) => arena[frame + field.slot + 1] !== 0);
    plan.lastMask = mask;
    plan.lastTemplate = node.template;
    return node.template;
  }

  /** `kind` is the plan's. */
  private printValue(kind: number, plan: ValuePlan, slot: number): void {
    const start = this.arena[slot] as number;
    const end = this.arena[slot + 1] as number;
    if (kind === OBJECT) this.printObject(plan as ObjectPlan, start);
    else if (kind === ARRAY) this.printArray((plan as ArrayPlan).element, start, end - 1);
    else if (kind === TUPLE) this.printTuple((plan as TuplePlan).items, start);
    else this.out.copy(this.viewAt(start), placeAt(start), placeAt(end));
  }

  private printTuple(items: ValuePlan[], frame: number): void {
    this.out.byte(OPEN_BRACKET);
    for (let k = 0; k < items.length; k++) {
      if (k > 0) this.out.byte(COMMA);
      const item = items[k] as ValuePlan;
      this.printValue(item.kind, item, frame + FRAME_HEAD + SLOT_SIZE * k);
    }
    this.out.byte(CLOSE_BRACKET);
  }

  private printArray(element: ValuePlan, first: number, count: number): void {
    this.out.byte(OPEN_BRACKET);
    let frame = first;
    for (let i = 0; i < count; i++) {
      if (i > 0) this.out.byte(COMMA);
      if (element.kind === OBJECT) this.printElement(element, frame);
      else this.printValue(element.kind, element, frame + FRAME_HEAD);
      frame = this.arena[frame] as number;
    }
    this.out.byte(CLOSE_BRACKET);
  }

  private printElement(plan: ObjectPlan, frame: number): void {
    const { out } = this;
    const { repeats } = plan;
    const known = (this.arena[frame + 1] as number) - 1;
    const printed = known === -1 ? undefined : repeats?.printed[known];
    if (printed !== undefined) {
      this.roomFor(printed.byteLength);
      out.put(printed);
      return;
    }
    const start = out.length;
    this.printObject(plan, frame);
    if (known !== -1) repeats?.addPrinted(known, out.written(start));
  }

  /** The derived fields (DESIGN, section 2), by their names, which no other fields share. */
  private printDerived(plan: ObjectPlan, frame: number, name: string): void {
    const { encodedParent } = this;
    switch (name) {
      case "detail_url":
        this.out.put(this.detailPrefix);
        this.out.ascii(`${this.id}/"`);
        return;
      case "url":
      case "html_url":
        this.out.put(encodedParent.address);
        if (encodedParent.type !== "root") this.out.ascii(this.slash ? `${this.slug}/"` : `${this.slug}"`);
        return;
      case "slug":
        this.out.ascii(`"${this.slug}"`);
        return;
      case "alias_of":
        this.out.ascii("null");
        return;
      case "parent":
        this.out.put(encodedParent.parent);
        return;
      case "classificationId":
        this.printClassificationId(plan, frame);
        return;
      case "subject_tags":
        this.printSubjectTags(plan, frame);
        return;
      case "slug_name":
        this.text(JSON.stringify(slugName(this.textOf(plan, frame, "type"))));
        return;
      default:
        throw new Error(`the transcoder does not know how to derive ${name}`);
    }
  }

  private printClassificationId(plan: ObjectPlan, frame: number): void {
    const classification = fieldOf(plan, "classification");
    const { slot, plan: inner } = fieldOf(classification.plan, "id");
    this.printValue(inner.kind, inner, (this.arena[frame + classification.slot] as number) + slot);
  }

  private printSubjectTags(plan: ObjectPlan, frame: number): void {
    const { out, arena } = this;
    const subjects = fieldOf(plan, "subjects");
    const subject = (subjects.plan as ArrayPlan).element as ObjectPlan;
    const name = fieldOf(subject, "name").slot - FRAME_HEAD;
    const repeats = subject.repeats as Repeats;
    out.byte(OPEN_BRACKET);
    let element = arena[frame + subjects.slot] as number;
    const count = (arena[frame + subjects.slot + 1] as number) - 1;
    for (let i = 0; i < count; i++) {
      if (i > 0) out.byte(COMMA);
      const number = (arena[element + 1] as number) - 1;
      // Nearly all are known. A branch that others take later would have the engine compile everything once more.
      const isKnown = number !== -1;
      const frames = isKnown ? repeats.known : arena;
      const own = element + FRAME_HEAD;
      const at = (isKnown ? repeats.frameOf(number) : own) + name;
      const start = frames[at] as number;
      const end = frames[at + 1] as number;
      const view = this.viewAt(start);
      if (end === 0) out.ascii('""');
      else out.copy(isKnown ? repeats.view : view, placeAt(start), placeAt(end));
      element = arena[element] as number;
    }
    out.byte(CLOSE_BRACKET);
  }

  /** The one field that has neither a value of its own nor one for all where it is left out. */
  private printDisplayName(plan: ObjectPlan, frame: number, name: string): void {
    if (name !== "display_name") throw new Error(`the transcoder has nothing to print for ${name}`);
    this.text(JSON.stringify(displayName(this.textOf(plan, frame, "type"))));
  }

  private textOf(plan: ObjectPlan, frame: number, name: string): string {
    return JSON.parse(this.printed(frame + fieldOf(plan, name).slot)) as string;
  }

  private text(text: string): void {
    this.roomFor(3 * text.length);
    this.out.text(text);
  }
}

function fieldOf(plan: ValuePlan, name: string): FieldPlan {
  const field = plan.kind === OBJECT ? plan.byName.get(name) : undefined;
  if (field === undefined) throw new Error(`the transcoder finds no field ${name}`);
  return field;
}
