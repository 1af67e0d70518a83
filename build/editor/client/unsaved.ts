import { isObject, type JsonObject } from "../../json/object.ts";

/** Edits that are not saved yet, as the browser keeps them. */
export interface Unsaved {
  /** The source file that the form was opened with; of a new page, empty. */
  file: string;
  opened: string | null;
  page: JsonObject;
  /** Texts in controls that are no values yet, by path. */
  unfinished: Record<string, string>;
  /** Of a new page: its place. */
  place?: { parent: number; slug: string; isDraft: boolean };
  /** The time of the last edit, in milliseconds since 1970. */
  time: number;
}

const PREFIX = "page-editor:";

/** Time between a keystroke and its copy in the browser's storage, in milliseconds. */
const KEEP_MS = 250;

/**
 * The unsaved edits of one form, in the browser's own storage: they survive a reload and a crash. Closing the page while
 * there are some asks first.
 */
export class UnsavedEdits {
  private readonly key: string;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** The edits as they are now; undefined if there are none. */
  private readonly current: () => Unsaved | undefined;
  private readonly onFull: () => void;

  /**
   * @param site tells the sites apart that one address serves at different times.
   * @param onFull is called if the browser keeps nothing, for example because its storage is full.
   */
  constructor(site: string, name: string, current: () => Unsaved | undefined, onFull: () => void) {
    this.key = `${PREFIX}${site}:${name}`;
    this.current = current;
    this.onFull = onFull;
  }

  read(): Unsaved | undefined {
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

  /** Keeps the edits soon. */
  schedule(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.keep(), KEEP_MS);
  }

  remove(): void {
    clearTimeout(this.timer);
    try {
      localStorage.removeItem(this.key);
    } catch {
      // A browser without storage keeps nothing.
    }
  }

  /** Keeps the edits, or forgets them if there are none. */
  private keep(): void {
    const edits = this.current();
    if (edits === undefined) {
      this.remove();
      return;
    }
    clearTimeout(this.timer);
    try {
      localStorage.setItem(this.key, JSON.stringify(edits));
    } catch {
      this.onFull();
    }
  }

  private readonly onHide = (): void => this.keep();
  private readonly onUnload = (event: BeforeUnloadEvent): void => {
    if (this.current() !== undefined) event.preventDefault();
  };
}
