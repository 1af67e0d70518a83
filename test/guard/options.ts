import { gitEnvironment } from "../../build/sources/git.ts";

// In a hook, git names its repository to the tests, which have repositories of their own.
const own = gitEnvironment();
for (const name of Object.keys(process.env)) if (!(name in own)) delete process.env[name];

/** The options of Node with which a process and its threads run TypeScript. */
export const RUNS_TYPESCRIPT = ["--import", new URL("typescript.mjs", import.meta.url).href];

/** The options of the tests' processes in every suite. */
export const PROCESSES = {
  setupFiles: ["test/guard/setup.ts"],
  // Node 24 can end a process when V8 frees the code of an import of WebAssembly, which `fetch` uses.
  execArgv: ["--no-wasm-code-gc", ...RUNS_TYPESCRIPT],
};
