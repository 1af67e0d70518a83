import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { runHere } from "../command.ts";
import { FITTING_SITE, general, page, SITE, work, placeWith, write } from "../site/site.ts";

/* Every command finds the same page by the same path. */

let content: string;
beforeEach(() => {
  ({ content } = placeWith("paths", FITTING_SITE));
  write(content, "works/_a b/_é/_d00.x/reed.json", work(81, "Reed"));
});

const COMMANDS: [name: string, ...args: string[]][] = [
  ["move", "PATH", "TO", "--dry-run"],
  ["retire", "PATH", "--dry-run"],
  ["fix", "PATH", "--dry-run"],
  ["check", "PATH"],
  ["new", "--copy", "PATH", "TO"],
];

/** Runs a command with a path of the page, relative to a folder. */
const run = ([name, ...args]: [string, ...string[]], path: string, cwd: string) => {
  const places: Record<string, string> = { PATH: path, TO: join(content, "visit/tea") };
  return runHere(name, [...args.map((arg) => places[arg] ?? arg), "--content", content], { cwd });
};

const FORMS: [of: string, form: (content: string) => string, folder: (content: string) => string][] = [
  ["a path", () => "visit/cafe", (folder) => join(folder, "..")],
  ["a path of a file", () => "visit/cafe.json", (folder) => join(folder, "..")],
  ["a path from the project", () => "content/visit/cafe.json", (folder) => join(folder, "..")],
  ["a path that begins with a dot", () => "./content/visit/cafe", (folder) => join(folder, "..")],
  ["a path in the content folder", () => "visit/cafe", (folder) => folder],
  ["a path in the folder of the page", () => "./cafe", (folder) => join(folder, "visit")],
  ["a path upwards", () => "../visit/cafe.json", (folder) => join(folder, "works")],
  ["an absolute path", (folder) => join(folder, "visit/cafe"), () => "/"],
  ["an absolute path of a file", (folder) => join(folder, "visit/cafe.json"), () => "/"],
  ["an address", () => "/visit/cafe/", () => "/"],
  ["an address without a slash at the end", () => "/visit/cafe", (folder) => join(folder, "..")],
];

test.each(FORMS)("%s leads every command to the page", async (_, form, folder) => {
  for (const command of COMMANDS) {
    const { status, stdout, stderr } = await run(command, form(content), folder(content));
    expect({ command, status, stderr }).toEqual({ command, status: 0, stderr: "" });
    expect(stdout).toMatch(/cafe|0 files of 1 would|1 page: no problems/);
  }
});

test.each(["visit/%5Fcafé.json", "visit/%5Fcafé", "/visit/_café/", "/visit/_caf%C3%A9/"])(
  "%s leads every command to a page whose slug begins with “_”",
  async (path) => {
    write(content, "visit/%5Fcafé.json", general(82, "A café"));
    for (const command of COMMANDS) {
      const { status, stderr } = await run(command, path, join(content, ".."));
      expect({ command, status, stderr }).toEqual({ command, status: 0, stderr: "" });
    }
  },
);

test("grouping folders may have any name that begins with _", async () => {
  const [from, to] = ["works/_a b/_é/_d00.x/reed", "works/_c & d/reed"] as const;
  expect((await runHere("move", [from, to, "--content", content])).status).toBe(0);
  expect((await runHere("retire", [to, "--content", content])).status).toBe(0);
});

test("an address below the path of a language, and of the website, leads every command to the page", async () => {
  const locales = { en: { label: "English", path: "/en/" }, cy: { label: "Cymraeg", path: "/cymraeg/" } };
  write(content, "_site.json", { ...SITE, site_url: `${SITE.site_url}/museum`, locales });
  for (const command of COMMANDS)
    expect((await run(command, "/museum/en/visit/cafe/", "/")).stdout).toMatch(/cafe|0 files of 1|1 page/);
  write(content, "cy/index.json", page(91, "home.HomePage", "Hafan"));
  write(content, "cy/cafe.json", general(92, "Caffi"));
  const { stdout } = await run(["retire", "PATH"], "/museum/cymraeg/cafe", "/");
  expect(stdout).toContain("id 92, /museum/cymraeg/cafe/");
});

test("a path outside of the content folder is refused by every command", async () => {
  write(content, "../beside/page.json", work(90, "Beside"));
  for (const command of COMMANDS)
    for (const path of ["../beside/page", join(content, "../beside/page.json"), "visit/../../beside/page"]) {
      const { status, stderr } = await run(command, path, content);
      expect({ command, status, stderr }).toEqual({
        command,
        status: 2,
        stderr: expect.stringMatching(/not in the content folder/) as string,
      });
    }
});
