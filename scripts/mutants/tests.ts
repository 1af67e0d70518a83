import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileOf, NAMES } from "../commands.mjs";

/** The modules that each test file reaches: by imports, and by the names of commands that it starts. */
export class Tests {
  private readonly reaches = new Map<string, Map<string, number>>();

  private readonly most: number | undefined;

  /** @param most the maximum number of tests per module, the nearest ones; all if undefined. */
  constructor(project: string, most?: number) {
    this.most = most;
    const files = ["build", "scripts", "test"].flatMap((folder) =>
      readdirSync(join(project, folder), { recursive: true, encoding: "utf8" })
        .filter((name) => /\.(?:ts|mjs|js)$/.test(name))
        .map((name) => join(folder, name)),
    );
    const texts = new Map(files.map((file) => [file, readFileSync(join(project, file), "utf8")]));
    const imports = new Map([...texts].map(([file, text]) => [file, importsOf(file, text)]));
    for (const test of files) {
      if (!/^test\/.*\.(?:test|slow)\.ts$/.test(test)) continue;
      const reached = distances(imports, [test]);
      const helpers = [...reached.keys()].filter((file) => file.startsWith("test/"));
      if (helpers.includes(STARTER) || helpers.some((file) => texts.get(file)?.includes("run.mjs")))
        for (const [file, far] of distances(
          imports,
          helpers.flatMap((helper) => commandsIn(texts.get(helper) ?? "")),
        ))
          if (!reached.has(file)) reached.set(file, far + PROCESS);
      this.reaches.set(test, reached);
    }
  }

  /**
   * The tests that reach a module, the nearest first. The distance is the number of imports between them; tests of
   * limits and of the module's folder count as nearer, and slow tests as the farthest.
   */
  of(module: string): string[] {
    const folder = join("test", module.split("/").slice(1, -1)[0] ?? "commands");
    const far = (test: string): number =>
      (this.reaches.get(test)?.get(module) ?? 0) -
      (test.startsWith(`${folder}/`) || test.startsWith(LIMITS) ? SAME_FOLDER : 0) +
      (test.endsWith(".slow.ts") ? SLOW : 0);
    return [...this.reaches.keys()]
      .filter((test) => this.reaches.get(test)?.has(module))
      .sort((a, b) => far(a) - far(b) || (a < b ? -1 : 1))
      .slice(0, this.most);
  }
}

const LIMITS = "test/limits/";
const STARTER = "test/command.ts";
// internal: it only orders the tests
const PROCESS = 20;
// internal: it only orders the tests
const SAME_FOLDER = 2;
// internal: it only orders the tests
const SLOW = 1000;

const importsOf = (file: string, text: string): string[] =>
  [...text.matchAll(/(?:\bfrom|\bimport|new URL)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g)].map(([, path = ""]) =>
    join(dirname(file), path),
  );

/** The files of the commands that a test names; all commands if it uses the list of commands. */
const commandsIn = (text: string): string[] =>
  NAMES.filter((name) => text.includes("commands.mjs") || text.includes(`"${name}"`)).map(
    (name) => `scripts/${fileOf(name)}.ts`,
  );

function distances(imports: Map<string, string[]>, from: string[]): Map<string, number> {
  const reached = new Map(from.map((file) => [file, 0]));
  for (const [file, far] of reached)
    for (const next of imports.get(file) ?? []) if (!reached.has(next)) reached.set(next, far + 1);
  return reached;
}
