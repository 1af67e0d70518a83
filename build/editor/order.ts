import { isObject, type JsonValue } from "../json/object.ts";
import { fieldsIn, valueIn, type ValueModel } from "../page/model.ts";
import { PROGRAM } from "../page/page.ts";
import { isPageType } from "../page/types.ts";

/** The order of an object's fields in the API contract. Fields that the contract does not have are last. */
export class Order {
  readonly model: ValueModel | undefined;
  private readonly ranks: ReadonlyMap<string, number>;

  constructor(model: ValueModel | undefined, first: readonly string[] = []) {
    this.model = model;
    this.ranks = new Map([...first, ...fieldsIn(model).keys()].map((name, rank) => [name, rank]));
  }

  private rank = (name: string): number => this.ranks.get(name) ?? Infinity;

  /** Names in the contract's order; unknown names are last. */
  sorted(names: readonly string[]): string[] {
    // Not a subtraction: the rank of unknown names is infinite, and their difference would be NaN.
    return names.toSorted((a, b) =>
      this.rank(a) === this.rank(b) ? 0 : this.rank(a) < this.rank(b) ? -1 : 1,
    );
  }

  /** The index of a new name among names in any order: after its nearest predecessor, else before its successor. */
  placeOf(name: string, names: readonly string[]): number {
    const own = this.rank(name);
    if (own === Infinity) return names.length;
    let before = -1;
    let after = -1;
    for (const [at, other] of names.entries()) {
      const rank = this.rank(other);
      if (rank < own && (before === -1 || rank >= this.rank(names[before] ?? ""))) before = at;
      if (rank > own && (after === -1 || rank < this.rank(names[after] ?? ""))) after = at;
    }
    if (before !== -1) return before + 1;
    return after === -1 ? names.length : after;
  }
}

/** The order of a page's own fields. */
export function rootOrder(page: { [key: string]: JsonValue }): Order {
  const meta = page["meta"];
  const type = isObject(meta) ? meta["type"] : undefined;
  return new Order(isPageType(type) ? PROGRAM.types[type].source : undefined, ["$schema"]);
}

/** The order within a field, or an element of a list. */
export const orderOf = ({ model }: Order, step: string | number): Order =>
  new Order(model && valueIn(model, [step]));

/** A value with the fields of all its objects in the contract's order. */
export function ordered(value: JsonValue, order: Order): JsonValue {
  if (Array.isArray(value)) return value.map((element, i) => ordered(element, orderOf(order, i)));
  if (!isObject(value)) return value;
  const names = order.sorted(Object.keys(value));
  return Object.fromEntries(
    names.map((name) => [name, ordered(value[name] as JsonValue, orderOf(order, name))]),
  );
}
