import { h } from "../../browse/dom.js";
import type { Correction } from "../../findings/entry.ts";
import type { Placement } from "../../model/derive.ts";
import type { FieldFinding } from "../findings.ts";
import type { Field, FieldPath } from "../form/fields.ts";
import type { FormModel } from "../form/model.ts";
import type { Thing } from "../form/things.ts";
import { valueAt } from "../../source/json/object.ts";
import { pathText } from "../form/values.ts";
import { button, help, div } from "./parts.ts";
import type { EditorHost } from "./host.ts";

export type ShownFinding = Pick<FieldFinding, "path" | "severity" | "message" | "hint" | "correction">;

export interface PlacedControl {
  control: HTMLElement;
  box: HTMLElement;
  /** The ids of the other texts that describe the control. */
  describedBy: string;
  path?: FieldPath;
  focus: () => void;
  /** Carries out a correction of the value, as if the editor had typed it. */
  correct?: (correction: Correction) => void;
  destroy?: () => void;
}

/** A list in the form. */
export interface ListField {
  element: Field;
  /**
   * Writes values in place of a number of elements from an index on. The last one gets the focus.
   *
   * @param written the values as JSON that a person wrote
   */
  write: (index: number, values: readonly unknown[], replaced?: number, written?: readonly string[]) => void;
  /** Removes an element, which can come back. The focus goes to the one that follows it. */
  remove: (index: number) => void;
  /** Moves an element, at which the focus stays. */
  move: (from: number, to: number) => void;
  /** Removes an empty block. The text before it gets the focus, at its end. */
  join: (index: number) => void;
  /** Closes an element that was chosen from the things of the site, so that the next one can be added. */
  chosen: (index: number, thing: Thing) => void;
}

interface UnfinishedText {
  text: string;
  message: string;
}

interface Removal {
  path: FieldPath;
  name: string;
  value: unknown;
  written: string;
  /** The unfinished texts in it. */
  texts: ReadonlyMap<string, UnfinishedText>;
  /** What was removed inside of it before. */
  inside: readonly Removal[];
}

export class FormContext {
  readonly model: FormModel;
  readonly host: EditorHost;
  /** By path. */
  readonly placed = new Map<string, PlacedControl>();
  /** Texts in controls that are not valid values yet, such as broken JSON, with the reason; by path. */
  unfinished = new Map<string, UnfinishedText>();
  placement: Placement = { response: "", address: "", slug: "", parent: null };
  /** Whether each block of a list is expanded; by the path of the list. */
  readonly expanded = new Map<string, boolean[]>();
  /** By path. */
  readonly lists = new Map<string, ListField>();
  /** What was removed from the form and can come back, the last one at the end. */
  private removals: Removal[] = [];
  /** Functions that render a group or list again, by path. */
  readonly renderers = new Map<string, () => void>();
  /** Functions that show the picture and the name of a row again, by its path. */
  readonly rowNames = new Map<string, () => void>();
  /** The page types to choose from, in this order; undefined for all. */
  types: readonly string[] | undefined;
  onEdit: () => void = () => undefined;
  /** Called with each control that is placed. */
  onPlace: (placed: PlacedControl) => void = () => undefined;
  private findings: readonly ShownFinding[] = [];
  private readonly derivedViews = new Map<string, () => void>();

  constructor(model: FormModel, host: EditorHost) {
    this.model = model;
    this.host = host;
  }

  /** Whether a value cannot be changed: the id of an existing page. */
  isFixed(path: FieldPath): boolean {
    const { id } = this.model.before;
    return pathText(path) === "id" && Number.isSafeInteger(id) && Number(id) > 0;
  }

  /** @param written the value as JSON that a person wrote */
  set(path: FieldPath, value: unknown, written?: string): void {
    this.takeTexts(path);
    this.model.set(path, value, written);
    this.onEdit();
  }

  /** The value of an emptied field that may be null: it stays omitted if the opened source omits it. */
  none(path: FieldPath): null | undefined {
    return valueAt(this.model.before, path) === undefined ? undefined : null;
  }

  place(path: FieldPath, parts: FieldParts, control: HTMLElement, own: Partial<PlacedControl> = {}): void {
    const name = pathText(path);
    this.placed.get(name)?.destroy?.();
    control.dataset["path"] = name;
    const describedBy = parts.help?.id ?? "";
    const placed = { control, box: parts.box, describedBy, path, focus: () => control.focus(), ...own };
    this.placed.set(name, placed);
    // The box may show the findings of the control before.
    delete parts.box.dataset["findings"];
    showAt(placed, []);
    this.onPlace(placed);
  }

