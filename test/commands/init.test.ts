import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { PassThrough, Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { check } from "../../build/site/check.ts";
import { askOn } from "../../scripts/ask.ts";
import { runHere } from "../command.ts";
import { scratch } from "../scratch.ts";
import { readJson } from "../files.ts";

const read = (path: string): Record<string, unknown> => readJson(path) as Record<string, unknown>;

describe("init", () => {
  it.each([
    ["no option", []],
    [
      "a title and a website",
      ["--title", "The Harbour Museum", "--site-url", "https://www.harbour.example/"],
    ],
    ["addresses that suggest none", ["--site-url", "http://127.0.0.1:8000"]],
  ])("writes a site without findings from %s", async (_, args) => {
    const content = join(scratch("init"), "pages");
    const { status, stdout } = await runHere("init", ["--content", content, ...args]);
    expect(status).toBe(0);
    expect(readdirSync(content).sort()).toEqual(["_site.json", "index.json"]);
    expect(await check({ content })).toMatchObject({ pages: 1, findings: [] });
    expect(stdout).toContain(`check --content ${content}`);
  });

  it("writes the given values, and suggests the others from the website", async () => {
    const folder = scratch("init");
    const args = ["--title", "Harbour", "--site-url", "https://www.harbour.example/"];
    const { stdout } = await runHere("init", ["--content", join(folder, "pages"), ...args]);
    expect(read(join(folder, "pages", "index.json"))["title"]).toBe("Harbour");
    expect(read(join(folder, "pages", "_site.json"))).toMatchObject({
      site_url: "https://www.harbour.example",
      base_url: "https://api.harbour.example",
      media_url: "https://media.harbour.example",
    });
    // Default values are listed.
    expect(stdout).toContain("https://api.harbour.example, https://media.harbour.example.");
  });

  it.each([
    ["--base-url", "nonsense"],
    ["--site-url", "https://user@harbour.example"],
    ["--media-url", "https://media.harbour.example/?x"],
    ["--title", "\u0007"],
  ])("refuses %s %j and writes nothing", async (option, value) => {
    const folder = scratch("init");
    const { status, stderr } = await runHere("init", ["--content", join(folder, "pages"), option, value]);
    expect({ status, files: readdirSync(folder) }).toEqual({ status: 2, files: [] });
    expect(stderr).toContain(option);
  });

  it.each(["--title", "--site-url"])("refuses %s if the site has its pages already", async (option) => {
    const site = scratch("init");
    const content = join(site, "content");
    expect((await runHere("init", ["--content", content])).status).toBe(0);
    const again = ["--site", site, "--website", option, "https://www.harbour.example"];
    const { status, stderr } = await runHere("init", again);
    expect({ status, files: readdirSync(site) }).toEqual({ status: 2, files: ["content"] });
    expect(stderr).toContain(option);
  });

  it("refuses a folder that is not empty, and names a file in it", async () => {
    const content = scratch("init");
    mkdirSync(join(content, "visit"));
    const { status, stderr } = await runHere("init", ["--content", content]);
    expect({ status, files: readdirSync(content) }).toEqual({ status: 2, files: ["visit"] });
    expect(stderr).toContain("it contains visit");
    expect(stderr).not.toContain("import");
  });
});

describe("questions", () => {
  const QUESTION = {
    text: "Colour",
    default: "red",
    problem: (answer: string) => (answer === "plaid" ? "No." : undefined),
  };
  const answers = async (typed: string, count: number): Promise<{ given: string[]; shown: string }> => {
    const input = new PassThrough();
    let shown = "";
    const output = new Writable({
      write: (chunk: Buffer, _, done) => {
        shown += String(chunk);
        done();
      },
    });
    const { ask, close } = askOn(input, output);
    input.end(typed);
    const given: string[] = [];
    for (let i = 0; i < count; i++) given.push(await ask(QUESTION));
    close();
    return { given, shown };
  };

  it("accept an answer, use the default for an empty line, and repeat after an invalid answer", async () => {
    const { given, shown } = await answers("blue\n\nplaid\n green \n", 3);
    expect(given).toEqual(["blue", "red", "green"]);
    expect(shown).toContain("No.");
  });

  it("end the command if the input ends", async () => {
    await expect(answers("blue\n", 2)).rejects.toThrow("nothing was written");
  });
});
