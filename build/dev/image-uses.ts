import { setImmediate } from "node:timers/promises";
import type { LibraryImage } from "../editor/folder-store.ts";
import { labelAt } from "../editor/findings.ts";
import { mediaUrl, ownImage, ownImagesOf } from "../model/media.ts";
import type { PageModel } from "../model/page.ts";
import type { Site } from "../model/site.ts";
import { readSources } from "../source/read.ts";
import { findSources } from "../source/find.ts";
import { IMAGE_ENDINGS } from "../source/image-kinds.ts";
import { isObject, objectIn, valueAt, type JsonObject } from "../source/json/object.ts";

/* The pages that use the images in `_media/`, and the texts by which they describe them. */

/** An address of an image in a source, also inside of HTML. */
const ADDRESS = new RegExp(
  String.raw`(?:https?:/|(?<=["'\s,=]))/[^\s"'<>\\]+\.(?:${IMAGE_ENDINGS.join("|")})\b`,
  "gi",
);

/** Number of sources after which other requests are answered. */
const AT_ONCE = 500;

export async function imagesWithUses({
  content,
  paths,
  site,
  model,
}: {
  content: string;
  paths: readonly string[];
  site: Site | null;
  model: PageModel;
}): Promise<LibraryImage[]> {
  const library = new Map(
    paths.map((path): [string, LibraryImage] => [path, { path, pages: [], texts: [] }]),
  );
  const images = site === null ? undefined : ownImagesOf(site, []);
  if (site === null || images === undefined || paths.length === 0) return [...library.values()];
  const own = { ...site, images };
  const imageAt = (address: string): LibraryImage | undefined =>
    library.get(ownImage(mediaUrl(address, site), own) ?? "");
  let count = 0;
  for (const { file, bytes } of readSources(content, findSources(content).listing)) {
    if (++count % AT_ONCE === 0) await setImmediate();
    const text = bytes?.toString("utf8") ?? "";
    const used = new Set(Array.from(text.matchAll(ADDRESS), ([address]) => imageAt(address)));
    used.delete(undefined);
    if (used.size === 0) continue;
    const page = objectIn(text) ?? {};
    const title = typeof page["title"] === "string" ? page["title"] : "";
    for (const image of used) image?.pages.push({ file, id: Number(page["id"]), title });
    for (const [address, description] of descriptionsIn(page, model)) {
      const texts = imageAt(address)?.texts;
      if (description !== "" && texts?.includes(description) === false) texts.push(description);
    }
  }
  return [...library.values()];
}

/** The addresses of the images of a page, each with the text beside it. */
function* descriptionsIn(page: JsonObject, model: PageModel): Generator<[address: string, text: string]> {
  const type = valueAt(page, ["meta", "type"]);
  const list = model.has(type) ? model.of(type).pictures?.list : undefined;
  const waiting: [value: unknown, path: (string | number)[]][] = [[page, []]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [value, path] = next;
    if (typeof value === "string") {
      for (const [image] of value.matchAll(/<img\b[^>]*>/gi)) {
        const [address, text] = ["src", "alt"].map(
          (name) => new RegExp(`\\s${name}="([^"]*)"`, "i").exec(image)?.[1],
        );
        if (address !== undefined) yield [address, text ?? ""];
      }
      if (!new RegExp(ADDRESS.source, "i").test(` ${value}`)) continue;
      // The text of one of the page's images describes it in all sizes.
      const owner = path.slice(0, path[0] === list ? 2 : -1);
      const field = model.has(type) ? labelAt(model, type, page, owner.join(".")).field : undefined;
      const declared = field?.fields.find(({ name }) => name === path.at(-1))?.picture?.alt;
      const at =
        path.at(-1) === "download_url" ? [...path.slice(0, -2), "title"] : [...owner, declared ?? "alt_text"];
      const text = valueAt(page, at);
      if (typeof text === "string") yield [value, text];
    } else if (isObject(value) || Array.isArray(value))
      for (const [name, one] of Object.entries(value))
        waiting.push([one, [...path, Array.isArray(value) ? Number(name) : name]]);
  }
}
