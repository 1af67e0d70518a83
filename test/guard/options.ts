import { digestOf } from "../../build/base/digest.mjs";
import { PROGRAM_FOLDER } from "../../build/base/folders.ts";
import { gitEnvironment } from "../../build/source/git.ts";

// In a hook, git names its repository to the tests, which have repositories of their own.
const own = gitEnvironment();
for (const name of Object.keys(process.env)) if (!(name in own)) delete process.env[name];

/** The options of Node with which a process and its threads run TypeScript. */
export const RUNS_TYPESCRIPT = ["--import", new URL("typescript.mjs", import.meta.url).href];

/** The options of the tests' processes in every suite. */
export const PROCESSES = {
  setupFiles: ["test/guard/setup.ts"],
  // Many times what a wait takes, because no test fails on a busy machine.
  expect: { poll: { timeout: 100_000 } },
  // Node 24 can end a process when V8 frees the code of an import of WebAssembly, which `fetch` uses.
  execArgv: ["--no-wasm-code-gc", ...RUNS_TYPESCRIPT],
};

/** As in compiled code: a build in the tests' process need not read the whole program again. */
export const DEFINE = { COMPILED: JSON.stringify(digestOf(PROGRAM_FOLDER)) };
