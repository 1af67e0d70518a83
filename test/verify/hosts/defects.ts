/** A change that an operator might make by mistake, and the check that must then fail. */
export interface Defect {
  name: string;
  fails: string;
  /** The file to change, below the served folder; by default the host's configuration. */
  published?: string;
  replace: readonly [from: RegExp | string, to: string];
  /** Whether checks that notice other defects have nothing to check any more. */
  hidesOthers?: boolean;
}

const HEADER = { name: "a header removed", fails: "page-cache-control" };
const LISTING = { name: "a listing left on", fails: "listing" };
const REWRITE = { name: "a rewrite dropped", fails: "page-status", hidesOthers: true };

const headerRemoved = (line: RegExp): Defect => ({ ...HEADER, replace: [line, ""] });

const listingLeftOn = (from: RegExp | string, to: string): Defect => ({ ...LISTING, replace: [from, to] });

const rewriteDropped = (from: RegExp | string, to = ""): Defect => ({ ...REWRITE, replace: [from, to] });

const publishedHeaderRemoved: Defect = {
  ...HEADER,
  published: "_headers",
  replace: [/^ *Cache-Control: .*\n/gm, ""],
};

/** Defects in the files that Cloudflare reads. It has no directory listings, so one defect is another body of the 404. */
const publishedDefects: readonly Defect[] = [
  publishedHeaderRemoved,
  {
    name: "another message in a 404",
    fails: "not-found-body",
    published: "api/v2/pages/404.html",
    replace: ["No Page matches", "Nothing matches"],
  },
  { ...REWRITE, published: "_redirects", replace: [/^.* 200\n/gm, ""] },
];

/** Defects of the files in a bucket: its server has no configuration, and its own text of a 404. */
const bucketDefects: readonly Defect[] = [
  publishedHeaderRemoved,
  {
    name: "another page in a page's place",
    fails: "page-id",
    published: "api/v2/pages/3/index.json",
    replace: ['{"id":3,', '{"id":4,'],
  },
];

/** By the name of a host, possible mistakes of operators, which `verify` must find. */
export const DEFECTS: Readonly<Record<string, readonly Defect[]>> = {
  nginx: [
    headerRemoved(/^ *add_header "Cache-Control" .*\n/gm),
    listingLeftOn("location / { try_files $uri =404; }", "location / { autoindex on; }"),
    rewriteDropped(/^ *rewrite \^ .*\n/gm),
  ],
  caddy: [
    headerRemoved(/^\t*Cache-Control .*\n/gm),
    listingLeftOn(/\n\t\tfile_server\n/g, "\n\t\tfile_server browse\n"),
    rewriteDropped(/^\t*rewrite @page .*\n/gm),
  ],
  apache: [
    headerRemoved(/^Header always set Cache-Control .*\n/gm),
    listingLeftOn(
      "Options None",
      "Options Indexes\n</Directory>\nLoadModule autoindex_module /usr/lib/apache2/modules/mod_autoindex.so\n<Directory />",
    ),
    rewriteDropped(/^RewriteRule .*\[PT,L\]\n/gm),
  ],
  lighttpd: [
    headerRemoved(/^ *"Cache-Control" => .*\n/gm),
    listingLeftOn(
      'else $HTTP["url"] =~ "/[^./]+/?$|',
      'else $HTTP["url"] =~ "/$" {\n  dir-listing.activate = "enable"\n}\nelse $HTTP["url"] =~ "/[^./]+/?$|',
    ),
    rewriteDropped(/^index-file\.names = .*\n/gm),
  ],
  serve: [
    headerRemoved(/\{\s*"key": "Cache-Control",\s*"value": "[^"]*"\s*\},/g),
    listingLeftOn('"directoryListing": false', '"directoryListing": true'),
    rewriteDropped('"source": "api/v2/pages/:id', '"source": "-/:id'),
  ],
  workers: publishedDefects,
  "workers-assets": publishedDefects,
  pages: publishedDefects,
  bucket: bucketDefects,
  "bucket-worker": bucketDefects,
};
