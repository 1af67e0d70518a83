import type { HeaderRule } from "../hosting/headers.ts";
import { readHeaders } from "../hosting/read.ts";
import { realPath } from "../base/paths.ts";
import { HEADERS } from "../pipeline/files.ts";
import { LiveBuild, type Changed } from "../pipeline/live.ts";
import type { Built } from "../pipeline/outcome.ts";
import { SourceVanished } from "../sources/read.ts";
import { LivePage } from "./live-page.ts";
import { queue } from "./queue.ts";
import { servePages } from "./server.ts";
import { watchFolder } from "./watch.ts";

export interface DevelopOptions {
  content: string;
  /** The output folder. */
  out: string;
  cache?: string;
  port: number;
  rules: readonly HeaderRule[];
  /** The file of the hosts' headers; the project's own by default. */
  headersFile?: string;
  /** Is told how far the first build is. */
  progress?: ((done: number, of: number) => void) | undefined;
  /** After every build: what came of it, and what changed before it. */
  onBuilt: (built: Built, changed: Changed) => void;
  /** What is to be told besides: what was thrown where a build could not be done, say. */
  onTrouble: (trouble: unknown) => void;
}

export interface Developing {
  baseUrl: string;
  close: () => Promise<void>;
}

/** Sources that change while they are read come to rest; then the build is tried again. */
const AGAIN_MS = 200;

/**
 * Builds, serves, and builds again whenever the sources change. Where they have errors, the pages of the last good
 * build stay. Resolves when the first build is done.
 */
export async function develop(options: DevelopOptions): Promise<Developing> {
  const { port, out, cache, headersFile = HEADERS, onBuilt, onTrouble } = options;
  let { rules, progress } = options;
  const baseUrl = `http://localhost:${port}`;
  const content = realPath(options.content);
  const live = new LiveBuild({
    content,
    out,
    baseUrl,
    cache,
    headersFile,
    browse: true,
    progress: (done, of) => progress?.(done, of),
  });
  const page = new LivePage(live);
  let isReady = false;

  const rebuild = async (changed: Changed): Promise<void> => {
    try {
      const built = await live.update(changed);
      if (built.published !== undefined) {
        isReady = true;
        rules = readHeaders(headersFile).rules;
      }
      progress = undefined;
      page.onBuilt(built);
      onBuilt(built, changed);
    } catch (cause) {
      if (cause instanceof SourceVanished) {
        setTimeout(() => builds.push(changed), AGAIN_MS).unref();
        return;
      }
      page.onBuilt(undefined);
      onTrouble(cause);
    }
  };
  const builds = queue(rebuild);
  const server = await servePages(
    { root: out, rules: () => rules, isReady: () => isReady, live: page },
    port,
  );
  // Watched from before the first build on, so that no change falls between the two.
  const watching = await watchFolder(content, [headersFile], builds.push, onTrouble);
  builds.push(new Set());
  await builds.first;
  return {
    baseUrl,
    close: async () => {
      await watching.close();
      await builds.close();
      live.close();
      await server.close();
    },
  };
}
