import { createInterface } from "node:readline";
import { build } from "../../build/site/build.ts";
import type { BuildOptions } from "../../build/site/outcome.ts";
import type { Ended } from "./process.ts";

/*
 * A process that builds, also as another user. It prints “ready” after loading its modules. For each line of options it
 * builds, and prints a line with the result, as the command would have ended.
 */
process.stdout.write("ready\n");
for await (const line of createInterface({ input: process.stdin })) {
  const ended = await build(JSON.parse(line) as BuildOptions).then(
    ({ published }): Ended => ({ status: published === undefined ? 1 : 0, stderr: "" }),
    (cause: unknown): Ended => ({ status: 1, stderr: String(cause) }),
  );
  process.stdout.write(`${JSON.stringify(ended)}\n`);
}
