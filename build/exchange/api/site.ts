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
  return (response, type, nodes) => reduced(types.sourceOf(type), response, nodes) as JsonObject;

  /** The value of a field in a source; undefined if the source leaves it out. */
  function reduced(model: ValueModel, value: unknown, nodes: Nodes): unknown {
    const { empty } = model;
    if (empty !== undefined && isSameEmpty(value, empty)) return undefined;
    const made = written(model, value, nodes);
    return model.kind === "object" && isObject(empty) && isSameEmpty(made, empty) ? undefined : made;
  }

  /** The same for an element of a list, which cannot be left out, even if it is empty. */
  function written(model: ValueModel, value: unknown, nodes: Nodes): unknown {
    if (model.isSourceOnly) return undefined;
    switch (model.kind) {
      case "derived":
        return undefined;
      case "open":
        return nodes === undefined ? value : ordered(value, nodes);
      case "object":
        return isObject(value) ? writtenObject(model, value, nodes) : value;
      case "list":
        return Array.isArray(value)
          ? value
              .filter((item) => !isDeadAt(model.element, item))
              .map((item) => written(model.element, item, nodes))
          : value;
      case "block": {
        const variant = variantOf(model, value);
        return variant === undefined ? value : reduced(variant, value, nodes);
      }
      case "tuple":
        return Array.isArray(value)
          ? value.map((item, i) => {
              const part = model.items[i];
              return part === undefined ? item : written(part, item, nodes);
            })
          : value;
      case "number":
        if (model.isNullable && isDeadAt(model, value)) return null;
        return model.reference?.shows !== undefined && isObject(value) ? value["id"] : value;
      case "text":
        if (model.format === "media-url") return media(value);
        if (model.format === "address") visitAddress?.(value);
        return model.isHtml && isDead !== undefined && typeof value === "string"
          ? withoutLinks(value, isDead)
          : value;
      default:
        return value;
    }
  }

  function writtenObject(model: ObjectValue, object: JsonObject, nodes: Nodes): JsonObject {
    const source: JsonObject = {};
    for (const [key, field] of model.fields) {
      const kept = Object.hasOwn(object, key) ? reduced(field, object[key], nodes) : undefined;
      if (kept !== undefined && !isDerived(field, kept, model, object)) source[key] = kept;
    }
    return source;
  }

  /** Whether a value is a reference to a page that leads nowhere. */
  function isDeadAt(model: ValueModel, value: unknown): boolean {
    if (isDead === undefined || model.kind !== "number" || model.reference === undefined) return false;
    const id = isObject(value) ? value["id"] : value;
    return typeof id === "number" && isDead(referenceTo(id, model.reference.types));
  }
}

/** HTML without the tags of links to pages by their ids that lead nowhere. Their words stay. */
const withoutLinks = (html: string, isDead: (reference: string) => boolean): string =>
  html.replaceAll(/<a\s([^<>]*)>(.*?)<\/a>/gis, (link, attributes: string, words: string) => {
    const id = /(?:^|\s)id=["']?(\d+)/i.exec(attributes)?.[1];
    const isToPage = /(?:^|\s)linktype=["']?page\b/i.test(attributes);
    return isToPage && id !== undefined && isDead(referenceTo(Number(id))) ? words : link;
  });

/** Whether the build derives this value if the source has none. */
function isDerived(
  { fallback }: ValueModel,
  value: unknown,
  model: ObjectValue,
  object: JsonObject,
): boolean {
  // Responses lack the copied field, so the build derives null.
  if (fallback?.kind === "copy") return value === null;
  return fallback?.kind === "text" && value === derivedText(fallback, model, object);
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

/** The values of a setting in the responses. */
class Votes {
  private readonly counts = new Map<string, number>();
  total = 0;

  add(vote: string | undefined): void {
    if (vote === undefined) return;
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
export function openVotes(model: PageModel) {
  const [bases, origins, media, slashes] = [new Votes(), new Votes(), new Votes(), new Votes()];
  let baseOfPage: string | undefined;
  /** Number of images at addresses where the API's own host publishes images. */
  let own = 0;
  /** An address of an image without a host. */
  let relative: string | undefined;

  const visitAddress = (address: unknown): void => {
    if (isRelativeImage(address)) relative ??= address;
  };
  const visitMedia = sourceReducer(model, {
    media: (address) => {
      media.add(originOf(address));
      visitAddress(address);
      if (baseOfPage !== undefined && String(address).startsWith(`${baseOfPage}/${MEDIA}/`)) own++;
      return address;
    },
    address: visitAddress,
  });

  /** @param type undefined if the site does not have it */
  function count(
    page: JsonObject,
    id: number,
    type: PageType | undefined,
    htmlUrl: string | undefined,
  ): void {
    const tail = pathOf(id);
    const detail = (page["meta"] as JsonObject)["detail_url"];
    baseOfPage =
      typeof detail === "string" && detail.endsWith(tail) ? hostOf(detail.slice(0, -tail.length)) : undefined;
    bases.add(baseOfPage);
    if (htmlUrl !== undefined) origins.add(originOf(htmlUrl));
    if (type === undefined) return;
    if (htmlUrl !== undefined && !model.isRoot(type)) slashes.add(htmlUrl.endsWith("/") ? "true" : "false");
    visitMedia(page, type);
  }

  /** The most frequent settings, and notes on doubtful ones. `home`: the website's address, without a final slash. */
  function elect(
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
      bases,
      address ?? "http://localhost:3000",
      "no response has a detail_url of the form …/api/v2/pages/<id>/",
    );
    const website = hostOf(home) ?? choose("site_url", origins, base, "no response has an html_url");
    if (relative !== undefined)
      notes.push(
        `the addresses of some images have no host, such as ${shown(relative)}: they stay as they are, so that each client has to know the host.`,
      );
    const areOwn = media.total === 0 ? relative !== undefined : own === media.total;
    const media_url = areOwn
      ? `${base}/${MEDIA}`
      : choose("media_url", media, website, "no response has an image");
    const append_slash = slashes.total === 0 || choose("append_slash", slashes, "", "") === "true";
    return {
      site: { base_url: base, site_url: website, media_url, append_slash, owned_paths: [], ...languages },
      notes,
    };
  }

  return { count, elect, hasFiles: (): boolean => media.total > 0 };
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
