import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PROGRAM_FOLDER } from "../../build/base/folders.ts";
import { fileOf, NAMES } from "../../scripts/commands.mjs";
import { runHere } from "../command.ts";

const textOf = (file: string): string => readFileSync(join(PROGRAM_FOLDER, "scripts", file), "utf8");

/** The project's commands, each with the options that take a value according to `--help`. */
const COMMANDS: { name: string; script: string; options: string[] }[] = [];
for (const name of NAMES) {
  const { stdout } = await runHere(name, ["--help"]);
  const options = [...stdout.matchAll(/^ +(?:.*, )?(--[\w-]+) \[?[A-Z\w|]+/gm)].map(
    ([, option = ""]) => option,
  );
  COMMANDS.push({ name, script: fileOf(name), options });
}

describe("an empty value, as from an unset variable", () => {
  it("is tried with every command", () => {
    const commands = readdirSync(join(PROGRAM_FOLDER, "scripts")).filter(
      (file) => file.endsWith(".ts") && textOf(file).includes("await command("),
    );
    expect(COMMANDS.map(({ script }) => `${script}.ts`).sort()).toEqual(commands.sort());
    expect(COMMANDS.find(({ name }) => name === "build")?.options).toEqual(
      expect.arrayContaining(["--content", "--out", "--base-url", "--reporter"]),
    );
  });

  it.each(COMMANDS.filter(({ options }) => options.length > 0))(
    "is a wrong argument of $name: status 2, and every such option is named",
    async ({ name, options }) => {
      const { status, stdout, stderr } = await runHere(
        name,
        options.flatMap((option) => [option, ""]),
      );
      expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
      for (const option of options) expect(stderr.split("\n")[0]).toContain(option);
    },
  );

  it.each(["fix", "verify", "new", "hosting"])("is a wrong argument of %s on its own", async (name) => {
    expect(await runHere(name, [""])).toMatchObject({ status: 2, stdout: "" });
  });

  it("is refused with an equals sign, too", async () => {
    expect(await runHere("check", ["--content="])).toMatchObject({ status: 2, stdout: "" });
  });
});
