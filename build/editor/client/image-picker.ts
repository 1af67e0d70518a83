import { h, pageHref, plural } from "../../browse/dom.js";
import type { View } from "../../browse/view.js";
import {
  IMAGE_ENDINGS,
  IMAGE_HEAD_BYTES,
  kindOf,
  MAX_IMAGE_BYTES,
  type ImageSize,
} from "../../source/image-kinds.ts";
import { addressKey } from "../../browse/words.js";
import { encodedPath, hasImages, mediaPath, writtenAs } from "../../model/media.ts";
import { inWords } from "../../model/names.ts";
import { isObject, type JsonObject } from "../../source/json/object.ts";
import { labelAt } from "../findings.ts";
import type { Field, FieldPath } from "../form/fields.ts";
import { suggestedSlug } from "../form/place.ts";
import { addressIn, pathText } from "../form/values.ts";
import type { LibraryImage } from "../folder-store.ts";
import { StoreFailure } from "../store.ts";
import type { FormContext } from "./context.ts";
import { failureText } from "./form-parts.ts";
import { hasLoadedImages, type EditorHost } from "./host.ts";
import { button, checkboxOf, div, help, labelled, listOf, openDialog } from "./parts.ts";

const MAX_SHOWN = 60;
/** Maximum milliseconds that an added image waits for the build that publishes it. */
const MAX_BUILD_MS = 3000;

interface PickedImage {
  /** Relative to `_media/`. */
  path: string;
  /** Undefined if the image cannot be loaded. */
  size: ImageSize | undefined;
  /** Empty if it was not asked for. */
  alt: string;
}

/**
 * Lets the editor choose the picture at an address, or adds the given file as it. What belongs to the picture is filled in
 * from it: the members that are declared, those of an image of Wagtail's, or those of the page's images.
 */
export async function takePicture(context: FormContext, path: FieldPath, file?: File): Promise<void> {
  const { host } = context;
  const name = pathText(path);
  const say = (text: string): void => {
    const box = document.querySelector(`[data-said="${CSS.escape(name)}"]`);
    box?.replaceChildren(text, ...(text.endsWith("…") ? [" ", h("progress", { "aria-label": text })] : []));
  };
  const target = targetAt(context, path);
  try {
    const picked =
      file === undefined
        ? await pickImage(host, target.hasText)
        : await addImage(host, file, await host.latestImages(), say);
    if (picked === undefined || !(await hasLoadedImages(host, host.images))) return;
    const { site } = host;
    if (site === undefined || !hasImages(site)) return;
    const { owner, membersOf } = target;
    const value = context.model.value(owner);
    const former = isObject(value) ? value : {};
    const members = membersOf(picked, writtenAs(picked.path, "/", site), site.images.base, former);
    if (owner.length < path.length) context.model.set(owner, merged(former, members));
    else context.model.set(path, members["address"]);
    context.renderAround(owner);
    say(file === undefined ? "" : `${picked.path} is added.`);
    context.onEdit();
    if (document.activeElement === document.body)
      document
        .querySelector<HTMLElement>(`[data-said="${CSS.escape(name)}"]`)
        ?.parentElement?.querySelector("button")
        ?.focus();
  } catch (cause) {
    say(cause instanceof DOMException ? NO_IMAGE : failureText(cause));
  }
}

const merged = (one: JsonObject, other: JsonObject): JsonObject => ({
  ...one,
  ...Object.fromEntries(
    Object.entries(other).map(([name, value]) => {
      const former = one[name];
      return [name, isObject(value) && isObject(former) ? { ...former, ...value } : value];
    }),
  ),
});

interface PictureTarget {
  /** The object that the picture belongs to; the address itself, if there is none. */
  owner: FieldPath;
  hasText: boolean;
  membersOf: (picked: PickedImage, address: string, base: string, former: JsonObject) => JsonObject;
}

