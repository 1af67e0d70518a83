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
 *
 * @param site separates the sites that one address serves at different times.
 * @param onFull called if the browser cannot keep the edits, for example because its storage is full.
 */
export function unsavedEdits(
  site: string,
  name: string,
  current: () => Unsaved | undefined,
  onFull: () => void,
) {
  const ownKey = `${PREFIX}${site}:${name}`;
  const ended = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** The text in the storage that this form read or wrote. A form in another tab has a text of its own. */
  let own: string | undefined;

  /** The kept edits of the page by their keys: those of this form, and those of forms in other tabs. */
  const kept = (): Map<string, string> => {
    const keys = Object.keys(localStorage).filter((key) => key === ownKey || key.startsWith(`${ownKey}~`));
    return new Map(keys.sort().map((key) => [key, localStorage.getItem(key) ?? ""]));
  };

  const read = (): Unsaved | undefined => {
    const inPage = inMemory.get(ownKey);
    if (inPage !== undefined) return inPage;
    try {
      const all = kept();
      // After a reload, this tab continues with its own edits.
      for (const text of [all.get(sessionStorage.getItem(ownKey) ?? ""), ...all.values()]) {
        if (text === undefined) continue;
        const found: unknown = JSON.parse(text);
        if (!isObject(found) || !Array.isArray(found["operations"])) continue;
        own = text;
        return found as unknown as Unsaved;
      }
    } catch {
      // Without storage, no edits were kept.
    }
    return undefined;
  };

  /** Removes the edits of this form from the storage, not those of a form in another tab. */
  const remove = (): void => {
    clearTimeout(timer);
    inMemory.delete(ownKey);
    try {
      for (const [key, text] of kept()) if (text === own) localStorage.removeItem(key);
    } catch {
      // Without storage, there are no kept edits to remove.
    }
    own = undefined;
  };

  /** Keeps the edits, or removes the kept ones if there are none. */
  const keep = (): void => {
    const edits = current();
    if (edits === undefined) {
      remove();
      return;
    }
    clearTimeout(timer);
    const text = JSON.stringify(edits);
    try {
      const known = kept();
      let [key] = [...known].find(([, one]) => one === own) ?? [];
      if (key !== undefined && text === own) return;
      for (let n = 1; key === undefined; n++) {
        const free = n === 1 ? ownKey : `${ownKey}~${n}`;
        if (!known.has(free)) key = free;
      }
      localStorage.setItem(key, text);
      sessionStorage.setItem(ownKey, key);
      own = text;
      inMemory.delete(ownKey);
    } catch {
      inMemory.set(ownKey, structuredClone(edits));
      onFull();
    }
  };

  const onUnload = (event: BeforeUnloadEvent): void => {
    if (current() !== undefined) event.preventDefault();
  };

  return {
    read,
    remove,
    keep,
    start: (): void => {
      const { signal } = ended;
      addEventListener("beforeunload", onUnload, { signal });
      addEventListener("pagehide", keep, { signal });
    },
    stop: (): void => {
      keep();
      ended.abort();
    },
    schedule: (): void => {
      clearTimeout(timer);
      timer = setTimeout(keep, KEEP_MS);
    },
  };
}

/** Kept edits, put onto the file's text. If the file has other changes too, they stay as they are, for the comparison. */
export function ontoText(pages: PageModel, kept: Unsaved, text: string | null): Unsaved {
  const [before, theirs] = [pageOf(kept.opened), pageOf(text)];
  if (kept.opened === text || before === undefined || theirs === undefined) return kept;
  const operations = new FormModel(pages, kept.opened, kept.operations).onto(theirs);
  return operations === undefined ? kept : { ...kept, opened: text, operations };
}
