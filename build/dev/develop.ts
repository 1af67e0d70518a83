import type { HeaderRule } from "../hosting/headers.ts";
import { realPath } from "../output/layout.ts";
import { build } from "../pipeline/build.ts";
import type { BuildOptions, Built } from "../pipeline/outcome.ts";
import { SourceVanished } from "../sources/read.ts";
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
  /** After every build: what came of it, and the paths that changed before it, as far as that is known. */
  onBuilt: (built: Built, changed: ReadonlySet<string>) => void;
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
  const { port, rules, onBuilt, onTrouble } = options;
  const baseUrl = `http://localhost:${port}`;
  const content = realPath(options.content);
  const buildOptions: BuildOptions = {
    content,
    out: options.out,
    baseUrl,
    cache: options.cache,
    browse: true,
  };
  let isReady = false;

  const rebuild = async (changed: ReadonlySet<string>): Promise<void> => {
    try {
      const built = await build(buildOptions);
      isReady ||= built.published !== undefined;
      onBuilt(built, changed);
    } catch (cause) {
      if (cause instanceof SourceVanished) {
        setTimeout(() => builds.push([...changed]), AGAIN_MS).unref();
        return;
      }
      onTrouble(cause);
    }
  };
  const builds = queue(rebuild);
  const server = await servePages({ root: options.out, rules, isReady: () => isReady }, port);
  // Watched from before the first build on, so that no change falls between the two.
  const watching = await watchFolder(content, builds.push, onTrouble);
  builds.push([]);
  await builds.first;
  return {
    baseUrl,
    close: async () => {
      await watching.close();
      await builds.close();
      await server.close();
    },
  };
}
