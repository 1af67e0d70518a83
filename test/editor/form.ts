import { cpSync, writeFileSync } from "node:fs";
import type { Locator, Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { describePreview, type Preview } from "../browse/suite.ts";
import { FIXTURE_SITE } from "../fixtures.ts";

export const WORK = "art/artworks/_p00/piranesi-the-drawbridge-p00055.json";
export const WORK_ID = 10_055;
export const VISIT_ID = 10;

/** Tests of the form in a browser, on the preview of a copy of the fixture site. */
export const describeForm = (name: string, suite: (preview: Preview) => void): void =>
  describePreview(name, (content) => cpSync(FIXTURE_SITE, content, { recursive: true }), suite);

/** The source of the work, which is written back when the test ends. */
export function restoredWork(preview: Preview): string {
  const source = preview.source(WORK);
  onTestFinished(() => writeFileSync(preview.file(WORK), source));
  return source;
}

export const at = (page: Page, path: string): Locator => page.locator(`[data-path="${path}"]`);
export const form = (page: Page, name = "Edit page") => page.getByRole("form", { name, exact: true });
export const button = (within: Page | Locator, name: string): Locator =>
  within.getByRole("button", { name, exact: true });
export const menuItem = (page: Page, name: string | RegExp): Locator => page.getByRole("menuitem", { name });

/** Chooses an action of the page in the bar of the form. */
export async function act(page: Page, action: string | RegExp): Promise<void> {
  await button(page, "Actions").click();
  await menuItem(page, action).click();
}

/** Waits for a text, or the first of several. */
export const shows = (within: Page | Locator, text: string | RegExp): Promise<void> =>
  within.getByText(text).first().waitFor();

/** Saves, and waits for what the form says. */
export async function save(page: Page, says: string | RegExp = /^Saved\./, name?: string): Promise<void> {
  await button(page, "Save").click();
  await shows(form(page, name), says);
}

export async function addToProposal(page: Page, says: string | RegExp = /^Added to the proposal\./) {
  await button(page, "Add to proposal").click();
  await shows(page, says);
}

export async function enterToken(page: Page, token: string): Promise<void> {
  await page.getByLabel("Access token", { exact: true }).fill(token);
  await button(page, "Use this token").click();
}

export async function propose(page: Page): Promise<void> {
  await button(page, "Propose changes").click();
  await page.getByRole("link", { name: "Pull request 1" }).waitFor();
}

export const conflictIn = (page: Page): Locator =>
  page.getByRole("region", { name: "Changed in the meantime" });

/**
 * Waits until formatted text has taken over where the caret is: it reads this after the browser's event, and
 * a moment after it gets the focus. Both come before a timer that is started in a later frame.
 */
export const caretTaken = (page: Page): Promise<unknown> =>
  page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100)))");

/** Closes a page, which asks first. */
export async function closeAsked(page: Page, reply: "accept" | "dismiss"): Promise<void> {
  const asked = page.waitForEvent("dialog");
  await page.close({ runBeforeUnload: true });
  const dialog = await asked;
  expect(dialog.type()).toBe("beforeunload");
  await dialog[reply]();
}

/** The path of the field that has the focus, or the text of another element. */
export const focused = (page: Page): Promise<unknown> =>
  page.evaluate("document.activeElement?.dataset.path ?? document.activeElement?.textContent");
