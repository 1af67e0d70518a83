import { expect, it } from "vitest";
import { ownOriginLength } from "../../build/model/tree.ts";
import { site } from "../response/place.ts";

const OWN: [href: string, siteUrl?: string][] = [
  ["https://www.example.org/visit/"],
  ["http://www.example.org/visit/"],
  ["HTTPS://WWW.Example.ORG/visit/"],
  ["https://example.org/visit/"],
  ["https://www.example.org:443/visit/"],
  ["http://www.example.org:80/visit/"],
  ["https://www.example.org./visit/"],
  ["https://www.example.org/visit/", "https://example.org"],
  ["https://www.example.org/visit/", "http://www.example.org/museum"],
  ["http://localhost:8000/visit/", "http://localhost:8000"],
  ["/visit/"],
];

it.each(OWN)(
  "%s leads to the website %s, whatever the spelling of its host",
  (href, siteUrl = site.site_url) => {
    const length = ownOriginLength(href, { ...site, site_url: siteUrl });
    expect(length === undefined ? undefined : href.slice(length)).toBe("/visit/");
  },
);

it.each(
  "https://shop.example.org/visit/ https://www.example.org:8443/visit/ https://www.example.org.example/visit/ https://example.com/visit/ https://www.example.org@elsewhere.example/visit/ //www.example.org/visit/ mailto:a@www.example.org ftp://www.example.org/visit/ #visit visit/".split(
    " ",
  ),
)("%s does not lead to the website by itself", (href) => {
  expect(ownOriginLength(href, site)).toBeUndefined();
});
