import { h } from "../../browse/dom.js";
import {
  IMAGE_ENDINGS,
  IMAGE_HEAD_BYTES,
  kindOf,
  MAX_IMAGE_BYTES,
  type ImageSize,
} from "../../source/image-kinds.ts";
import { mediaPath } from "../../model/media.ts";
import { suggestedSlug } from "../form/place.ts";
import { StoreFailure } from "../store.ts";
import { failureText } from "./form-parts.ts";
import type { EditorHost } from "./host.ts";
import { button, div, help, labelled, openDialog } from "./parts.ts";

const MAX_SHOWN = 60;

export interface PickedImage {
  /** Relative to `_media/`. */
  path: string;
  /** Undefined if the image cannot be loaded. */
  size: ImageSize | undefined;
  /** Empty if it was not asked for. */
  alt: string;
}

/** Lets the editor choose one of the site's images, or add one. @param asksAlt whether to ask for its description */
export function pickImage(host: EditorHost, asksAlt: boolean): Promise<PickedImage | undefined> {
  return new Promise((resolve) => void new ImagePicker(host, asksAlt, resolve).load());
}

class ImagePicker {
  private readonly host: EditorHost;
  private readonly asksAlt: boolean;
  private picked: PickedImage | undefined;
  private paths: readonly string[] = [];
  private readonly status = h("p", { class: "form-status", role: "status" });
  private readonly grid = h("ul", { class: "image-grid", "aria-label": "Images" });
  private readonly search = h("input", {
    type: "search",
    id: "image-search",
    autocomplete: "off",
    input: () => this.show(),
  });
  private readonly file = h("input", {
    type: "file",
    id: "image-file",
    accept: IMAGE_ENDINGS.map((ending) => `.${ending}`).join(),
    change: () => void this.add(this.file.files?.[0]),
  });
  private readonly body = div(
    "editor",
    labelled("Find an image", this.search),
    this.grid,
    labelled("Add an image: drop a file here, or choose one", this.file),
    this.status,
  );
  private readonly dialog = openDialog(
    {
      class: "confirmation review",
      "aria-label": "Choose an image",
      dragover: (event) => event.preventDefault(),
      drop: (event) => {
        event.preventDefault();
        void this.add((event as DragEvent).dataTransfer?.files[0]);
      },
    },
    h("h2", {}, "Choose an image"),
    this.body,
    div(
      "element-buttons",
      button("Cancel", () => this.dialog.close()),
    ),
  );

  constructor(host: EditorHost, asksAlt: boolean, done: (picked: PickedImage | undefined) => void) {
    this.host = host;
    this.asksAlt = asksAlt;
    this.dialog.addEventListener("close", () => done(this.picked));
  }

  async load(): Promise<void> {
    try {
      this.paths = [...(await this.host.latestImages())].sort();
      this.show();
    } catch (cause) {
      this.status.textContent = failureText(cause);
    }
  }

  private show(): void {
    const words = this.search.value.toLowerCase().split(/\s+/);
    const found = this.paths.filter((path) => words.every((word) => path.toLowerCase().includes(word)));
    const rest = found.length - MAX_SHOWN;
    this.grid.replaceChildren(
      ...found.slice(0, MAX_SHOWN).map((path) => {
        const image = h("img", { alt: "", src: mediaPath(path), loading: "lazy" });
        const pick = async (): Promise<void> => this.pick(path, await sizeOf(image), image);
        return h("li", {}, h("button", { type: "button", click: pick }, image, h("span", {}, path)));
      }),
    );
    this.status.textContent =
      found.length === 0 ? "No image has this name." : rest > 0 ? `and ${rest} more: search for them` : "";
  }

  private async add(file: File | undefined): Promise<void> {
    if (file === undefined) return;
    this.status.textContent = "Adding…";
    try {
      const { ending, name } = kindOf(new Uint8Array(await file.slice(0, IMAGE_HEAD_BYTES).arrayBuffer()));
      if (ending === undefined) throw new StoreFailure(`${file.name} is ${name}.`);
      if (file.size > MAX_IMAGE_BYTES)
        throw new StoreFailure(
          `${file.name} is larger than ${MAX_IMAGE_BYTES / 2 ** 20} MiB. Make it smaller.`,
        );
      const picture = await createImageBitmap(file);
      const path = this.freePath(file.name, ending);
      await this.host.store.addImage(path, await base64Of(file));
      const canvas = h("canvas", { width: String(picture.width), height: String(picture.height) });
      canvas.getContext("2d")?.drawImage(picture, 0, 0);
      this.pick(path, picture, canvas);
    } catch (cause) {
      this.status.textContent =
        cause instanceof DOMException ? "The file is not an image that a browser shows." : failureText(cause);
    }
  }

  private freePath(name: string, ending: string): string {
    const slug = suggestedSlug(name.replace(/\.[^.]*$/, "")) || "image";
    const taken = new Set(this.paths.map((path) => path.toLowerCase()));
    for (let n = 1; ; n++) {
      const path = `${slug}${n === 1 ? "" : `-${n}`}.${ending}`;
      if (!taken.has(path)) return path;
    }
  }

  private pick(path: string, size: ImageSize | undefined, image: HTMLElement): void {
    const picked = { path, size: size && { width: size.width, height: size.height }, alt: "" };
    const end = (alt: string): void => {
      this.picked = { ...picked, alt };
      this.dialog.close();
    };
    if (!this.asksAlt) {
      end("");
      return;
    }
    const alt = h("textarea", { id: "image-alt", rows: "2" });
    this.body.replaceChildren(
      div("picked-image", image),
      labelled("Alternative text", alt, help("A description of the image, for people who cannot see it.")),
      button("Use this image", () => end(alt.value.trim()), { class: "primary" }),
    );
    alt.focus();
  }
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
