import { createHash } from "node:crypto";
import { respondList } from "../../build/hosting/lists.ts";
import { itemOf, type Item } from "../../build/model/item.ts";
import { programModel } from "../../build/model/program-model.ts";
import { fieldsOf, listedPage, printLists } from "../../build/outputs/website/lists.ts";
import { BLOCK, type Defect } from "./good-host.ts";
import { siteFor } from "./site.ts";

type Placed = Item & { meta: { parent: { id: number } | null } };

const pagesFor = (base: string): Placed[] => [...siteFor(base).values()] as unknown as Placed[];
const addressOf = ({ meta }: Placed): string => meta.html_url.slice("https://www.example.org".length);
const belowOf = (pages: Placed[], id: number): Item[] =>
  pages.filter(({ meta }) => meta.parent?.id === id).map((one) => itemOf(one));

/** A file for websites of the small site. */
function fileAt(path: string, pages: Placed[]): string | undefined {
  if (path === "/index/index.json")
    return JSON.stringify({ format: 1, pages: pages.length, digits: 1, root: 2, changed: null });
  const [, folder, name = ""] = /^\/index\/(pages|addresses)\/(\w+)\.json$/.exec(path) ?? [];
  const children = belowOf(pages, Number(name));
  if (folder === "pages")
    return children.length === 0
      ? undefined
      : `{"id":${name},"children":[\n${children.map((one) => JSON.stringify(one)).join(",\n")}\n]}\n`;
  if (folder !== "addresses") return undefined;
  const isOwn = (page: Placed) => createHash("sha256").update(addressOf(page)).digest("hex")[0] === name;
  return JSON.stringify(Object.fromEntries(pages.filter(isOwn).map((page) => [addressOf(page), page.id])));
}

/** A host with files for websites, and with a program that responds to lists; `defect` can change any response. */
export const withIndex =
  (defect: Defect = () => undefined): Defect =>
  async (draft, received, response) => {
    const { path, query, base } = received;
    const pages = pagesFor(base);
    const sorted = pages.toSorted((a, b) => a.id - b.id);
    const lists = printLists({
      root: 2,
      fields: fieldsOf(programModel),
      pages: sorted.map((page) => listedPage(page, { parent: page.meta.parent?.id ?? 0, position: 0 }, [])),
      large: {},
      above: {},
    });
    const read = (file: string): string | undefined => {
      const list = lists.get(file);
      if (list !== undefined) return list.toString();
      return fileAt(`/${file}`, pages);
    };
    const file = read(path.slice(1));
    const headers = { ...BLOCK, "Cache-Control": "no-store" };
    const list = await respondList(
      path + query,
      { ...BLOCK },
      {
        read: (name) => Promise.resolve(read(name)),
        page: (id) => {
          const found = pages.find((page) => page.id === id);
          return Promise.resolve(found && JSON.stringify(found));
        },
      },
    );
    if (file !== undefined) Object.assign(draft, { status: 200, headers, body: file });
    else if (list !== undefined) Object.assign(draft, { body: "", ...list });
    return defect(draft, received, response);
  };
