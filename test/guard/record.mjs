// Records the first use that this process makes of the project's `content/`. Every Node process of a test loads this module
// first, so it is JavaScript, which every version of Node runs as it is.

import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { dirname, join, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

const PROJECT = dirname(dirname(import.meta.dirname));
const CONTENT = join(PROJECT, "content");
const { appendFileSync } = fs;

/** The first use of each test file or process is enough: its stack names the line to change. */
let recordedIn;
function add(use) {
  const record = process.env.USES_OF_CONTENT;
  if (recordedIn === record) return;
  recordedIn = record;
  appendFileSync(record, `${process.argv.join(" ")}\n${new Error(use).stack}\n\n`);
}

/** Functions whose second argument is also a path. */
const TWO_PATHS = /^(?:cp|copyFile|link|rename|symlink)(?:Sync)?$/;

/** The program looks for a site in the folders above, and for its page types, and a test may run in the project. */
const isSearch = (name, path) =>
  name === "existsSync" && [join(CONTENT, "_site.json"), join(CONTENT, "_types.json")].includes(path);

const isInside = (path) => path === CONTENT || path.startsWith(CONTENT + sep);

/** The path below `content/` of an argument; undefined for data, descriptors and other paths. */
function pathIn(argument) {
  // Most paths are absolute and normalized already.
  if (typeof argument === "string" && argument.startsWith("/") && !/\/(?:[/.]|$)/.test(argument))
    return isInside(argument) ? argument : undefined;
  if (typeof argument !== "string" && !Buffer.isBuffer(argument) && !(argument instanceof URL))
    return undefined;
  const path = resolve(argument instanceof URL ? fileURLToPath(argument) : String(argument));
  return isInside(path) ? path : undefined;
}

function recorded(name, original) {
  const count = TWO_PATHS.test(name) ? 2 : 1;
  const wrapper = function (...args) {
    for (const argument of args.slice(0, count)) {
      const path = pathIn(argument);
      if (path !== undefined && !isSearch(name, path)) add(`${name} ${path}`);
    }
    return original.apply(this, args);
  };
  return Object.defineProperties(wrapper, Object.getOwnPropertyDescriptors(original));
}

for (const functions of [fs, fs.promises])
  for (const [name, value] of Object.entries(functions))
    if (typeof value === "function" && /^[a-z]/.test(name)) functions[name] = recorded(name, value);
syncBuiltinESMExports();
