import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Served } from "../../build/hosts/prove.ts";
import type { CheckName } from "../../build/verify/verify.ts";

/** Something that an operator might break, and the check that must fail then. */
export interface Defect {
  name: string;
  fails: CheckName;
  plant: (served: Served) => void;
}

/** @throws where there is nothing to change: a defect that was not planted proves nothing. */
function change(file: string, from: RegExp | string, to: string): void {
  const text = readFileSync(file, "utf8");
  const changed = text.replaceAll(from, to);
  if (changed === text) throw new Error(`${String(from)} is not in ${file}`);
  writeFileSync(file, changed);
}

const configured =
  (from: RegExp | string, to: string) =>
  ({ configuration }: Served): void =>
    change(configuration ?? "", from, to);

const HEADER = "a header removed";
const LISTING = "a listing left on";
const REWRITE = "a rewrite dropped";

const header = (line: RegExp): Defect => ({
  name: HEADER,
  fails: "page-cache-control",
  plant: configured(line, ""),
});

const rewrite = (line: RegExp): Defect => ({
  name: REWRITE,
  fails: "page-status",
  plant: configured(line, ""),
});

const listing = (from: RegExp | string, to: string): Defect => ({
  name: LISTING,
  fails: "listing",
  plant: configured(from, to),
});

/** Cloudflare has no listings; what is left out instead is the body of its 404. */
const published: Defect[] = [
  {
    name: HEADER,
    fails: "page-cache-control",
    plant: ({ root }) => change(join(root, "_headers"), /^ *Cache-Control: .*\n/gm, ""),
  },
  {
    name: "the page of the 404 left out",
    fails: "not-found-body",
    plant: ({ root }) => rmSync(join(root, "api/v2/pages/404.html")),
  },
  {
    name: REWRITE,
    fails: "page-status",
    plant: ({ root }) => change(join(root, "_redirects"), /^.* 200\n/gm, ""),
  },
];

/** By the name of the host. */
export const defects: Record<string, Defect[]> = {
  nginx: [
    header(/^ *add_header "Cache-Control" .*\n/gm),
    listing("location / { try_files $uri =404; }", "location / { autoindex on; }"),
    rewrite(/^ *rewrite \^ .*\n/gm),
  ],
  Caddy: [
    header(/^\t*Cache-Control .*\n/gm),
    listing(/\n\t\tfile_server\n/g, "\n\t\tfile_server browse\n"),
    rewrite(/^\t*rewrite @page .*\n/gm),
  ],
  Apache: [
    header(/^Header always set Cache-Control .*\n/gm),
    listing(
      "Options None",
      "Options Indexes\n</Directory>\nLoadModule autoindex_module /usr/lib/apache2/modules/mod_autoindex.so\n<Directory />",
    ),
    rewrite(/^RewriteRule .*\[PT,L\]\n/gm),
  ],
  lighttpd: [
    header(/^ *"Cache-Control" => .*\n/gm),
    listing(/^server\.tag = .*\n/gm, 'dir-listing.activate = "enable"\n'),
    rewrite(/^index-file\.names = .*\n/gm),
  ],
  serve: [
    header(/\{\s*"key": "Cache-Control",\s*"value": "[^"]*"\s*\},/g),
    listing('"directoryListing": false', '"directoryListing": true'),
    {
      name: REWRITE,
      fails: "page-status",
      plant: configured('"source": "api/v2/pages/:id', '"source": "-/:id'),
    },
  ],
  Workers: published,
  "Workers, no Worker": published,
  Pages: published,
};
