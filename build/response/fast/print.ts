import type { Site } from "../../page/site.ts";
import { bytesOf, type ByteWriter } from "./bytes.ts";
import type { EncodedParent } from "./parent.ts";
import {
  ARRAY,
  DERIVED,
  END,
  OBJECT,
  RECORD_HEAD,
  SLOT_SIZE,
  TUPLE,
  type ArrayPlan,
  type CopyPlan,
  type DerivedPlan,
  type EachPlan,
  type FieldPlan,
  type ObjectPlan,
  type Piece,
  type Template,
  type TextPlan,
  type TuplePlan,
  type ValuePlan,
} from "./plan.ts";
import { placeAt, type Slots } from "./slots.ts";
import { makeTemplate, nextTemplates } from "./template.ts";

const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** Where the page at hand lies, and its id. */
export interface PrintedPlace {
  id: number;
  slug: string;
  parent: EncodedParent;
}

/** The second pass: prints what was noted, and what is worked out of it. */
export class Printer {
  private readonly slots: Slots;
  private readonly out: ByteWriter;
  private readonly responsePrefix: DataView;
  private readonly slash: string;
  /** The bytes that the objects around the one at hand can take beside their values. */
  private around = 0;
  private place: PrintedPlace | undefined;

  constructor(slots: Slots, out: ByteWriter, site: Site) {
    this.slots = slots;
    this.out = out;
    this.responsePrefix = bytesOf(JSON.stringify(`${site.base_url}/api/v2/pages/`).slice(0, -1));
    this.slash = site.append_slash ? "/" : "";
  }

  page(plan: ObjectPlan, record: number, place: PrintedPlace): void {
    this.around = 0;
    this.place = place;
    this.printObject(plan, record);
  }

  private printObject(plan: ObjectPlan, record: number): void {
    const { out } = this;
    const { numbers } = this.slots;
    this.roomFor(plan.fixed);
    this.around += plan.fixed;
    const template = this.templateOf(plan, record);
    for (let k = 0; k < template.length; k++) {
      const { before, kind, slot, field, derived } = template[k] as Piece;
      out.put(before);
      if (kind === DERIVED) this.printDerived(derived as DerivedPlan, record);
      else if (kind === OBJECT)
        this.printObject((field as FieldPlan).plan as ObjectPlan, numbers[record + slot] as number);
      else if (kind !== END) this.printValue(kind, (field as FieldPlan).plan, record + slot);
    }
    this.around -= plan.fixed;
  }

  /** Makes room for so many bytes, for all values once, and for what the objects around this one print of themselves. */
  private roomFor(bytes: number): void {
    this.out.room(bytes + this.around + this.slots.valueBytes);
  }

  private templateOf(plan: ObjectPlan, record: number): Template {
    const { numbers } = this.slots;
    if (plan.fields.length <= 30) return this.smallTemplateOf(plan, record);
    let node = plan.templates;
    let mask = 0;
    let bits = 0;
    const { length } = plan.fields;
    for (let k = 0, slot = record + RECORD_HEAD + 1; k < length; k++, slot += SLOT_SIZE) {
      mask = (mask << 1) | (numbers[slot] === 0 ? 0 : 1);
      if (++bits === 30) {
        node = nextTemplates(node, mask);
        mask = 0;
        bits = 0;
      }
    }
    node = nextTemplates(node, mask);
    return (node.template ??= makeTemplate(plan, (field) => numbers[record + field.slot + 1] !== 0));
  }

  /** The same for the objects of lists, which are many and mostly alike. */
  private smallTemplateOf(plan: ObjectPlan, record: number): Template {
    const { numbers } = this.slots;
    const { fields } = plan;
    let mask = 0;
    let slot = record + RECORD_HEAD + 1;
    for (let k = 0; k < fields.length; k++, slot += SLOT_SIZE)
      mask = (mask << 1) | (numbers[slot] === 0 ? 0 : 1);
    if (mask === plan.lastMask && plan.lastTemplate !== undefined) return plan.lastTemplate;
    const node = nextTemplates(plan.templates, mask);
    node.template ??= makeTemplate(plan, (field) => numbers[record + field.slot + 1] !== 0);
    plan.lastMask = mask;
    plan.lastTemplate = node.template;
    return node.template;
  }

  /** `kind` is the plan's. */
  private printValue(kind: number, plan: ValuePlan, slot: number): void {
    const { slots } = this;
    const start = slots.numbers[slot] as number;
    const end = slots.numbers[slot + 1] as number;
    if (kind === OBJECT) this.printObject(plan as ObjectPlan, start);
    else if (kind === ARRAY) this.printArray((plan as ArrayPlan).element, start, end - 1);
    else if (kind === TUPLE) this.printTuple((plan as TuplePlan).items, start);
    else this.out.copy(slots.viewAt(start), placeAt(start), placeAt(end));
  }

