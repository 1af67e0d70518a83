/** The options of the tests' processes in every suite. */
export const PROCESSES = {
  setupFiles: ["test/guard/setup.ts"],
  // Node 24 can end a process when V8 frees the code of an import of WebAssembly, which `fetch` uses.
  execArgv: ["--no-wasm-code-gc"],
};
