import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PROGRAM_FOLDER } from "../build/base/folders.ts";
import { filesBelow } from "./files.ts";

/** Working folder for commands that need no folder of their own. It has no `content/`. */
export const FIXTURES = join(PROGRAM_FOLDER, "test", "fixtures");

/** A whole site for tests, with pages of every type. Tests do not use `content/`, because its pages change. */
export const FIXTURE_SITE = join(FIXTURES, "site");

/** A museum of natural history: a whole site with page types, blocks, pictures and accession numbers of its own. */
export const NATURE_SITE = join(FIXTURES, "nature");

/** The texts of the files in a folder of the fixtures, by their paths. */
export const textsIn = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    filesBelow(join(FIXTURES, folder)).map((file) => [
      file,
      readFileSync(join(FIXTURES, folder, file), "utf8"),
    ]),
  );
