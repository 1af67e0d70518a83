import { record } from "../../browse/client/data.js";
import type { PageType } from "../../page/page-types.ts";
import { findingsOf, type FieldFinding } from "../findings.ts";
import type { FormContext, ShownFinding } from "./context.ts";
import type { EditorHost } from "./host.ts";
import { hasLoadedImages, suggestImages } from "./images.ts";
import type { FieldsView } from "./fields-view.ts";
import type { PlaceView } from "./place.ts";

interface FindingsOptions {
  context: FormContext;
  place: PlaceView | undefined;
  fields: FieldsView;
  /** The source file, or the file that a new page would get if it were not below another. */
  file: () => string;
  isEdited: () => boolean;
}

/** The findings of a form, at its fields and counted in the list of sections. */
export class FormFindings {
  private readonly options: FindingsOptions;
  private hasLatestImages = false;
  /** Whether a new page also shows mistakes in fields that the editor has not touched: once it was to be saved. */
  private isAll = false;
  /** The paths of controls that were changed, or that had the focus. */
  private readonly touched = new Set<string>();
  /** The types of pages that the page refers to, by id; undefined until they are known. */
  private readonly types = new Map<number, PageType | undefined>();

  constructor(options: FindingsOptions) {
    this.options = options;
  }

  show(): readonly ShownFinding[] {
    const { context, place, isEdited } = this.options;
    const unfinished = Array.from(context.unfinished, ([path, { message }]): ShownFinding => ({
      path,
      severity: "error",
      message,
      hint: "Write JSON here, or empty the field.",
    }));
    const found = this.ofPage();
    const ofTouched =
      place === undefined || this.isAll ? found : found.filter((one) => isEdited() && this.isTouched(one));
    const findings = [...(place?.findings ?? []), ...unfinished, ...ofTouched];
    const rest = context.showFindings(findings);
    const none =
      ofTouched.length === found.length
        ? "No findings."
        : isEdited()
          ? "No findings so far."
          : "Nothing entered yet.";
    this.options.fields.showFindings(findings, rest, none);
    context.updateDerived();
    return findings;
  }

  /** Marks fields of a form as touched when they are changed, or lose the focus. */
  follow(form: HTMLFormElement): void {
    // A new finding would move what is being pressed away from the pointer.
    let released = Promise.resolve();
    form.addEventListener("pointerdown", () => {
      released = new Promise((resolve) => {
        for (const end of ["pointerup", "pointercancel"])
          addEventListener(end, () => setTimeout(resolve), { once: true });
      });
    });
    for (const event of ["input", "change", "focusout"] as const)
      form.addEventListener(event, ({ target }) => {
        const field = target instanceof Element ? target.closest("[data-path]") : null;
        const path = field?.getAttribute("data-path") ?? "";
        if (path === "" || this.touched.has(path)) return;
        this.touched.add(path);
        if (event === "focusout") void released.then(() => this.show());
      });
  }

  showAll(): readonly ShownFinding[] {
    this.isAll = true;
    return this.show();
  }

  begin(): void {
    this.isAll = false;
    this.touched.clear();
  }

  private isTouched({ path }: Pick<ShownFinding, "path">): boolean {
    const shown = this.options.context.placeFor(path)?.control.getAttribute("data-path") ?? "";
    return [...this.touched].some((one) => one === shown || one.startsWith(`${shown}.`));
  }

  goTo({ path }: Pick<ShownFinding, "path">): void {
    const placed = this.options.context.placeFor(path);
    if (placed === undefined) return;
    this.options.fields.reveal(placed.control);
    placed.focus();
    placed.control.scrollIntoView({ block: "center" });
  }

  async loadImages(list: EditorHost["images"]): Promise<void> {
    const { context } = this.options;
    if (!(await hasLoadedImages(context.host, list))) return;
    suggestImages(context);
    this.show();
  }

  rebuilt(): void {
    this.types.clear();
    void this.loadImages(this.options.context.host.images);
    this.show();
  }

  private typeOf(id: number): PageType | undefined {
    if (!this.types.has(id)) {
      this.types.set(id, undefined);
      const known = (type: PageType | undefined): void => {
        this.types.set(id, type);
        if (type !== undefined) this.show();
      };
      // Without the lists of the site, the next build reports it.
      void record(id).then(
        (page) => known(page?.type),
        () => undefined,
      );
    }
    return this.types.get(id);
  }

  /** The findings of the rules of one page. If an image seems to be missing, it may be newer than the list. */
  private ofPage(): readonly FieldFinding[] {
    const { context, place, file } = this.options;
    const { model, host } = context;
    const typeOf = (id: number): PageType | undefined => this.typeOf(id);
    const found = findingsOf(model.pages, file(), model.text, host.site, place?.state.isDraft, typeOf);
    if (!this.hasLatestImages && found.some(({ code }) => code === "media-missing")) {
      this.hasLatestImages = true;
      void this.loadImages(host.latestImages);
    }
    return found;
  }
}
