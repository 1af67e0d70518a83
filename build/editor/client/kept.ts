import type { FileChange } from "../store.ts";

/*
 * The browser's storage for the GitHub store: collected changes in the storage of the site; the token in the storage of
 * one tab, if the editor wants the tab to keep it.
 */

/** The key of the token in the tab's storage. */
const TOKEN = "page-editor:token";

/** The token that this tab keeps, if any. */
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

/** The key of the changes. It contains the site, as one address may serve several sites at different times. */
const changesOf = (site: string): string => `page-editor:${site}:proposal`;

/** The changes that were collected before the page was reloaded. */
export const keptChanges = (site: string): readonly FileChange[] => {
  try {
    return parsed(localStorage.getItem(changesOf(site)));
  } catch {
    return [];
  }
};

/** @returns false if the browser cannot keep the changes, for example because its storage is full. */
export function keepChanges(site: string, changes: readonly FileChange[]): boolean {
  try {
    if (changes.length === 0) localStorage.removeItem(changesOf(site));
    else localStorage.setItem(changesOf(site), JSON.stringify(changes));
    return true;
  } catch {
    return changes.length === 0;
  }
}

/** Reports the collected changes whenever another tab changes them. */
export function onOtherTab(site: string, report: (changes: readonly FileChange[]) => void): void {
  addEventListener("storage", ({ key, newValue }) => {
    if (key === changesOf(site)) report(parsed(newValue));
  });
}

function parsed(text: string | null): readonly FileChange[] {
  const found: unknown = JSON.parse(text ?? "[]");
  return Array.isArray(found) ? (found as FileChange[]).filter(isChange) : [];
}

const isChange = ({ file, before, after }: FileChange): boolean =>
  typeof file === "string" && [before, after].every((text) => text === null || typeof text === "string");
