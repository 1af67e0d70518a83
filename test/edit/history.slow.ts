import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { EARLIEST } from "../../build/base/instant.ts";
import { redirectsOf } from "../../build/edit/redirects.ts";
import { run } from "../command.ts";
import { FITTING_SITE, general, workplace, write, writeSite } from "../pipeline/site.ts";

/** The old addresses of pages that neither are at them nor have a redirect from them. */
const lost = (content: string, names: readonly string[]): string[] => {
  const led = new Set(redirectsOf(content, EARLIEST).redirects.map(({ from }) => from));
  return names.filter(
    (name) => !existsSync(join(content, `visit/${name}.json`)) && !led.has(`/visit/${name}/`),
  );
};

it("commands at the same time each move or retire their page, or fail and are repeated; no address is lost", async () => {
  const { content } = workplace("concurrent");
  writeSite(content, FITTING_SITE);
  const names = Array.from({ length: 8 }, (_, i) => `page-${i}`);
  for (const [i, name] of names.entries()) write(content, `visit/${name}.json`, general(100 + i, name));
  const commands = names.map((name, i): [string, string[]] =>
    i % 2 === 0
      ? ["move", [`visit/${name}`, `moved-${i}`, "--content", content]]
      : ["retire", [`visit/${name}`, "--to", "/visit/", "--content", content]],
  );
  for (let left = commands; left.length > 0;) {
    const ended = await Promise.all(left.map(([name, args]) => run(name, args)));
    for (const { status, stderr } of ended) {
      expect([0, 2]).toContain(status);
      expect(status === 0 ? stderr === "" : stderr.includes("Another command")).toBe(true);
    }
    expect(lost(content, names)).toEqual([]);
    expect(ended.some(({ status }) => status === 0)).toBe(true);
    left = left.filter((_, i) => ended[i]?.status !== 0);
  }
  expect(redirectsOf(content, EARLIEST).redirects).toHaveLength(names.length);
});
