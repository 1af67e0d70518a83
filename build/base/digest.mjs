// Plain JavaScript, as Node 20 runs it before there is anything that it can run of the rest (scripts/node20/).

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** What the program is made of: its code, and which packages it wants and has. */
const PARTS = ["build", "scripts", "package.json", "package-lock.json", "node_modules/.package-lock.json"];

/** By contents, as times tell nothing of two changes within a tick of the clock. */
export function digestOf(project) {
  const hash = createHash("sha256").update(process.version);
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
      // Not there, or gone meanwhile, like what editors keep beside a file: what cannot be read cannot be run.
    }
  };
  for (const part of PARTS) add(part);
  return hash.digest("hex");
}
