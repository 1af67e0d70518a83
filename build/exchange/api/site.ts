import { pathOf } from "../../base/api.ts";
import { endingOf, IMAGE_KINDS, MEDIA } from "../../source/image-kinds.ts";
import { formats } from "../../model/formats.ts";
import type { PageModel } from "../../model/page.ts";
import type { PageType } from "../../model/page-types.ts";
import type { Site } from "../../model/site.ts";
import { plural } from "../../base/numbers.ts";
import type { JsonObject } from "../../source/json/object.ts";
import { sourceReducer } from "./source.ts";
import { shown } from "./values.ts";

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
