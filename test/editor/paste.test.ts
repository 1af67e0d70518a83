import { expect, it } from "vitest";
import { readCopied } from "../../build/editor/form/html/paste.ts";

/* test/editor/clipboard.browser.ts copies and pastes in a browser. */

it.each([
  "",
  "[]x",
  '[{"type":"script"}]',
  '[{"type":"p","attrs":{"source":" id=a><script>"}}]',
  '[{"type":"p","attrs":{"source":"x"}}]',
  '[{"type":"p","attrs":{"source":"","before":"<script>"}}]',
  '[{"type":"ul","content":[{"type":"p"}]}]',
])("copied text is not %j", (text) => {
  expect(readCopied(text)).toBeUndefined();
});
