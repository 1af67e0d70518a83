import { register } from "tsx/esm/api";

// A thread of Node 20 does not inherit the loader of the thread that starts it.
register();
await import("./taker.ts");
