import type { BuildOptions, Built } from "./outcome.ts";
import { BuildSession } from "./session.ts";

/**
 * Checks the sources and publishes them; if there is an error, it publishes nothing (“Output” in docs/reference.md).
 *
 * @param use called with the result and the session, while no other build can change the output.
 * @throws Locked if another build of the output is running.
 */
export async function build(
  given: BuildOptions,
  use?: (built: Built, session: BuildSession) => Promise<void> | void,
): Promise<Built> {
  const session = new BuildSession(given);
  try {
    const stepped = await session.step();
    const manifestError = session.save();
    const built = manifestError === undefined ? stepped : { ...stepped, manifestError };
    await use?.(built, session);
    session.save();
    return built;
  } finally {
    session.close();
  }
}
