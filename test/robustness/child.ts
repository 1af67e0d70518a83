import { build, type BuildOptions } from "../../build/pipeline.ts";

/*
 * A build in a process of its own, also as another user. Says "ready" once its modules are loaded, waits for a byte,
 * and ends with the exit status that the command would have.
 */
const options = JSON.parse(process.argv[2] ?? "{}") as BuildOptions;
process.stdout.write("ready\n");
await new Promise((resolve) => process.stdin.once("data", resolve));
process.stdin.destroy();
const { published } = await build(options);
process.stdout.write("done\n");
process.exitCode = published === undefined ? 1 : 0;
