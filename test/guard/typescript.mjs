// Loaded first by the tests' processes, and by each of their threads: Node 20 cannot run TypeScript, and a thread does not
// inherit the loader of the thread that starts it.
if (!process.features.typescript) (await import("tsx/esm/api")).register();
