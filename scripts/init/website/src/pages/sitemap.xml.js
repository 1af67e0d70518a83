// All pages for search engines, each with its translations.
import { escaped, load } from "../site.mjs";
export async function GET({ site }) {
  const absolute = ({ href }) => escaped(new URL(href, site).href);
  const alternate = (entry) => `<xhtml:link rel="alternate" hreflang="${entry.locale}" href="${absolute(entry)}"/>`;
  const alternates = (entry) => (entry.translations.length > 0 ? [entry, ...entry.translations].map(alternate).join("") : "");
  const url = (entry) => `<url><loc>${absolute(entry)}</loc>${alternates(entry)}</url>`;
  const { pages } = await load();
  return new Response(`<?xml version="1.0" encoding="utf-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${Array.from(pages.values(), url).join("\n")}
</urlset>
`);
}
