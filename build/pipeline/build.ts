import { OpenBuild } from "./open.ts";
import type { BuildOptions, Built } from "./outcome.ts";

/**
 * Checks the sources and publishes them; if there is an error, it publishes nothing (“Output” in docs/design.md).
 *
 * @param use called with the result and the open build, while no other build can change the output.
 * @throws Locked if another build of the output is running.
 */
export async function build(
  given: BuildOptions,
  use?: (built: Built, open: OpenBuild) => Promise<void> | void,
): Promise<Built> {
  const open = new OpenBuild(given);
  try {
    const stepped = await open.step();
    const manifestError = open.save();
    const built = manifestError === undefined ? stepped : { ...stepped, manifestError };
    await use?.(built, open);
    open.save();
    return built;
  } finally {
    open.close();
  }
}
