import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { byPlace, finding, nearest, type Finding } from "../../build/findings/finding.ts";
import { github } from "../../build/findings/reporters.ts";
import { human } from "../../build/findings/reporters.ts";
import { json } from "../../build/findings/reporters.ts";
import { runHere } from "../command.ts";
import { scratch } from "../scratch.ts";
import { writeEmptySite } from "../site/site.ts";

const at = (file: string, line: number, column: number, endColumn = column + 1) => ({
  file,
  line,
  column,
  endLine: line,
  endColumn,
});
const badId = (file: string, line: number, column: number): Finding =>
  finding("bad-id", { field: "id", found: "0" }, at(file, line, column));
const otherFile = (file: string): Finding => finding("other-file", { name: file }, at(file, 1, 1));
const report = (findings: Finding[], text = "") => ({ pages: 3, findings, textOf: () => text });

describe("the human reporter", () => {
  it("shows the line of source with the location marked", () => {
    const { stderr, stdout } = human(report([badId("a.json", 2, 9)], '{\n  "id": 0\n}'));
    expect(stderr).toContain('2 |   "id": 0\n');
    expect(stderr).toContain("  |         ^\n");
    expect(stdout).toBe("");
  });

  it("marks wide characters and tabs in their width", () => {
    const { stderr } = human(report([badId("a.json", 1, 4)], "\t日é😀x"));
    expect(stderr).toMatch(/\| \t {3}\^/);
  });

  it("cuts a long line around the location", () => {
    const text = `${"a".repeat(5000)}!${"b".repeat(5000)}`;
    const { stderr } = human(report([badId("a.json", 1, 5001)], text));
    expect(Math.max(...stderr.split("\n").map((line) => line.length))).toBeLessThan(200);
    expect(stderr).toContain("!");
  });

  it("escapes control characters of a source", () => {
    const name = "\u001b[2J\u202e\n.txt";
    const { stderr } = human(
      report([otherFile(name), finding("bad-slug", { slug: name }, at(name, 1, 1))], "\u001b]0;x\u0007"),
    );
    expect(stderr).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  });

  it("shows one hundred of sixty thousand findings, errors first, and counts the others", () => {
    const findings = Array.from({ length: 60_000 }, (_, i) =>
      i % 2 === 0 ? otherFile(`${i}.txt`) : badId(`${i}.json`, 1, 1),
    );
    const { stderr } = human(report(findings));
    expect(stderr.match(/^error bad-id/gm)).toHaveLength(100);
    expect(stderr).toContain("29,900 × bad-id");
    expect(stderr).toContain("30,000 × other-file");
    expect(stderr).toContain("3 pages: 30,000 errors, 30,000 warnings");
  });

  it("prints the result, if there is one, to stdout", () => {
    expect(human({ ...report([]), result: "3 pages written" })).toEqual({
      stdout: "3 pages written\n",
      stderr: "",
    });
  });
});

describe("the reporter for GitHub", () => {
  it("annotates the exact location, and cannot be made to write another command", () => {
    const { stderr } = github(
      report([finding("bad-slug", { slug: "a\n::error::b" }, at("a,b:c%\n.json", 1, 2))]),
    );
    const [line] = stderr.split("\n");
    expect(line).toContain("::error file=a%2Cb%3Ac%25\\u{a}.json,line=1,col=2,endColumn=3,title=bad-slug::");
    expect(stderr.match(/^::/gm)).toHaveLength(1);
  });

  it("names files from the folder of the checkout, in which the site may be a folder", async () => {
    const checkout = scratch("checkout");
    const cwd = join(checkout, "sites/one");
    writeEmptySite(join(cwd, "content"));
    writeFileSync(join(cwd, "content/about.json"), "{");
    const annotated = async (GITHUB_WORKSPACE: string, name = "github"): Promise<string> =>
      (await runHere("check", ["--reporter", name], { cwd, env: { GITHUB_WORKSPACE } })).stderr;
    expect(await annotated(checkout)).toContain("::error file=sites/one/content/about.json,");
    expect(await annotated(checkout, "human")).toContain("  content/about.json:1:");
    for (const elsewhere of ["", join(checkout, "sites/on")])
      expect(await annotated(elsewhere)).toContain("::error file=content/about.json,");
  });
});

describe("the reporter for programs", () => {
  it("prints one object with all findings", () => {
    const { stdout, stderr } = json(report([badId("a.json", 2, 9), otherFile("b.txt")]));
    expect(stderr).toBe("");
    const { pages, diagnostics } = JSON.parse(stdout) as { pages: number; diagnostics: object[] };
    expect(pages).toBe(3);
    const keys = ["file", "line", "column", "code", "severity", "message", "hint"];
    expect(diagnostics.map((one) => Object.keys(one))).toEqual([keys, keys]);
    expect(diagnostics[0]).toMatchObject({
      file: "a.json",
      line: 2,
      column: 9,
      code: "bad-id",
      severity: "error",
    });
  });
});

describe("findings", () => {
  it("are sorted by file, line, column and code, by code units", () => {
    const sorted = [
      badId("B.json", 1, 1),
      badId("a.json", 1, 2),
      badId("a.json", 2, 1),
      badId("a.json", 10, 1),
      badId("é.json", 1, 1),
    ];
    expect([...sorted].reverse().sort(byPlace)).toEqual(sorted);
  });

  it("suggest the nearest known name if one is near", () => {
    const known = ["title", "id", "meta", "medium"];
    expect(nearest("titel", known)).toBe("title");
    expect(nearest("Medium", known)).toBe("medium");
    expect(nearest("somethingElse", known)).toBeUndefined();
    expect(nearest("xx", ["id"])).toBeUndefined();
    expect(nearest("is", ["id"])).toBe("id");
    expect(nearest("x".repeat(100_000), known)).toBeUndefined();
  });
});
