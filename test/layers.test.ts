import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import { bundleEditor, MODULES } from "../build/outputs/editor/bundle.ts";
import { FIRST_COMMAND, FOLDERS } from "../build/layers.ts";

const ordered: readonly string[] = FOLDERS;
const firstCommand = ordered.indexOf(FIRST_COMMAND);

function mayImport(from: string, to: string): boolean {
  const [place, lower] = [ordered.indexOf(from), ordered.indexOf(to)];
  if (place === lower) return place !== -1;
  return lower !== -1 && lower < place && lower < firstCommand;
}

const folderOf = (file: string): string => file.split("/")[1] ?? "";

const filesIn = (folders: string[], endings: RegExp): string[] =>
  folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => endings.test(name))
      .map((name) => join(folder, name)),
  );

/** Types and dynamic imports are included. */
function importsIn(folders: string[]): Map<string, string[]> {
  return new Map(
    filesIn(folders, /\.(ts|mjs)$/).map((file) => {
      const text = readFileSync(file, "utf8");
      const named = [...text.matchAll(/(?:\bfrom|\bimport|new URL)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g)];
      return [file, named.map(([, path = ""]) => join(dirname(file), path))];
    }),
  );
}

const lengthOf = (file: string): number => readFileSync(file, "utf8").split("\n").length - 1;

describe("the layers of the program", () => {
  it("contain every folder of build/ and no other", () => {
    const files = readdirSync("build", { recursive: true, encoding: "utf8" }).filter((name) =>
      /\.\w+$/.test(name),
    );
    const found = new Set(files.map((name) => name.split("/")[0]).filter((name) => name !== "layers.ts"));
    expect(found).toEqual(new Set([...ordered, "contract"]));
    expect(files.filter((name) => /^contract\/.*(?<!\.json)$/.test(name))).toEqual([]);
  });

  it("allow imports from the folders above, except commands", () => {
    expect(mayImport("release", "hosting")).toBe(true);
    expect(mayImport("hosting", "release")).toBe(false);
    expect(mayImport("site", "outputs")).toBe(true);
    expect(mayImport("outputs", "site")).toBe(false);
    expect(mayImport("verify", "release")).toBe(false);
    expect(mayImport("verify", "nowhere")).toBe(false);
  });

  it("are kept by every import", () => {
    const wrong = [...importsIn(["build"])].flatMap(([file, imports]) =>
      imports.filter((to) => !mayImport(folderOf(file), folderOf(to))).map((to) => `${file} imports ${to}`),
    );
    expect(wrong).toEqual([]);
  });

  it("have no module above 600 lines, and a build in at most 120", () => {
    expect(filesIn(["build"], /\.(ts|mjs|js)$/).filter((file) => lengthOf(file) > 600)).toEqual([]);
    expect(lengthOf("build/site/build.ts")).toBeLessThanOrEqual(120);
  });

  it("pass no list of pages as arguments, because V8 allows only some 120,000", () => {
    const scanned = ["build/site", "build/source", "build/exchange"];
    const spreading = filesIn(scanned, /\.ts$/).filter((file) =>
      /\.(?:push|unshift)\(\.\.\./.test(readFileSync(file, "utf8")),
    );
    expect(spreading).toEqual([]);
  });

  it("give scripts no value below the call of their command, which runs before it", () => {
    const late = filesIn(["scripts"], /\.ts$/).filter((file) =>
      /^await command\([^]*^(?:export )?const /m.test(readFileSync(file, "utf8")),
    );
    expect(late).toEqual([]);
  });

  it("have no circular imports", () => {
    const imports = importsIn(["build", "scripts"]);
    const done = new Set<string>();
    const circles: string[] = [];
    const visit = (file: string, way: string[]): void => {
      if (way.includes(file)) circles.push([...way.slice(way.indexOf(file)), file].join(" → "));
      if (done.has(file) || way.includes(file)) return;
      for (const next of imports.get(file) ?? []) visit(next, [...way, file]);
      done.add(file);
    };
    for (const file of imports.keys()) visit(file, []);
    expect(circles).toEqual([]);
  });

  it("have only imports of files that exist", () => {
    const missing = [...importsIn(["build", "scripts"])].flatMap(([file, imports]) =>
      // The website's module of types is written when the website is.
      imports
        .filter((to) => !existsSync(to) && !to.endsWith("website/src/page-api.ts"))
        .map((to) => `${file} imports ${to}`),
    );
    expect(missing).toEqual([]);
  });

  it("use each name of a type for one meaning", () => {
    const declared = new Map<string, string[]>();
    for (const file of filesIn(["build", "scripts"], /(?<!api\.d)\.(ts|mjs|js)$/)) {
      // A template literal may contain the text of another program.
      const text = readFileSync(file, "utf8").replaceAll(/`(?:\\.|[^`\\])*`/g, "``");
      for (const [, alias, name = alias ?? ""] of text.matchAll(
        /^\s*(?:export )?(?:declare )?(?:abstract )?(?:type (\w+)(?:<.*)? =|(?:interface|class|enum) (\w+))/gm,
      ))
        declared.set(name, [...(declared.get(name) ?? []), file]);
      for (const [, type = "", name = ""] of text.matchAll(/@typedef \{(.*)\} (\w+)/g))
        if (!type.endsWith(`.${name}`)) declared.set(name, [...(declared.get(name) ?? []), file]);
    }
    expect(declared.size).toBeGreaterThan(300);
    const shared = [...declared].filter(([, files]) => files.length > 1);
    expect(shared.map(([name, files]) => `${name} is in ${files.join(" and ")}`)).toEqual([]);
  });

  it("let a build without changes start with the parser of options as its only package", async () => {
    const { metafile } = await build({
      entryPoints: ["scripts/build.ts"],
      outdir: "unused",
      bundle: true,
      splitting: true,
      format: "esm",
      platform: "node",
      packages: "external",
      metafile: true,
      write: false,
    });
    const loaded = new Set(["unused/build.js"]);
    for (const file of loaded)
      for (const { kind, path } of metafile.outputs[file]?.imports ?? [])
        if (kind === "import-statement") loaded.add(path);
    expect(loaded.size).toBeGreaterThan(1);
    expect([...loaded].filter((path) => !path.startsWith("unused/") && !path.startsWith("node:"))).toEqual([
      "commander",
    ]);
  });

  it.each(["build/release/worker.ts", "build/hosting/cloudflare/worker.ts"])(
    "let %s run where there are no files",
    async (worker) => {
      const { metafile } = await build({
        entryPoints: [worker],
        outfile: "unused.js",
        bundle: true,
        format: "esm",
        platform: "node",
        metafile: true,
        write: false,
      });
      const imports = metafile.outputs["unused.js"]?.imports.map(({ path }) => path) ?? ["no output"];
      expect(imports.filter((path) => !["node:crypto", "node:zlib"].includes(path))).toEqual([]);
    },
  );

  it("let the editor run in a browser", async () => {
    expect([...(await bundleEditor()).keys()].sort()).toEqual([...MODULES].sort());
  });
});
