import { expect, it } from "vitest";
import { hintOf } from "../../build/findings/finding.ts";
import { parseJson } from "../../build/json/parse.ts";

it("a hint shows the two ends of a long text", () => {
  const text = `{"text": "${"word ".repeat(400)}a "quoted" word"\n}`;
  const [found] = parseJson("a.json", Buffer.from(text)).findings;
  const hint = found === undefined ? "" : hintOf(found);
  expect(hint).toContain('"word word');
  expect(hint).toContain('quoted\\" word"');
  expect(hint.length).toBeLessThan(600);
});
