/** A change that an operator might make by mistake, and the check that must then fail. */
export interface Defect {
  name: string;
  fails: string;
  /** The file that is changed, below the folder that is served; the host's configuration where left out. */
  published?: string;
  /** What is replaced in the file, and by what. */
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

/** Of the files that Cloudflare reads. It has no listings; the body of its 404 is another one instead. */
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