function targetAt({ host, model }: FormContext, path: FieldPath): PictureTarget {
  const { pictures } = host.pages.of(model.type);
  const [list, index] = path;
  if (list !== undefined && list === pictures?.list && typeof index === "number")
    return {
      owner: [list, index],
      hasText: true,
      membersOf: ({ path: file, size = { width: 0, height: 0 }, alt }, address, base, former) =>
        size.width === 0
          ? { default_url: address }
          : pictures.fieldsOf({ address, url: base + encodedPath(file), ...size, alt }, former),
    };
  const fieldAt = (steps: number): Field | undefined =>
    labelAt(model.pages, model.type, model.page, pathText(path.slice(0, path.length - steps))).field;
  const own =
    path.length > 1 ? fieldAt(1)?.fields.find(({ name }) => name === path.at(-1))?.picture : undefined;
  if (own !== undefined) {
    const { width, height, ratio, alt: text } = own;
    return {
      owner: path.slice(0, -1),
      hasText: text !== undefined,
      membersOf: ({ size, alt }, address) => ({
        [String(path.at(-1))]: address,
        ...(text !== undefined && { [text]: alt }),
        ...(width !== undefined && { [width]: size?.width ?? null }),
        ...(height !== undefined && { [height]: size?.height ?? null }),
        ...(ratio !== undefined && size && { [ratio]: Math.round((1000 * size.height) / size.width) / 1000 }),
      }),
    };
  }
  const image = path.length > 2 && path.at(-1) === "download_url" ? fieldAt(2) : undefined;
  if (image !== undefined && addressIn(image) !== undefined)
    return {
      owner: path.slice(0, -2),
      hasText: true,
      membersOf: ({ path: file, alt }, address, base) => ({
        id: idOf(file),
        meta: { type: "wagtailimages.Image", detail_url: base + encodedPath(file), download_url: address },
        title: alt || inWords(file.replace(/^.*\/|\.[^.]*$/g, "").replaceAll(/[^\p{L}\p{N}]+/gu, "_")),
      }),
    };
  return { owner: path, hasText: false, membersOf: (_, address) => ({ address }) };
}

/** The same number for the same image: images in `_media/` have none of Wagtail's. */
const idOf = (path: string): number => (addressKey(new TextEncoder().encode(path)) % 2 ** 31) + 1;

const NO_IMAGE = "The file is not an image that a browser shows.";

/** Adds a file to the site's images. @param taken the paths that other images have */
async function addImage(host: EditorHost, file: File, taken: readonly string[], say: (text: string) => void) {
  say(`Adding ${file.name}…`);
  const { ending, name } = kindOf(new Uint8Array(await file.slice(0, IMAGE_HEAD_BYTES).arrayBuffer()));
  if (ending === undefined) throw new StoreFailure(`${file.name} is ${name}.`);
  if (file.size > MAX_IMAGE_BYTES)
    throw new StoreFailure(`${file.name} is larger than ${MAX_IMAGE_BYTES / 2 ** 20} MiB. Make it smaller.`);
  const picture = await createImageBitmap(file);
  const path = freePath(file.name, ending, taken);
  const isBuilt = new Promise((resolve) => {
    document.addEventListener("rebuilt", resolve, { once: true });
    setTimeout(resolve, host.store.kind === "folder" ? MAX_BUILD_MS : 0);
  });
  await host.store.addImage(path, await base64Of(file));
  // From then on, the browser can show it.
  await isBuilt;
  const { width, height } = picture;
  const canvas = h("canvas", { width: String(width), height: String(height) });
  canvas.getContext("2d")?.drawImage(picture, 0, 0);
  return { path, size: { width, height }, alt: "", canvas };
}

function freePath(name: string, ending: string, paths: readonly string[]): string {
  const slug = suggestedSlug(name.replace(/\.[^.]*$/, "")) || "image";
  const taken = new Set(paths.map((path) => path.toLowerCase()));
  for (let n = 1; ; n++) {
    const path = `${slug}${n === 1 ? "" : `-${n}`}.${ending}`;
    if (!taken.has(path)) return path;
  }
}

/**
 * The list of the site's images, with where each is used, in a preview.
 *
 * @param onFile called with a file to add, and the paths that other images have
 */
function imageList(
  host: EditorHost,
  tile: (path: string, image: HTMLImageElement, use: LibraryImage | undefined) => Node,
  onFile: (file: File, taken: readonly string[]) => Promise<void>,
) {
  let paths: readonly string[] = [];
  let uses = new Map<string, LibraryImage>();
  const status = h("p", { class: "form-status", role: "status" });
  const grid = h("ul", { class: "image-grid", "aria-label": "Images" });
  const say = (text: string): void => {
    status.textContent = text;
  };
  const show = (): void => {
    const words = search.value.toLowerCase().split(/\s+/);
    const found = paths.filter((path) => {
      const { pages = [], texts = [] } = uses.get(path) ?? {};
      const text = [path, ...texts, ...pages.map(({ title }) => title)].join(" ").toLowerCase();
      return words.every((word) => text.includes(word)) && !(unused.checked && pages.length > 0);
    });
    const rest = found.length - MAX_SHOWN;
    grid.replaceChildren(
      ...found.slice(0, MAX_SHOWN).map((path) => {
        const image = h("img", { alt: "", src: mediaPath(path), loading: "lazy" });
        return h("li", {}, tile(path, image, uses.get(path)));
      }),
    );
    say(found.length === 0 ? "No such image." : rest > 0 ? `and ${rest} more: search for them` : "");
  };
  const load = async (): Promise<void> => {
    try {
      paths = [...(await host.latestImages())].sort();
      show();
      const library = (await host.folder?.library()) ?? [];
      uses = new Map(library.map((one) => [one.path, one]));
      if (library.length > 0) show();
    } catch (cause) {
      say(failureText(cause));
    }
  };
  const take = async (file: File | undefined): Promise<void> => {
    try {
      if (file !== undefined) await onFile(file, paths);
    } catch (cause) {
      say(cause instanceof DOMException ? NO_IMAGE : failureText(cause));
    }
  };
  const search = h("input", { type: "search", id: "image-search", autocomplete: "off", input: show });
  const unused = h("input", { type: "checkbox", id: "image-unused", change: show });
  const filter = checkboxOf(unused, "Only images that nothing uses");
  filter.hidden = host.folder === undefined;
  const file: HTMLInputElement = h("input", {
    type: "file",
    id: "image-file",
    accept: IMAGE_ENDINGS.map((ending) => `.${ending}`).join(),
    change: () => take(file.files?.[0]),
  });
  const element = h(
    "div",
    {
      class: "editor",
      dragover: (event) => event.preventDefault(),
      drop: (event) => {
        event.preventDefault();
        void take((event as DragEvent).dataTransfer?.files[0]);
      },
    },
    labelled("Find an image", search),
    filter,
    grid,
    labelled("Add an image: drop a file here, or choose one", file),
    status,
  );
  return { element, load, say };
}

