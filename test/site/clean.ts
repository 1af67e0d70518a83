import { build } from "../../build/site/build.ts";
import type { BuildOptions } from "../../build/site/outcome.ts";
import { treeOf } from "../files.ts";
import { MEMORY } from "../scratch.ts";
import { workplace } from "./site.ts";

/** The output of a build that knows no earlier one, elsewhere and in memory. */
export async function cleanTree(content: string, options: Partial<BuildOptions> = {}, pattern?: RegExp) {
  const { out, cache, remove } = workplace("clean", MEMORY);
  await build({ content, out, cache, ...options });
  const tree = treeOf(out, pattern);
  remove();
  return tree;
}