  /** Renders the controls below a path, now and after other code has changed their values. */
  rendering(path: FieldPath, render: () => void): void {
    const again = (): void => {
      this.forget(path);
      render();
    };
    this.renderers.set(pathText(path), again);
    again();
  }

  /** Renders the controls of a group again, and the names of the rows around it; with an empty path, those of the page. */
  renderAgain(path: FieldPath): void {
    this.renderers.get(pathText(path))?.();
    for (const length of path.keys()) this.rowNames.get(pathText(path.slice(0, length)))?.();
    this.showAgain();
  }

  /** Renders the controls around a path again. The focus stays at its field, if that is one of them. */
  renderAround(path: FieldPath): void {
    const { activeElement: before } = document;
    const name = before instanceof HTMLElement ? before.dataset["path"] : undefined;
    let around = path;
    while (around.length > 0 && !this.renderers.has(pathText(around))) around = around.slice(0, -1);
    this.renderAgain(around);
    if (before?.isConnected !== false || name === undefined) return;
    this.placed.get(name)?.focus();
    const [from, to] = [before, document.activeElement].map((one) => one as HTMLInputElement);
    if (typeof from?.selectionStart === "number")
      to?.setSelectionRange?.(from.selectionStart, from.selectionEnd);
  }

  /** Keeps a value that is removed now. Its path follows moves of what is around it. */
  keep(path: FieldPath, name: string): void {
    const { model } = this;
    const inside = this.removals.filter((one) => one.path.length > path.length && isIn(one.path, path));
    this.removals = this.removals.filter((one) => !inside.includes(one));
    const [value, written, texts] = [model.value(path), model.written(path), this.takeTexts(path)];
    this.removals.push({ path, name, value, written, texts, inside });
  }

  /** Removes the unfinished texts in a value. @returns them, by the rest of their paths */
  private takeTexts(path: FieldPath): Map<string, UnfinishedText> {
    const { length } = pathText(path);
    const inside = Array.from(this.unfinished).filter(([name]) => isTextIn(name, path));
    for (const [name] of inside) this.unfinished.delete(name);
    return new Map(inside.map(([name, text]) => [name.slice(length), text]));
  }

  /** Brings back what was removed last. @returns false if nothing was */
  undoRemoval(removal = this.removals.at(-1)): boolean {
    if (removal === undefined) return false;
    this.removals.splice(this.removals.indexOf(removal), 1);
    const { path, value, written, texts, inside } = removal;
    const list = this.lists.get(pathText(path.slice(0, -1)));
    if (list !== undefined) list.write(Number(path.at(-1)), [value], 0, [written]);
    else {
      this.set(path, value, written);
      this.renderAround(path);
      this.placed.get(pathText(path))?.focus();
    }
    for (const one of inside) this.removals.push({ ...one, path: [...path, ...one.path.slice(path.length)] });
    for (const [rest, text] of texts) this.unfinished.set(pathText(path) + rest, text);
    if (inside.length + texts.size > 0) this.renderAround(path);
    return true;
  }

  /** The last removal from a list or group, in words, with a button that takes it back. */
  removalIn(path: FieldPath): { index: number; note: HTMLElement } | undefined {
    const depth = (one: Removal): number => one.path.length - path.length;
    const removal = this.removals.findLast((one) => isIn(one.path, path) && depth(one) <= 1);
    if (removal === undefined) return undefined;
    const undo = button("Undo", () => this.undoRemoval(removal), { title: "Ctrl+Z or ⌘Z" });
    const text = h("span", { role: "status", dir: "auto" }, `${removal.name} was removed.`);
    return { index: Number(removal.path.at(-1)), note: div("removal", text, " ", undo) };
  }

  /** Forgets what was removed, because the form begins again. */
  forgetRemovals(): void {
    this.removals = [];
  }

  /** Follows a change of a list with the paths of what was removed in it, and of the unfinished texts. */
  moved(list: FieldPath, indexAfter: (index: number) => number): void {
    const { length } = list;
    for (const one of this.removals) {
      const index = one.path[length];
      if (typeof index === "number" && isIn(one.path, list))
        one.path = one.path.with(length, indexAfter(index));
    }
    const start = `${pathText(list)}.`;
    const after = (name: string): string =>
      name.startsWith(start)
        ? start + name.slice(start.length).replace(/^\d+/, (index) => String(indexAfter(Number(index))))
        : name;
    this.unfinished = new Map(Array.from(this.unfinished, ([name, text]) => [after(name), text]));
  }

