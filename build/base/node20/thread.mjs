// For Node 20, which cannot run TypeScript and whose threads do not inherit the loader of the thread that starts them.
import { register } from "tsx/esm/api";

register();
await import(process.argv[2]);
