// What is new, in each language: an Atom feed.
import { below, escaped, homePaths, load, own, paramOf, summaryOf } from "../../site.mjs";
import { wordsOf } from "../../words.mjs";

export const getStaticPaths = homePaths;

export async function GET({ params, site }) {
  const { homes } = await load();
  const home = homes.find(({ path }) => paramOf(path) === params.home) ?? homes[0];
  const absolute = (href) => escaped(new URL(href, site).href);
  const pages = [home, ...below(home)].filter(({ published }) => published).sort((a, b) => Date.parse(b.published) - Date.parse(a.published));
  const updated = ({ published }) => `<updated>${new Date(published).toISOString()}</updated>`;
  const entries = pages.slice(0, 20).map(
    (entry) => `<entry><title>${escaped(entry.title)}</title><link href="${absolute(entry.href)}"/><id>${absolute(entry.href)}</id>
${updated(entry)}<summary>${escaped(summaryOf(entry))}</summary></entry>`,
  );
  return new Response(`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${home.locale}">
<title>${escaped(`${home.title}: ${wordsOf(home.locale).news}`)}</title><id>${absolute(home.href)}</id>
<link href="${absolute(home.href)}"/><link rel="self" href="${absolute(own(home, "feed.xml"))}"/>
<author><name>${escaped(home.title)}</name></author>${updated(pages[0] ?? { published: 0 })}
${entries.join("\n")}
</feed>
`);
}
