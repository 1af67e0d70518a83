// For Node 20, as build/pipeline/node20/thread.mjs; in a bundle the bundled thread.ts of this folder is here instead.
import { register } from "tsx/esm/api";

register();
await import("../thread.ts");
