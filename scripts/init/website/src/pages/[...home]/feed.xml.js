// What is new, in each language: an Atom feed.
import { below, escaped, homeAt, homePaths, own } from "../../site.mjs";
import { wordsOf } from "../../words.mjs";
export const getStaticPaths = homePaths;
export async function GET({ params, site }) {
  const home = await homeAt(params);
  const absolute = (href) => escaped(new URL(href, site).href);
  const head = ({ href, title, published }) =>
    `<title>${escaped(title)}</title><link href="${absolute(href)}"/><id>${absolute(href)}</id><updated>${new Date(published ?? 0).toISOString()}</updated>`;
  const pages = [home, ...below(home)].filter(({ published }) => published).sort((a, b) => Date.parse(b.published) - Date.parse(a.published));
  const entries = pages.slice(0, 20).map((entry) => `<entry>${head(entry)}<summary>${escaped(entry.summary)}</summary></entry>`);
  return new Response(`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${home.locale}">
${head({ ...home, title: `${home.title}: ${wordsOf(home.locale).news}`, published: pages[0]?.published })}
<link rel="self" href="${absolute(own(home, "feed.xml"))}"/><author><name>${escaped(home.title)}</name></author>
${entries.join("\n")}
</feed>
`);
}
