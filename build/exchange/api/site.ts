import { type JsonObject, isObject, type Node } from "../../source/json/object.ts";
import type { TextOf } from "../../model/derive.ts";
import { variantOf, type ObjectValue, type ValueModel } from "../../model/model.ts";
import type { PageModel } from "../../model/page.ts";
import type { PageType } from "../../model/page-types.ts";
import { referenceTo } from "../../model/reference.ts";
import { pathOf } from "../../base/api.ts";
import { endingOf, IMAGE_KINDS, MEDIA } from "../../source/image-kinds.ts";
import { formats } from "../../model/formats.ts";
import type { Site } from "../../model/site.ts";
import { plural } from "../../base/numbers.ts";
import { shown } from "./values.ts";

/** Turns a value of a response into the value in a source; undefined if the source leaves it out. */
type Reduce = (value: unknown, nodes: Nodes) => unknown;

/** The nodes of objects; undefined if the order of members whose names are numbers does not matter. */
type Nodes = WeakMap<object, Node> | undefined;

interface Replacements {
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

/** Maximum number of different values to count for one setting, to limit the memory. Others are ignored. */
const MAX_VALUES = 1000;

class Votes {
  private readonly counts = new Map<string, number>();
  total = 0;

  add(vote: string | undefined): void {
    if (vote === undefined || (this.counts.size >= MAX_VALUES && !this.counts.has(vote))) return;
    this.total++;
    this.counts.set(vote, (this.counts.get(vote) ?? 0) + 1);
  }

  /** The most frequent value; of equally frequent ones, the first by code units. */
  winner(): { vote: string; count: number } | undefined {
    const [first] = [...this.counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
    return first && { vote: first[0], count: first[1] };
  }
}

/** Counts the values of each site setting that the responses contain. */
export class SiteVotes {
  private readonly model: PageModel;
  private readonly visitMedia: (page: JsonObject, type: PageType) => void;
  private baseOfPage: string | undefined;
  private readonly base = new Votes();
  private readonly origins = new Votes();
  private readonly media = new Votes();
  /** Number of images at addresses where the API's own host publishes images. */
  private own = 0;
  /** An address of an image without a host. */
  private relative: string | undefined;
  private readonly slashes = new Votes();

  constructor(model: PageModel) {
    this.model = model;
    this.visitMedia = sourceReducer(model, {
      media: (address) => {
        this.media.add(originOf(address));
        if (isRelativeImage(address)) this.relative ??= address;
        if (this.baseOfPage !== undefined && String(address).startsWith(`${this.baseOfPage}/${MEDIA}/`))
          this.own++;
        return address;
      },
      address: (address) => {
        if (isRelativeImage(address)) this.relative ??= address;
      },
    });
  }

  /** @param type undefined if the site does not have it */
  count(page: JsonObject, id: number, type: PageType | undefined, htmlUrl: string | undefined): void {
    const meta = page["meta"] as JsonObject;
    const tail = pathOf(id);
    const detail = meta["detail_url"];
    const base =
      typeof detail === "string" && detail.endsWith(tail) ? hostOf(detail.slice(0, -tail.length)) : undefined;
    this.base.add(base);
    if (htmlUrl !== undefined) this.origins.add(originOf(htmlUrl));
    if (type === undefined) return;
    if (htmlUrl !== undefined && !this.model.isRoot(type))
      this.slashes.add(htmlUrl.endsWith("/") ? "true" : "false");
    this.baseOfPage = base;
    this.visitMedia(page, type);
  }

  hasFiles(): boolean {
    return this.media.total > 0;
  }

  /** The most frequent settings, and notes on doubtful ones. `home`: the website's address, without a final slash. */
  elect(
    home: string,
    address: string | undefined,
    languages: Pick<Site, "locales" | "translations"> = {},
  ): { site: Site; notes: string[] } {
    const notes: string[] = [];
    const choose = (name: string, votes: Votes, otherwise: string, why: string): string => {
      const winner = votes.winner();
      if (winner === undefined) {
        notes.push(`${why}, so ${name} is ${shown(otherwise)} for now: correct it in _site.json.`);
        return otherwise;
      }
      if (winner.count < votes.total)
        notes.push(
          `${name} is ${shown(winner.vote)}, as in ${winner.count} of ${plural(votes.total, "place")} in the responses; the others differ.`,
        );
      return winner.vote;
    };
    const base = choose(
      "base_url",
      this.base,
      address ?? "http://localhost:3000",
      "no response has a detail_url of the form …/api/v2/pages/<id>/",
    );
    const own = hostOf(home);
    const site = own ?? choose("site_url", this.origins, base, "no response has an html_url");
    const { relative } = this;
    const areOwn = this.media.total === 0 ? relative !== undefined : this.own === this.media.total;
    if (relative !== undefined)
      notes.push(
        `the addresses of some images have no host, such as ${shown(relative)}: they stay as they are, so that each client has to know the host.`,
      );
    const media = areOwn
      ? `${base}/${MEDIA}`
      : choose("media_url", this.media, site, "no response has an image");
    const slash = this.slashes.total === 0 ? "true" : choose("append_slash", this.slashes, "", "");
    return {
      site: {
        base_url: base,
        site_url: site,
        media_url: media,
        append_slash: slash === "true",
        owned_paths: [],
        ...languages,
      },
      notes,
    };
  }
}

/** Whether it is an address like those that the build publishes from `_media/`, but without a host. */
export const isRelativeImage = (address: unknown): address is string =>
  typeof address === "string" &&
  address.startsWith(`/${MEDIA}/`) &&
  Object.hasOwn(IMAGE_KINDS, endingOf(address));

/** The address, if `_site.json` may contain it. */
const hostOf = (address: string): string | undefined =>
  formats["absolute-url"].matches(address) && !/[?#]|\/$/.test(address) ? address : undefined;

/** The scheme and host of an address, spelled as in the response. */
function originOf(address: unknown): string | undefined {
  const origin = typeof address === "string" ? /^https?:\/\/[^/?#\\]+/i.exec(address)?.[0] : undefined;
  return origin === undefined ? undefined : hostOf(origin);
}

/** `_site.json` as an editor would write it. */
export const siteSource = (site: Site): object => {
  const { base_url, site_url, media_url, append_slash, locales, translations } = site;
  const slash = append_slash ? {} : { append_slash };
  return { base_url, site_url, media_url, ...slash, locales, translations };
};
