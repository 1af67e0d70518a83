import { readFileSync } from "node:fs";
import { join } from "node:path";
import { getCollection } from "astro:content";

const site = JSON.parse(readFileSync(join(process.env.BENCH_CONTENT, "_site.json"), "utf8"));
const end = site.append_slash === false ? "" : "/";

/** The slugs of a page and of its ancestors below the home page. */
function slugsOf(path) {
  const slugs = path.split("/").filter((name) => !name.startsWith("_"));
  const last = slugs.pop();
  return last === "index.json" ? slugs : [...slugs, last.slice(0, -".json".length)];
}

const detailUrl = (id) => `${site.base_url}/api/v2/pages/${id}/`;

const htmlUrl = (slugs) =>
  slugs.length === 0 ? `${site.site_url}/` : `${site.site_url}/${slugs.join("/")}${end}`;

export const getStaticPaths = async () => {
  const entries = await getCollection("pages");
  const pages = new Map(entries.map(({ id, data }) => [slugsOf(id).join("/"), data]));

  const summary = (slugs) => {
    const { id, meta, title } = pages.get(slugs.join("/"));
    return { id, meta: { type: meta.type, detail_url: detailUrl(id), html_url: htmlUrl(slugs) }, title };
  };

  return entries.map(({ id: path, data }) => {
    const slugs = slugsOf(path);
    const meta = {
      ...data.meta,
      detail_url: detailUrl(data.id),
      html_url: htmlUrl(slugs),
      slug: slugs.at(-1) ?? "home",
      parent: slugs.length === 0 ? null : summary(slugs.slice(0, -1)),
    };
    return { params: { id: String(data.id) }, props: { page: { ...data, meta } } };
  });
};

export const GET = ({ props }) => new Response(JSON.stringify(props.page));