  private printTuple(items: ValuePlan[], record: number): void {
    this.out.byte(OPEN_BRACKET);
    for (let k = 0; k < items.length; k++) {
      if (k > 0) this.out.byte(COMMA);
      const item = items[k] as ValuePlan;
      this.printValue(item.kind, item, record + RECORD_HEAD + SLOT_SIZE * k);
    }
    this.out.byte(CLOSE_BRACKET);
  }

  private printArray(element: ValuePlan, first: number, count: number): void {
    const { numbers } = this.slots;
    this.out.byte(OPEN_BRACKET);
    let record = first;
    for (let i = 0; i < count; i++) {
      if (i > 0) this.out.byte(COMMA);
      if (element.kind === OBJECT) this.printElement(element, record);
      else this.printValue(element.kind, element, record + RECORD_HEAD);
      record = numbers[record] as number;
    }
    this.out.byte(CLOSE_BRACKET);
  }

  private printElement(plan: ObjectPlan, record: number): void {
    const { out } = this;
    const { interned } = plan;
    const known = (this.slots.numbers[record + 1] as number) - 1;
    const printed = known === -1 ? undefined : interned?.printed[known];
    if (printed !== undefined) {
      this.roomFor(printed.byteLength);
      out.put(printed);
      return;
    }
    const start = out.length;
    this.printObject(plan, record);
    if (known !== -1) interned?.addPrinted(known, out.written(start));
  }

  /** Makes the room that it takes: what is worked out is no value of the source. */
  private printDerived(derived: DerivedPlan, record: number): void {
    switch (derived.kind) {
      case "place":
        this.printPlace(derived.part);
        return;
      case "constant":
        this.bytes(derived.printed);
        return;
      case "copy":
        this.printCopy(derived, record);
        return;
      case "each":
        this.printEach(derived, record);
        return;
      case "text":
        this.printText(derived, record);
    }
  }

  private printPlace(part: Extract<DerivedPlan, { kind: "place" }>["part"]): void {
    const { id, slug, parent } = this.place as PrintedPlace;
    switch (part) {
      case "response":
        this.bytes(this.responsePrefix);
        this.ascii(`${id}/"`);
        return;
      case "address":
        this.bytes(parent.address);
        if (parent.type !== "root") this.ascii(`${slug}${this.slash}"`);
        return;
      case "slug":
        this.ascii(`"${slug}"`);
        return;
      case "parent":
        this.bytes(parent.parent);
    }
  }

  private printCopy({ path, leftOut }: CopyPlan, record: number): void {
    const { numbers } = this.slots;
    let at = record;
    for (let k = 0; k < path.length; k++) {
      const { kind, plan, slot } = path[k] as FieldPlan;
      if (numbers[at + slot + 1] === 0) {
        this.bytes(leftOut[k] as DataView);
        return;
      }
      if (k === path.length - 1) {
        this.roomFor(this.slots.valueBytes);
        this.printValue(kind, plan, at + slot);
      }
      at = numbers[at + slot] as number;
    }
  }

  private printEach({ list, element, field, leftOut }: EachPlan, record: number): void {
    const { out, slots } = this;
    const { numbers } = slots;
    const { interned } = element;
    const slot = field.slot - RECORD_HEAD;
    let at = numbers[record + list.slot] as number;
    const count = (numbers[record + list.slot + 1] as number) - 1;
    this.roomFor(2 + slots.valueBytes + Math.max(0, count) * (1 + (leftOut?.byteLength ?? 0)));
    out.byte(OPEN_BRACKET);
    for (let i = 0; i < count; i++) {
      if (i > 0) out.byte(COMMA);
      const number = (numbers[at + 1] as number) - 1;
      const isKnown = interned !== undefined && number !== -1;
      const records = isKnown ? interned.known : numbers;
      const own = at + RECORD_HEAD;
      const noted = (isKnown ? interned.recordOf(number) : own) + slot;
      const start = records[noted] as number;
      const end = records[noted + 1] as number;
      const view = slots.viewAt(start);
      if (end === 0) out.put(leftOut as DataView);
      else out.copy(isKnown ? interned.view : view, placeAt(start), placeAt(end));
      at = numbers[at] as number;
    }
    out.byte(CLOSE_BRACKET);
  }

  private printText({ read, text }: TextPlan, record: number): void {
    const printed = JSON.stringify(text(this.slots.read(read, record)));
    this.roomFor(3 * printed.length);
    this.out.text(printed);
  }

  private bytes(bytes: DataView): void {
    this.roomFor(bytes.byteLength);
    this.out.put(bytes);
  }

  private ascii(text: string): void {
    this.roomFor(text.length);
    this.out.ascii(text);
  }
}
