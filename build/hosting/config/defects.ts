/** A change that an operator might make by mistake, and the check that must then fail. */
export interface Defect {
  name: string;
  fails: string;
  /** The file to change, below the served folder; by default the host's configuration. */
  published?: string;
  replace: readonly [from: RegExp | string, to: string];
}

const HEADER = { name: "a header removed", fails: "page-cache-control" };
const LISTING = { name: "a listing left on", fails: "listing" };
const REWRITE = { name: "a rewrite dropped", fails: "page-status" };

export const headerRemoved = (line: RegExp): Defect => ({ ...HEADER, replace: [line, ""] });

export const listingLeftOn = (from: RegExp | string, to: string): Defect => ({
  ...LISTING,
  replace: [from, to],
});

export const rewriteDropped = (from: RegExp | string, to = ""): Defect => ({
  ...REWRITE,
  replace: [from, to],
});

export const publishedHeaderRemoved: Defect = {
  ...HEADER,
  published: "_headers",
  replace: [/^ *Cache-Control: .*\n/gm, ""],
};

/** Defects in the files that Cloudflare reads. It has no directory listings, so one defect is another body of the 404. */
export const publishedDefects: readonly Defect[] = [
  publishedHeaderRemoved,
  {
    name: "another message in a 404",
    fails: "not-found-body",
    published: "api/v2/pages/404.html",
    replace: ["No Page matches", "Nothing matches"],
  },
  { ...REWRITE, published: "_redirects", replace: [/^.* 200\n/gm, ""] },
];
