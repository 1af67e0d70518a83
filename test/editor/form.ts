import { cpSync } from "node:fs";
import type { Locator, Page } from "playwright-core";
import { describePreview, type Preview } from "../browse/suite.ts";
import { FIXTURE_SITE } from "../fixtures.ts";

export const WORK = "art/artworks/_p00/piranesi-the-drawbridge-p00055.json";
export const WORK_ID = 10_055;
export const VISIT_ID = 10;

/** Tests of the form in a browser, on the preview of a copy of the fixture site. */
export const describeForm = (name: string, suite: (preview: Preview) => void): void =>
  describePreview(name, (content) => cpSync(FIXTURE_SITE, content, { recursive: true }), suite);

/** The control of a field. */
export const at = (page: Page, path: string): Locator => page.locator(`[data-path="${path}"]`);
export const form = (page: Page, name = "Edit page"): Locator =>
  page.getByRole("form", { name, exact: true });
export const button = (within: Page | Locator, name: string): Locator =>
  within.getByRole("button", { name, exact: true });

/** Saves the page, even with errors. */
export async function save(page: Page): Promise<void> {
  await button(page, "Save").click();
  await form(page)
    .getByText(/^Saved\./)
    .waitFor();
}

/** The path of the field that has the focus, or the text of another element. */
export const focused = (page: Page): Promise<unknown> =>
  page.evaluate("document.activeElement?.dataset.path ?? document.activeElement?.textContent");
