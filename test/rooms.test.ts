import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import { ROOMS } from "../build/rooms.ts";

const rooms = Object.keys(ROOMS);
const roomOf = (file: string): string => file.split("/")[1] ?? "";

/** Every module of the program, and what it imports of it: types and what is loaded later too. */
function importsIn(folders: string[]): Map<string, string[]> {
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(ts|mjs)$/.test(name))
      .map((name) => join(folder, name)),
  );
  return new Map(
    files.map((file) => {
      const text = readFileSync(file, "utf8");
      const named = [...text.matchAll(/(?:\bfrom|\bimport|new URL)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g)];
      return [file, named.map(([, path = ""]) => join(dirname(file), path))];
    }),
  );
}

describe("the map of the program", () => {
  it("has every folder of build/, and nothing else lies there", () => {
    const files = readdirSync("build", { recursive: true, encoding: "utf8" }).filter((name) =>
      /\.\w+$/.test(name),
    );
    const found = new Set(files.map((name) => name.split("/")[0]).filter((name) => name !== "rooms.ts"));
    expect(found).toEqual(new Set(rooms));
  });

  it("is kept by every import: from a room to itself or to one above it", () => {
    const wrong = [...importsIn(["build"])].flatMap(([file, imports]) =>
      imports
        .filter(
          (to) => to !== "build/rooms.ts" && !(rooms.indexOf(roomOf(to)) <= rooms.indexOf(roomOf(file))),
        )
        .map((to) => `${file} imports ${to}`),
    );
    expect(wrong).toEqual([]);
  });

  it("has one door to the fast path", () => {
    const inside = new Set(["claims", "plan", "print", "scan"].map((name) => `build/response/${name}.ts`));
    const wrong = [...importsIn(["build", "scripts", "test"])].flatMap(([file, imports]) =>
      imports
        .filter((to) => inside.has(to) && !file.startsWith("build/response/"))
        .map((to) => `${file} imports ${to}`),
    );
    expect(wrong).toEqual([]);
  });

  it("has no circles of imports", () => {
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

  it("knows only imports of files that there are", () => {
    const missing = [...importsIn(["build", "scripts"])].flatMap(([file, imports]) =>
      imports.filter((to) => !existsSync(to)).map((to) => `${file} imports ${to}`),
    );
    expect(missing).toEqual([]);
  });

  it("lets a build with nothing to do start without any package", async () => {
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
    expect([...loaded].filter((path) => !path.startsWith("unused/") && !path.startsWith("node:"))).toEqual(
      [],
    );
  });
});
