// For Node 20, like build/pipeline/node20/thread.mjs. A bundle has its bundled thread.ts of this folder here instead.
import { register } from "tsx/esm/api";

register();
await import("../thread.ts");
