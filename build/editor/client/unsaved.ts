import { isObject, type JsonObject } from "../../json/object.ts";

/** Unsaved edits of a form, in the format of the browser's storage. */
export interface Unsaved {
  /** The source file that the form was opened with; empty for a new page. */
  file: string;
  opened: string | null;
  page: JsonObject;
  /** Texts in controls that are not valid values yet, by path. */
  unfinished: Record<string, string>;
  /** For a new page: its position. */
  place?: { parent: number; slug: string; isDraft: boolean };
  /** The time of the last edit, in milliseconds since 1970. */
  time: number;
}

const PREFIX = "page-editor:";

/**
 * Edits that the browser's storage could not keep, by their keys: they stay until the page is reloaded or closed, so that
 * another view does not lose them.
 */
const inMemory = new Map<string, Unsaved>();

const askBeforeLoss = (event: BeforeUnloadEvent): void => {
  if (inMemory.size > 0) event.preventDefault();
};

/** Milliseconds between a keystroke and its copy in the browser's storage. */
const KEEP_MS = 250;

/**
 * Keeps the unsaved edits of one form in the browser's storage, so that they survive a reload and a crash. While there
 * are unsaved edits, the browser asks before it closes the page.
 */
export class UnsavedEdits {
  private readonly key: string;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** The current edits; undefined if there are none. */
  private readonly current: () => Unsaved | undefined;
  private readonly onFull: () => void;

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
      const found = JSON.parse(localStorage.getItem(this.key) ?? "null") as Unsaved | null;
      return isObject(found) && isObject(found.page) ? found : undefined;
    } catch {
      return undefined;
    }
  }

  start(): void {
    addEventListener("beforeunload", this.onUnload);
    addEventListener("pagehide", this.onHide);
  }

  stop(): void {
    this.keep();
    removeEventListener("beforeunload", this.onUnload);
    removeEventListener("pagehide", this.onHide);
  }

  /** Keeps the edits after a short pause. */
  schedule(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.keep(), KEEP_MS);
  }

  remove(): void {
    clearTimeout(this.timer);
    inMemory.delete(this.key);
    try {
      localStorage.removeItem(this.key);
    } catch {
      // Without storage, there are no kept edits to remove.
    }
  }

  /** Keeps the edits, or removes the kept ones if there are none. */
  private keep(): void {
    const edits = this.current();
    if (edits === undefined) {
      this.remove();
      return;
    }
    clearTimeout(this.timer);
    try {
      localStorage.setItem(this.key, JSON.stringify(edits));
      inMemory.delete(this.key);
    } catch {
      inMemory.set(this.key, structuredClone(edits));
      addEventListener("beforeunload", askBeforeLoss);
      this.onFull();
    }
  }

  private readonly onHide = (): void => this.keep();
  private readonly onUnload = (event: BeforeUnloadEvent): void => {
    if (this.current() !== undefined) event.preventDefault();
  };
}
