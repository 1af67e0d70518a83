import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ContractChange } from "../../../build/outputs/contract/compare.ts";
import { Copy, WAYS } from "../../base/copy.ts";

describe("npx page-api contract", () => {
  let copy: Copy;
  const [way = {}] = Object.values(WAYS);
  const git = (...args: string[]): string =>
    execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@example.org", ...args], {
      cwd: copy.folder,
      encoding: "utf8",
    });
  const contractOf = (...args: string[]) => copy.run(way, "contract", "--base", "HEAD", ...args);
  const edit = (file: string, from: string | RegExp, to: string): void => {
    const text = readFileSync(copy.at(file), "utf8");
    expect(text).toMatch(from);
    writeFileSync(copy.at(file), text.replace(from, to));
  };

  beforeAll(() => {
    copy = new Copy();
    writeFileSync(copy.at(".gitignore"), "node_modules\n.cache\n");
    git("init", "--quiet");
    git("add", "-A");
    git("commit", "--quiet", "-m", "x");
  });
  afterAll(() => copy.remove());

  it("lists breaking changes with exit status 1, and the pages that no longer match", () => {
    edit("build/model/artwork.ts", /^  tga: .*\n/m, "  tga: optional(integer(), 0),\n");
    for (const file of git("grep", "--files-with-matches", '"tga"', "--", "content").trim().split("\n"))
      edit(file, /"tga": "[^"]*"/, '"tga": 1');
    try {
      const { status, stdout } = contractOf("--reporter", "json");
      expect(status).toBe(1);
      const report = JSON.parse(stdout) as {
        changes: ContractChange[];
        crossCheck: { mismatches: { at: string }[] };
      };
      expect(report.changes).toMatchObject([{ breaking: true, what: "“tga”", of: ["artworks.ArtworkPage"] }]);
      expect(report.crossCheck.mismatches.map((one) => one.at)).toContain("tga");
      for (const name of ["human", "markdown"])
        expect(contractOf("--reporter", name)).toMatchObject({
          status: 1,
          stdout: expect.stringContaining("tga") as string,
        });
      expect(contractOf("--exit-zero")).toMatchObject({ status: 0 });
    } finally {
      git("checkout", "--", "build", "content");
    }
  });

  it("lists compatible changes with exit status 0, and skips only the cross-check if the content does not build", () => {
    writeFileSync(copy.at("content/index.json"), "{");
    edit("_headers", "  X-Content-Type-Options: nosniff\n", "$&  X-More: 1\n");
    try {
      const { status, stdout } = contractOf("--reporter", "json");
      // Clients can ignore a new header.
      expect(status).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({
        crossCheck: expect.any(String) as string,
        changes: [{ breaking: false, what: "the header x-more" }],
      });
    } finally {
      git("checkout", "--", "content", "_headers");
    }
  });

  it("reports a base without a contract, and refuses one with another file in its place", () => {
    expect(copy.run(way, "contract", "--base", "no-such-revision")).toMatchObject({ status: 2, stdout: "" });
    git("rm", "--quiet", join("build", "contract", "openapi.json"));
    git("commit", "--quiet", "-m", "y");
    expect(contractOf()).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("There was no contract before") as string,
    });
    expect(JSON.parse(contractOf("--reporter", "json").stdout)).toMatchObject({
      isNew: true,
      breaking: false,
    });
    writeFileSync(copy.at("build/contract/openapi.json"), "[]");
    git("add", "-A");
    git("commit", "--quiet", "-m", "z");
    expect(contractOf()).toMatchObject({ status: 2, stdout: "" });
  });
});
