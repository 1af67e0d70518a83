import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { PROGRAM_FOLDER } from "../../build/base/folders.ts";
import { scratch } from "../scratch.ts";

/** The paths below `content/` that the guard records while Node runs this code. */
function recorded(code: string): string[] {
  const folder = scratch("guard");
  const record = join(folder, "record");
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", code], {
    cwd: PROGRAM_FOLDER,
    encoding: "utf8",
    env: { ...process.env, USES_OF_CONTENT: record, SCRATCH: folder },
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  if (!existsSync(record)) return [];
  return Array.from(readFileSync(record, "utf8").matchAll(/^Error: \w+ (.*)$/gm), ([, path = ""]) => path);
}

// The guard records a use before it happens, so the page need not exist.
const NONE = join(PROGRAM_FOLDER, "content/none.json");
const FAILS =
  "{ process.on('uncaughtException', () => undefined); process.getBuiltinModule('fs').readFileSync('content/none.json'); }";

it.each([
  ["by a name", 'import { readFileSync } from "node:fs"; readFileSync("content/none.json")'],
  ["by promises", 'import { open } from "node:fs/promises"; await open("content/none.json")'],
  ["by other promises", 'import { promises } from "node:fs"; await promises.readFile("./content/none.json")'],
  ["as a stream", 'import fs from "node:fs"; fs.createReadStream("content/none.json")'],
  ["as an address", `import fs from "node:fs"; fs.openSync(new URL("file://${NONE}"))`],
  ["in bytes", 'import fs from "node:fs"; fs.statSync(Buffer.from("content/none.json"))'],
  ["as a copy", 'import fs from "node:fs"; fs.cpSync("content/none.json", process.env.SCRATCH)'],
  ["as the target", 'import fs from "node:fs"; fs.renameSync("nothing", "content/none.json")'],
  [
    "by a thread",
    `import { Worker } from "node:worker_threads"; new Worker(${JSON.stringify(FAILS)}, { eval: true })`,
  ],
  [
    "by a process",
    `import { spawnSync } from "node:child_process"; spawnSync(process.execPath, ["-e", ${JSON.stringify(FAILS)}])`,
  ],
])("a use of content/ %s is recorded", (_, code) => {
  expect(recorded(`process.on("uncaughtException", () => undefined);${code}`)).toEqual([NONE]);
});

it("other uses are not recorded", () => {
  const code = `
    import fs from "node:fs";
    fs.readFileSync("package.json");
    fs.writeFileSync(process.env.SCRATCH + "/content", "content/index.json");
    fs.readFileSync(fs.openSync("test/fixtures/site/index.json"));
    fs.existsSync("contents");
    fs.existsSync("content/_site.json");
    process.chdir("test/fixtures");
    fs.existsSync("content");`;
  expect(recorded(code)).toEqual([]);
});
