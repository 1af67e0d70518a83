import type { ChangeCollection } from "../github/store.ts";
import { isSameChange, type FileChange } from "../store.ts";

/*
 * The browser's storage for the GitHub store: collected changes in the storage of the site; the token in the storage of
 * one tab, if the editor wants the tab to keep it.
 */

const TOKEN = "page-editor:token";

export function keptToken(): string | undefined {
  try {
    return sessionStorage.getItem(TOKEN) ?? undefined;
  } catch {
    return undefined;
  }
}

export function keepToken(token: string | undefined): void {
  try {
    if (token === undefined) sessionStorage.removeItem(TOKEN);
    else sessionStorage.setItem(TOKEN, token);
  } catch {
    // Without storage, the editor enters the token again after a reload.
  }
}

/** The collected changes of a site. All tabs of the browser share them, except for those that its storage could not keep. */
export class KeptChanges implements ChangeCollection {
  private readonly key: string;
  private unkept: readonly FileChange[] = [];

  /** @param onOtherTab called when another tab has changed the collection. */
  constructor(site: string, onOtherTab: () => void) {
    // With the site, as one address may serve several sites at different times.
    this.key = `page-editor:${site}:proposal`;
    addEventListener("storage", ({ key }) => {
      if (key === this.key) onOtherTab();
    });
    addEventListener("beforeunload", (event) => {
      if (!this.isKept) event.preventDefault();
    });
  }

  get isKept(): boolean {
    return this.unkept.length === 0;
  }

  read(): readonly FileChange[] {
    const unkept = new Set(this.unkept.map(({ file }) => file));
    return [...this.stored().filter(({ file }) => !unkept.has(file)), ...this.unkept];
  }

  write(changes: readonly FileChange[]): void {
    this.unkept = [];
    if (this.store(changes)) return;
    // There is no space for more, but the stored changes stay.
    const stored = this.stored();
    const isStored = (change: FileChange): boolean => stored.some((one) => isSameChange(one, change));
    this.unkept = changes.filter((change) => !isStored(change));
    this.store(changes.filter(isStored));
  }

  async alone<T>(task: () => Promise<T>): Promise<T | undefined> {
    // Browsers have locks only at addresses with HTTPS, and at localhost.
    if (!isSecureContext) return task();
    const options = { ifAvailable: true };
    return navigator.locks.request(this.key, options, (lock) => (lock === null ? undefined : task()));
  }

  private stored(): readonly FileChange[] {
    try {
      return parsed(localStorage.getItem(this.key));
    } catch {
      return [];
    }
  }

  /** @returns false if the browser cannot keep the changes, for example because its storage is full */
  private store(changes: readonly FileChange[]): boolean {
    try {
      if (changes.length === 0) localStorage.removeItem(this.key);
      else localStorage.setItem(this.key, JSON.stringify(changes));
      return true;
    } catch {
      return changes.length === 0;
    }
  }
}

function parsed(text: string | null): readonly FileChange[] {
  const found: unknown = JSON.parse(text ?? "[]");
  return Array.isArray(found) ? (found as FileChange[]).filter(isChange) : [];
}

const isChange = ({ file, before, after }: FileChange): boolean =>
  typeof file === "string" && [before, after].every((text) => text === null || typeof text === "string");
