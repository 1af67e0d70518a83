import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { SourceFolder } from "../../build/dev/source-folder.ts";
import { programModel } from "../../build/model/program-model.ts";
import { commit, repository } from "../change/diff/repository.ts";
import { general, workplace, write } from "../site/site.ts";

const folderIn = (content: string): SourceFolder => {
  const known = { fileOf: () => undefined, claims: () => Promise.resolve(undefined), newest: () => NEWEST };
  return new SourceFolder(content, known, programModel);
};
const NEWEST: [string, number][] = [["visit/shop.json", Date.UTC(2026, 0, 2)]];

it("lists what git does not have yet, then the files of the last commits, without imports", async () => {
  const { content, folder } = repository("edited-last");
  for (let k = 0; k < 501; k++) write(content, `visit/_more/p${k}.json`, "{}");
  commit(folder);
  write(content, "about.json", general(2, "About us"));
  commit(folder);
  for (const [file, second] of [
    ["visit/cafe.json", 10],
    ["visit/tea.json", 20],
  ] as const) {
    write(content, file, general(second, "Edited"));
    utimesSync(join(content, file), second, second);
  }
  const files = (await folderIn(content).editedLast(4)).map(([file]) => file);
  expect(files).toEqual(["visit/tea.json", "visit/cafe.json", "about.json", expect.any(String)]);
  expect(files.join()).not.toContain("_more");
});

it("uses the times of the files if there is no git", async () => {
  const { content } = workplace("edited-last-without-git");
  mkdirSync(content, { recursive: true });
  writeFileSync(join(content, "..", ".git"), "gitdir: nowhere");
  expect(await folderIn(content).editedLast(1)).toEqual([["visit/shop.json", "2026-01-02T00:00:00.000Z"]]);
});
