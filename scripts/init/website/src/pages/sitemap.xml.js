// All pages for search engines, each with its translations.
import { escaped, load, translationsOf } from "../site.mjs";

export async function GET({ site }) {
  const all = await load();
  const absolute = (href) => escaped(new URL(href, site).href);
  const urls = [...all.pages.values()].map((entry) => {
    const others = translationsOf(entry, all);
    const links = others.length === 0 ? [] : [entry, ...others].map(({ locale, href }) => `<xhtml:link rel="alternate" hreflang="${locale}" href="${absolute(href)}"/>`);
    return `<url><loc>${absolute(entry.href)}</loc>${links.join("")}</url>`;
  });
  return new Response(`<?xml version="1.0" encoding="utf-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${urls.join("\n")}
</urlset>
`);
}
