import { type JsonObject, isObject } from "../../source/json/object.ts";
import type { Node } from "../../source/json/node.ts";
import type { TextOf } from "../../model/derive.ts";
import { variantOf, type ObjectValue, type ValueModel } from "../../model/model.ts";
import type { PageModel } from "../../model/page.ts";
import type { PageType } from "../../model/page-types.ts";
import { referenceTo } from "../../model/reference.ts";

/** Turns a value of a response into the value in a source; undefined if the source leaves it out. */
type Reduce = (value: unknown, nodes: Nodes) => unknown;

/** The nodes of objects; undefined if the order of members whose names are numbers does not matter. */
type Nodes = WeakMap<object, Node> | undefined;

export interface Replacements {
  /** The value in a source for the address of an image. */
  media: (address: unknown) => unknown;
  /** Receives addresses that are not only those of images. */
  address?: (address: unknown) => void;
  /** Whether a reference (`referenceTo`) leads to no page of the site, so that the source leaves it out. */
  isDead?: (reference: string) => boolean;
}

/**
 * A function that turns responses into sources, by leaving out derived and empty values, and fields that the API does not
 * have.
 */
export function sourceReducer(
  types: PageModel,
  { media, address: visitAddress, isDead }: Replacements,
): (response: JsonObject, type: PageType, nodes?: Nodes) => JsonObject {
  const byType = new Map<PageType, Reduce>();
  return (response, type, nodes) => {
    let reduce = byType.get(type);
    if (reduce === undefined) byType.set(type, (reduce = reducerOf(types.sourceOf(type))));
    return reduce(response, nodes) as JsonObject;
  };

  function reducerOf(model: ValueModel): Reduce {
    const reduce = reducerOfKind(model);
    const { empty, kind } = model;
    if (kind === "object" && isObject(empty))
      return (value, nodes) => {
        const reduced = reduce(value, nodes);
        return isObject(reduced) && Object.keys(reduced).length === 0 ? undefined : reduced;
      };
    return empty === undefined
      ? reduce
      : (value, nodes) => (isSameEmpty(value, empty) ? undefined : reduce(value, nodes));
  }

  function reducerOfKind(model: ValueModel): Reduce {
    if (model.isSourceOnly) return () => undefined;
    switch (model.kind) {
      case "derived":
        return () => undefined;
      case "open":
        return (value, nodes) => (nodes === undefined ? value : ordered(value, nodes));
      case "object":
        return objectReducer(
          model,
          Array.from(model.fields, ([key, field]) => [key, reducerOf(field)]),
        );
      case "list": {
        // No element can be left out, even if it is empty.
        const reduce = reducerOfKind(model.element);
        const isGone = deadTest(model.element);
        return (value, nodes) => {
          if (!Array.isArray(value)) return value;
          const items = isGone === undefined ? value : value.filter((item) => !isGone(item));
          return items.map((item) => reduce(item, nodes));
        };
      }
      case "block": {
        const variants = new Map(
          Array.from(model.variants.values(), (variant) => [variant, reducerOf(variant)]),
        );
        return (value, nodes) => {
          const variant = variantOf(model, value);
          return variant === undefined ? value : variants.get(variant)?.(value, nodes);
        };
      }
      case "tuple": {
        const items = model.items.map((item) => reducerOfKind(item));
        return (value, nodes) =>
          Array.isArray(value)
            ? value.map((item, i) => (items[i] === undefined ? item : items[i](item, nodes)))
            : value;
      }
      case "number": {
        const isGone = model.isNullable ? deadTest(model) : undefined;
        const reduce: Reduce =
          model.reference?.shows === undefined
            ? (value) => value
            : (value) => (isObject(value) ? value["id"] : value);
        return isGone === undefined
          ? reduce
          : (value, nodes) => (isGone(value) ? null : reduce(value, nodes));
      }
      case "text":
        if (model.format === "media-url") return media;
        if (model.format === "address" && visitAddress !== undefined)
          return (value) => {
            visitAddress(value);
            return value;
          };
        return model.isHtml && isDead !== undefined
          ? (value) => (typeof value === "string" ? withoutLinks(value, isDead) : value)
          : (value) => value;
      default:
        return (value) => value;
    }
  }

  /** Tests a reference to a page; undefined if the value is none. */
  function deadTest(model: ValueModel): ((value: unknown) => boolean) | undefined {
    if (isDead === undefined || model.kind !== "number" || model.reference === undefined) return undefined;
    const { types: allowed } = model.reference;
    return (value) => {
      const id = isObject(value) ? value["id"] : value;
      return typeof id === "number" && isDead(referenceTo(id, allowed));
    };
  }
}

/** HTML without the tags of links to pages by their ids that lead nowhere. Their words stay. */
const withoutLinks = (html: string, isDead: (reference: string) => boolean): string =>
  html.replaceAll(/<a\s([^<>]*)>(.*?)<\/a>/gis, (link, attributes: string, words: string) => {
    const id = /(?:^|\s)id=["']?(\d+)/i.exec(attributes)?.[1];
    const isToPage = /(?:^|\s)linktype=["']?page\b/i.test(attributes);
    return isToPage && id !== undefined && isDead(referenceTo(Number(id))) ? words : link;
  });

function objectReducer(model: ObjectValue, fields: [key: string, reduce: Reduce][]): Reduce {
  const optional = [...model.fields].flatMap(([key, { fallback }]): [string, TextOf][] =>
    fallback?.kind === "text" ? [[key, fallback]] : [],
  );
  // Responses lack the copied field, so the build derives null.
  const copied = [...model.fields].flatMap(([key, { fallback }]) => (fallback?.kind === "copy" ? [key] : []));
  return (value, nodes) => {
    if (!isObject(value)) return value;
    const reduced: JsonObject = {};
    for (const [key, reduce] of fields) {
      const kept = Object.hasOwn(value, key) ? reduce(value[key], nodes) : undefined;
      if (kept !== undefined) reduced[key] = kept;
    }
    for (const key of copied) if (reduced[key] === null) delete reduced[key];
    for (const [key, row] of optional)
      if (reduced[key] !== undefined && reduced[key] === derivedText(row, model, value)) delete reduced[key];
    return reduced;
  };
}

/** The text that the build would derive from an object; undefined if one of its fields is no text. */
function derivedText({ fields, text }: TextOf, model: ObjectValue, object: JsonObject): unknown {
  const values = fields.map((field) => object[field] ?? model.fields.get(field)?.empty);
  const areTexts = values.every(
    (value, k) => typeof value === "string" || model.fields.get(fields[k] ?? "")?.kind !== "text",
  );
  return areTexts ? text(values) : undefined;
}

/** Whether a value is the empty value. Minus zero is not: it is an error, which the build reports. */
const isSameEmpty = (value: unknown, empty: unknown): boolean => {
  if (Array.isArray(empty)) return Array.isArray(value) && value.length === 0;
  if (isObject(empty)) return isObject(value) && Object.keys(value).length === 0;
  return Object.is(value, empty);
};

/** A value whose objects keep the order of members: a JavaScript object puts names that are numbers first. */
function ordered(value: unknown, nodes: WeakMap<object, Node>): unknown {
  if (Array.isArray(value)) return value.map((item) => ordered(item, nodes));
  if (!isObject(value)) return value;
  const node = nodes.get(value);
  if (node?.type !== "object") return value;
  return new Map(node.members.map(({ key }) => [key, ordered(value[key], nodes)]));
}
