import { execFileSync } from "node:child_process";
import { existsSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { EARLIEST } from "../../build/base/instant.ts";
import { move } from "../../build/edit/move.ts";
import { redirectsOf } from "../../build/edit/redirects.ts";
import { retire } from "../../build/edit/retire.ts";
import { run } from "../command.ts";
import { treeOf } from "../files.ts";
import { FITTING_SITE, general, workplace, write, writeSite } from "../pipeline/site.ts";
import { scratch } from "../scratch.ts";

/** The old addresses of pages that neither are at them nor have a redirect from them. */
const lost = (content: string, names: readonly string[]): string[] => {
  const led = new Set(redirectsOf(content, EARLIEST).redirects.map(({ from }) => from));
  return names.filter(
    (name) => !existsSync(join(content, `visit/${name}.json`)) && !led.has(`/visit/${name}/`),
  );
};

describe("commands at the same time", () => {
  it("each moves or retires its page, or fails and is repeated; no address is lost", async () => {
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
});

const mount = (folder: string): void =>
  void execFileSync("mount", ["-t", "tmpfs", "-o", "rw,size=1m", "tmpfs", folder], { stdio: "ignore" });

function canMount(): boolean {
  const folder = scratch("mount");
  try {
    mount(folder);
    execFileSync("umount", [folder]);
    return true;
  } catch {
    return false;
  }
}

describe.skipIf(!canMount())("a full disk (if one can be mounted)", () => {
  let content = "";
  beforeEach(() => {
    content = scratch("disk");
    mount(content);
    writeSite(content, FITTING_SITE);
  });
  afterEach(() => void execFileSync("umount", [content]));

  it.each([
    ["move", () => move(content, "visit/", "besuch")],
    ["retire", () => retire(content, "visit/rooms/", "/visit/")],
  ])("%s changes nothing, and works if there is enough space", (_, command) => {
    // Space for the lock and some files, but not for all.
    for (const room of [0, 4096]) {
      const { bavail, bsize } = statfsSync(content);
      writeFileSync(join(content, ".ballast"), Buffer.alloc(Math.max(0, bavail * bsize - room)));
      const before = treeOf(content);
      expect(command).toThrow("ENOSPC");
      expect(treeOf(content)).toEqual(before);
      rmSync(join(content, ".ballast"));
    }
    command();
    expect(redirectsOf(content, EARLIEST).redirects.length).toBeGreaterThan(1);
  });
});
