import { isObject, type JsonObject } from "../../source/json/object.ts";
import type { SourceOperation } from "../../source/json/edit.ts";
import { FormModel, pageOf } from "../form/model.ts";
import { shownText } from "../form/values.ts";
import type { PlaceState } from "./place.ts";
import type { PageModel } from "../../model/page.ts";

export interface OpenedPage {
  id: number;
  /** The source file; empty for a new page. */
  file: string;
  /** The exact text; null for a new page. */
  text: string | null;
  initial?: JsonObject;
  /** The edits of the form before, which this one continues with, instead of those that the browser kept. */
  edits?: Unsaved | undefined;
  place?: PlaceState;
  notice?: Node | undefined;
}

export const nameOf = ({ id, place, initial }: OpenedPage): string => {
  if (place === undefined) return `edit=${id}`;
  const meta = initial?.["meta"];
  if (isObject(meta) && meta["translation_of"] !== undefined)
    return `translate=${shownText(meta["translation_of"])}&below=${place.parent}`;
  return `new=${isObject(meta) ? shownText(meta["type"]) : ""}&below=${place.parent}`;
};

/** Unsaved edits of a form, in the format of the browser's storage. */
export interface Unsaved {
  file: string;
  opened: string | null;
  operations: readonly SourceOperation[];
  /** Texts in controls that are not valid values yet, by path. */
  unfinished: Record<string, string>;
  place?: PlaceState;
  /** The time of the last edit, in milliseconds since 1970. */
  time: number;
}

const PREFIX = "page-editor:";

/** Edits that the storage could not keep, by their keys, so that another view does not lose them. */
const inMemory = new Map<string, Unsaved>();

addEventListener("beforeunload", (event) => {
  if (inMemory.size > 0) event.preventDefault();
});

/** Milliseconds between a keystroke and its copy in the browser's storage. */
const KEEP_MS = 250;

/**
 * Keeps the unsaved edits of one form in the browser's storage, so that they survive a reload and a crash. While there
 * are unsaved edits, the browser asks before it closes the page.
 */
export class UnsavedEdits {
  private readonly key: string;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly current: () => Unsaved | undefined;
  private readonly onFull: () => void;
  private readonly ended = new AbortController();
  /** The text in the storage that this form read or wrote. A form in another tab has a text of its own. */
  private own: string | undefined;

  /**
   * @param site separates the sites that one address serves at different times.
   * @param onFull called if the browser cannot keep the edits, for example because its storage is full.
   */
  constructor(site: string, name: string, current: () => Unsaved | undefined, onFull: () => void) {
    this.key = `${PREFIX}${site}:${name}`;
    this.current = current;
    this.onFull = onFull;
  }

  read(): Unsaved | undefined {
    const inPage = inMemory.get(this.key);
    if (inPage !== undefined) return inPage;
    try {
      for (const [, text] of this.kept()) {
        const found: unknown = JSON.parse(text);
        if (!isObject(found) || !Array.isArray(found["operations"])) continue;
        this.own = text;
        return found as unknown as Unsaved;
      }
    } catch {
      // Without storage, no edits were kept.
    }
    return undefined;
  }

  /** The kept edits of the page by their keys: those of this form, and those of forms in other tabs. */
  private kept(): Map<string, string> {
    const keys = Object.keys(localStorage).filter(
      (key) => key === this.key || key.startsWith(`${this.key}~`),
    );
    return new Map(keys.sort().map((key) => [key, localStorage.getItem(key) ?? ""]));
  }

  start(): void {
    const { signal } = this.ended;
    const onUnload = (event: BeforeUnloadEvent): void => {
      if (this.current() !== undefined) event.preventDefault();
    };
    addEventListener("beforeunload", onUnload, { signal });
    addEventListener("pagehide", () => this.keep(), { signal });
  }

  stop(): void {
    this.keep();
    this.ended.abort();
  }

  schedule(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.keep(), KEEP_MS);
  }

  /** Removes the edits of this form from the storage, not those of a form in another tab. */
  remove(): void {
    clearTimeout(this.timer);
    inMemory.delete(this.key);
    try {
      for (const [key, text] of this.kept()) if (text === this.own) localStorage.removeItem(key);
    } catch {
      // Without storage, there are no kept edits to remove.
    }
    this.own = undefined;
  }

  /** Keeps the edits, or removes the kept ones if there are none. */
  keep(): void {
    const edits = this.current();
    if (edits === undefined) {
      this.remove();
      return;
    }
    clearTimeout(this.timer);
    const text = JSON.stringify(edits);
    try {
      const kept = this.kept();
      let [key] = [...kept].find(([, one]) => one === this.own) ?? [];
      if (key !== undefined && text === this.own) return;
      for (let n = 1; key === undefined; n++) {
        const free = n === 1 ? this.key : `${this.key}~${n}`;
        if (!kept.has(free)) key = free;
      }
      localStorage.setItem(key, text);
      this.own = text;
      inMemory.delete(this.key);
    } catch {
      inMemory.set(this.key, structuredClone(edits));
      this.onFull();
    }
  }
}

/** Kept edits, put onto the file's text. If the file has other changes too, they stay as they are, for the comparison. */
export function ontoText(pages: PageModel, kept: Unsaved, text: string | null): Unsaved {
  const [before, theirs] = [pageOf(kept.opened), pageOf(text)];
  if (kept.opened === text || before === undefined || theirs === undefined) return kept;
  const operations = new FormModel(pages, kept.opened, kept.operations).onto(theirs);
  return operations === undefined ? kept : { ...kept, opened: text, operations };
}
