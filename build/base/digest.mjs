// Plain JavaScript, because Node 20 runs this file before any TypeScript can run (scripts/compile.mjs).

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** The parts of the program: its code, its required packages and its installed packages. */
const PARTS = ["build", "scripts", "package.json", "package-lock.json", "node_modules/.package-lock.json"];

/** A digest of contents, because two changes within one tick of the clock have the same times. */
export function digestOf(project) {
  const hash = createHash("sha256");
  const add = (part, entry) => {
    const path = join(project, part);
    try {
      const found = entry?.isFile() || entry?.isDirectory() ? entry : statSync(path);
      if (found.isDirectory()) {
        const items = readdirSync(path, { withFileTypes: true });
        for (const item of items.sort((a, b) => (a.name < b.name ? -1 : 1)))
          add(`${part}/${item.name}`, item);
      } else if (found.isFile()) {
        const bytes = readFileSync(path);
        hash.update(`\n${part}\n${bytes.length}\n`).update(bytes);
      }
    } catch {
      // Missing, or removed meanwhile, like a text editor's temporary file. A file that cannot be read cannot be run.
    }
  };
  for (const part of PARTS) add(part);
  return hash.digest("hex");
}
