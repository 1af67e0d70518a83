import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { at, button, describeForm, WORK_ID } from "./form.ts";
import { everyElement, PASTED, PASTED_PLAIN } from "./pasted.ts";

/** Reads the source of an HTML field, or writes it. */
async function source(page: Page, path: string, written?: string): Promise<string> {
  const field = page.locator(".field", { has: at(page, path) });
  await button(field, "Source text").click();
  const text = page.locator(`textarea[data-path="${path}"]`);
  if (written !== undefined) await text.fill(written);
  const value = await text.inputValue();
  await button(field, "Source text").click();
  return value;
}

/** Pastes into the field that has the focus, as the browser does after another program has copied. */
const paste = (page: Page, data: Record<string, string>): Promise<unknown> =>
  page.evaluate(`(() => {
    const clipboardData = new DataTransfer();
    for (const [type, text] of Object.entries(${JSON.stringify(data)})) clipboardData.setData(type, text);
    const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
    document.activeElement.dispatchEvent(event);
  })()`);

describeForm("the clipboard of formatted text", (preview) => {
  it("makes clean text of what other programs copy", async () => {
    const { page, trouble } = await preview.visit(`/?edit=${WORK_ID}`);
    const rows = [
      ...PASTED.map(([, html, text]) => ({ data: { "text/html": html, "text/plain": "x" }, text })),
      ...PASTED_PLAIN.map(([plain, text]) => ({ data: { "text/plain": plain }, text })),
    ];
    for (const { data, text } of rows) {
      await source(page, "description", "");
      await at(page, "description").focus();
      await paste(page, data);
      expect(await source(page, "description")).toBe(text);
    }
    // The browser reports styles, handlers and images of the pasted HTML.
    trouble.length = 0;
  });

  it("moves text from one field to another without a change", async () => {
    const { page, trouble } = await preview.visit(`/?edit=${WORK_ID}`);
    // Text that browsers parse in another way than it is written.
    const parsed =
      "<table><tr><td><span>\u00a0</span>a<br></td></tr></table>b\n<p>c</p><ul>\n <li>d</li>\n</ul>";
    for (const html of [everyElement().join("\n"), parsed, '<p>a <a rel="x" href="/b">b</a></p>']) {
      await source(page, "description", html);
      await source(page, "acquisition_text", "");
      await at(page, "description").focus();
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.press("ControlOrMeta+x");
      expect(await source(page, "description")).toBe("");
      await at(page, "acquisition_text").focus();
      await page.keyboard.press("ControlOrMeta+v");
      await expect.poll(() => source(page, "acquisition_text")).toBe(html);
    }
    trouble.length = 0;
  });
});