/** Maximum number of pages that are listed with an image. */
const MAX_PAGES = 5;

/** The view of all images. */
export async function imagesPage(host: EditorHost): Promise<View> {
  const list = imageList(host, imageView, async (file, taken) => {
    const { path } = await addImage(host, file, taken, list.say);
    await list.load();
    list.say(`${path} is added.`);
  });
  await list.load();
  const box = div("editor changes-page images-page", h("h1", { tabindex: "-1" }, "Images"), list.element);
  return { title: "Images", nodes: [box] };
}

function imageView(path: string, image: HTMLImageElement, use: LibraryImage | undefined): HTMLElement {
  const { pages = [], texts = [] } = use ?? {};
  const links = pages.map(({ id, title }) =>
    h("li", {}, h("a", { href: pageHref(id), dir: "auto" }, title || "Untitled")),
  );
  const alt = texts.length === 0 && pages.length > 0 ? ["No alternative text"] : texts;
  return div(
    "library-image",
    h("a", { href: mediaPath(path), target: "_blank", "aria-label": path }, image),
    h("strong", {}, path),
    ...alt.map((text) => h("span", { dir: "auto" }, text)),
    use === undefined || pages.length > 0
      ? listOf({ "aria-label": `Pages with ${path}` }, links, MAX_PAGES)
      : h("span", { class: "aside" }, "Nothing uses it"),
  );
}

/** Lets the editor choose one of the site's images, or add one. @param asksAlt whether to ask for its description */
function pickImage(host: EditorHost, asksAlt: boolean): Promise<PickedImage | undefined> {
  let picked: PickedImage | undefined;
  const end = (one: PickedImage): void => {
    picked = one;
    dialog.close();
  };
  const pick = (path: string, size: ImageSize | undefined, image: HTMLElement, known = ""): void => {
    const chosen = { path, size: size && { width: size.width, height: size.height }, alt: "" };
    if (!asksAlt) {
      end(chosen);
      return;
    }
    const alt = h("textarea", { id: "image-alt", rows: "2" });
    alt.value = known;
    list.element.replaceChildren(
      div("picked-image", image),
      labelled("Alternative text", alt, help("A description of the image, for people who cannot see it.")),
      button("Use this image", () => end({ ...chosen, alt: alt.value.trim() }), { class: "primary" }),
    );
    alt.focus();
  };
  const list = imageList(
    host,
    (path, image, use) => {
      const choose = async (): Promise<void> => pick(path, await sizeOf(image), image, use?.texts[0]);
      const count = use?.pages.length ?? 0;
      const said = use && h("small", {}, count === 0 ? "Not used" : `On ${plural(count, "page")}`);
      return h("button", { type: "button", click: choose }, image, h("span", {}, path), said);
    },
    async (file, taken) => {
      const { path, size, canvas } = await addImage(host, file, taken, list.say);
      pick(path, size, canvas);
    },
  );
  const content = [h("h2", {}, "Choose an image"), list.element];
  const cancel = h("button", {}, "Cancel");
  const dialog = openDialog("Choose an image", "review page-actions", content, cancel);
  void list.load();
  return new Promise((resolve) => dialog.addEventListener("close", () => resolve(picked)));
}

async function sizeOf(image: HTMLImageElement): Promise<ImageSize | undefined> {
  await image.decode().catch(() => undefined);
  const { naturalWidth: width, naturalHeight: height } = image;
  return width === 0 ? undefined : { width, height };
}

export async function base64Of(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000)
    text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}
