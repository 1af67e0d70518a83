// For Node 20, which cannot run TypeScript and whose threads do not inherit the loader of the thread that starts them.
// In a bundle (scripts/node20/) the bundled thread.ts is here instead.
import { register } from "tsx/esm/api";

register();
await import("../thread.ts");