  onDerive(path: FieldPath, update: () => void): void {
    this.derivedViews.set(pathText(path), update);
    update();
  }

  updateDerived(): void {
    for (const update of this.derivedViews.values()) update();
  }

  /** Forgets the controls below a path, before they are rendered again; without a path, all controls. */
  forget(path?: FieldPath): void {
    const prefix = path === undefined ? "" : `${pathText(path)}.`;
    const { placed, renderers, derivedViews, lists } = this;
    for (const [one, { destroy }] of placed) if (one.startsWith(prefix)) destroy?.();
    for (const map of [placed, renderers, derivedViews, lists])
      for (const one of map.keys()) if (one !== "" && one.startsWith(prefix)) map.delete(one);
  }

  /** The control that shows a finding: the one at its path, or the nearest group around it. */
  placeFor(path: string): PlacedControl | undefined {
    for (let at = path; at !== ""; at = at.includes(".") ? at.slice(0, at.lastIndexOf(".")) : "") {
      const found = this.placed.get(at);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Shows findings at their fields. @returns the findings that belong to no field */
  showFindings(findings: readonly ShownFinding[]): ShownFinding[] {
    this.findings = findings;
    return this.showAgain();
  }

  showAgain(): ShownFinding[] {
    const by = new Map<PlacedControl, ShownFinding[]>();
    const rest: ShownFinding[] = [];
    for (const one of this.findings) {
      const placed = this.placeFor(one.path);
      if (placed === undefined) rest.push(one);
      else by.set(placed, [...(by.get(placed) ?? []), one]);
    }
    for (const placed of this.placed.values()) showAt(placed, by.get(placed) ?? []);
    return rest;
  }
}

/** Whether the text of a path is that of another path, or leads into its value. */
const isTextIn = (name: string, path: FieldPath): boolean => `${name}.`.startsWith(`${pathText(path)}.`);

const isIn = (path: FieldPath, other: FieldPath): boolean =>
  pathText(path.slice(0, other.length)) === pathText(other);

/** The element of a finding, with its hint and, if the control can carry out its correction, a button for it. */
export function findingItem(finding: ShownFinding, placed?: PlacedControl): HTMLElement {
  const { path, severity, message, hint, correction } = finding;
  const { control, correct } = placed ?? {};
  const canCorrect = correct !== undefined && correction !== undefined && control?.dataset["path"] === path;
  return div(
    `field-finding is-${severity}`,
    h(
      "p",
      {},
      h("strong", {}, severity === "error" ? "Error" : "Warning"),
      " ",
      h("span", { dir: "auto" }, message),
    ),
    h("p", { class: "field-hint", dir: "auto" }, hint),
    canCorrect &&
      button("write" in correction ? "Use this" : "Remove this", () => correct(correction), {
        class: "correct",
        "aria-describedby": placed?.box.id,
      }),
  );
}

export function showAt(placed: PlacedControl, findings: readonly ShownFinding[]): void {
  const { control, box, describedBy } = placed;
  const key = findings.map(({ severity, message, hint }) => `${severity} ${message} ${hint}`).join("\n");
  if (box.dataset["findings"] === key) return;
  box.dataset["findings"] = key;
  const hadFocus = box.contains(document.activeElement);
  box.replaceChildren(...findings.map((finding) => findingItem(finding, placed)));
  if (hadFocus) placed.focus();
  control.ariaInvalid = findings.length === 0 ? null : "true";
  // A finding is shown: it opens the row, but not the section, which counts it.
  if (findings.length > 0) {
    control.closest(".is-empty:not(.is-list)")?.classList.remove("is-empty");
    const closed = "details:is(.row, .more-members)";
    for (let at = control.closest(closed); at; at = at.parentElement?.closest(closed) ?? null)
      at.setAttribute("open", "");
  }
  const ids = [describedBy, findings.length === 0 ? "" : box.id].filter((id) => id !== "").join(" ");
  if (ids === "") control.removeAttribute("aria-describedby");
  else control.setAttribute("aria-describedby", ids);
}

export const elementId = (path: FieldPath, part: string): string =>
  `edit-${part}-${pathText(path).replace(/[^\w-]/g, "-")}`;

export interface FieldParts {
  help: HTMLElement | undefined;
  box: HTMLElement;
}

export const fieldParts = (text: string, path: FieldPath): FieldParts => ({
  help: text === "" ? undefined : help(text, elementId(path, "help")),
  box: h("div", { class: "field-findings", id: elementId(path, "findings") }),
});
