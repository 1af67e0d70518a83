import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { PROGRAM_FOLDER } from "../../../build/base/folders.ts";
import { runHere } from "../../command.ts";
import { FIXTURE_SITE } from "../../fixtures.ts";
import { scratch } from "../../scratch.ts";
import { write } from "../../site/site.ts";
import { tsc } from "./validators.ts";

/** The module of the guide. */
const MODULE =
  /```js\n([^]*?)```/
    .exec(readFileSync(join(PROGRAM_FOLDER, "docs", "collection.md"), "utf8"))?.[1]
    ?.replaceAll(/^ {3}/gm, "") ?? "";

const ADOPT = `adopt: (page) => String(page["acno"]),\n  page:`;
const WITHOUT_RETURNS = /.*@returns.*\n/;

/** The first line of a mistake, and changes of the module. */
const MODULES: [what: string, problem: string | undefined, ...changes: [RegExp | string, string][]][] = [
  ["the module of the guide", undefined],
  ["fields without values", undefined, [/dateText: .*,/, "dateText: undefined, medium: null,"]],
  ["pages that are there", undefined, [WITHOUT_RETURNS, ""], ["page:", ADOPT], [/ {4}title: .*\n/, ""]],
  ["a misspelt field", "  acnp: 1,", ["acno:", "acnp: 1,\n    acno:"]],
  ["misspelt meta field", '"artworks.ArtworkPage", seo_titel', ["ArtworkPage", 'ArtworkPage", seo_titel: "']],
  ["a member that an object lacks", "classification", ["id: 3", "id: 3, idd: 3"]],
  ["a value of another kind", "dateText", [WITHOUT_RETURNS, ""], [/dateText: .*,/, "dateText: 1815,"]],
  ["an object with a wrong value", "classification", ["id: 3", 'id: "3"']],
  ["an unknown type", "ArtworkPag", ["ArtworkPage", "ArtworkPag"]],
  ["a field of another type", "page:", ["artworks.ArtworkPage", "standardpages.GeneralPage"]],
  ["a missing field", "page:", [/ {4}title: .*\n/, ""]],
  ["no place", "page:", [/ {4}slug: .*\n/, ""]],
];

const folder = scratch("source-types");
let found: string[] = [];

beforeAll(async () => {
  write(folder, "package.json", { type: "module" });
  const installed = "node_modules/static-page-api";
  write(folder, `${installed}/package.json`, { exports: { ".": { types: "./index.d.ts" } } });
  copyFileSync(join(PROGRAM_FOLDER, "scripts/api.d.ts"), join(folder, installed, "index.d.ts"));
  for (const [k, [, , ...changes]] of MODULES.entries()) {
    const text = changes.reduce((module, [from, to]) => module.replace(from, to), MODULE);
    writeFileSync(join(folder, `${k}.mjs`), text);
  }
  await runHere("types", ["--sources", "--site", folder, "--content", FIXTURE_SITE]);
  write(folder, "tsconfig.json", {
    compilerOptions: {
      checkJs: true,
      noEmit: true,
      strict: true,
      exactOptionalPropertyTypes: true,
      module: "nodenext",
    },
  });
  found = tsc(folder).split("\n");
});

it.each(MODULES.map(([what, problem], k) => [what, problem, k] as const))("%s", (_, problem, k) => {
  const lines = found.filter((line) => line.startsWith(`${k}.mjs(`));
  const text = readFileSync(join(folder, `${k}.mjs`), "utf8").split("\n");
  const at = lines.map((line) => text[Number(/\((\d+)/.exec(line)?.[1]) - 1]);
  expect(at.map((line) => line?.includes(problem ?? line))).toEqual(problem === undefined ? [] : [true]);
});

it("declares nothing that TypeScript refuses", () => {
  expect(found.filter((line) => line.includes("error") && !/^\d+\.mjs\(/.test(line))).toEqual([]);
});
