import type { HeaderRule } from "../hosting/headers.ts";
import { readHeaders } from "../hosting/read.ts";
import { realPath } from "../base/paths.ts";
import { HEADERS_FILE } from "../base/project.ts";
import { LiveBuild, type Changed } from "../pipeline/live.ts";
import { instantFor, type Built } from "../pipeline/outcome.ts";
import { SourceVanished } from "../sources/read.ts";
import { Editing } from "./editing.ts";
import { AsOf } from "./as-of.ts";
import { LivePage } from "./live-page.ts";
import { queue } from "./queue.ts";
import { servePages } from "./server.ts";
import { SourceFolder } from "./source-folder.ts";
import { watchFolder, type WatchOptions } from "./watch.ts";

export interface DevelopOptions {
  content: string;
  /** The output folder. */
  out: string;
  cache?: string;
  port: number;
  /** The instant at which pages are live or not; by default the current time, which is followed. */
  at?: number | undefined;
  rules: readonly HeaderRule[];
  /** The file of the hosts' headers; the project's own by default. */
  headersFile?: string;
  /** Is told how far the first build is. */
  progress?: ((done: number, of: number) => void) | undefined;
  /** How the sources are watched, if not as usual. */
  watching?: WatchOptions | undefined;
  /** After every build: what came of it, and what changed before it. */
  onBuilt: (built: Built, changed: Changed) => void;
  /** What is to be told besides: what was thrown where a build could not be done, say. */
  onTrouble: (trouble: unknown) => void;
}

export interface Developing {
  baseUrl: string;
  close: () => Promise<void>;
}

/** Milliseconds until a build that failed is tried again; twice as long each time, up to the maximum. */
const AGAIN_MS = 200;
const MAX_AGAIN_MS = 5000;
/** Maximum failures of sources that change while they are read, before they are reported: most come to rest. */
const MAX_CHANGING = 5;
/** Maximum milliseconds until time is looked at again: a timer cannot wait for longer than 24 days. */
// tuning: a build with nothing to do shows nothing
const MAX_PAUSE_MS = 24 * 3_600_000;

/**
 * Builds, serves, and builds again whenever the sources change. Where they have errors, the pages of the last good
 * build stay. Resolves when the first build is done.
 */
export async function develop(options: DevelopOptions): Promise<Developing> {
  const { port, out, cache, headersFile = HEADERS_FILE, onBuilt, onTrouble } = options;
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
    // Nobody keeps a copy of a preview, and each save stays quick.
    bulk: false,
    progress: (done, of) => progress?.(done, of),
  });
  const page = new LivePage(live);
  const sources = new SourceFolder(content, live);
  let isReady = false;
  let failures = 0;
  let reported: string | undefined;

  /** Reports a failure once, and tries again: no save may wait for the next one. */
  const fail = (cause: unknown): void => {
    const pause = Math.min(AGAIN_MS * 2 ** failures++, MAX_AGAIN_MS);
    setTimeout(() => builds.push(new Set()), pause).unref();
    if (cause instanceof SourceVanished && failures <= MAX_CHANGING) return;
    page.onBuilt(undefined);
    const text = String(cause);
    if (text !== reported) onTrouble(cause);
    reported = text;
  };

  /** Builds again when the next page goes live or expires. */
  let alarm: NodeJS.Timeout | undefined;
  const waitForChange = (): void => {
    clearTimeout(alarm);
    const next = live.nextChange();
    if (next === undefined) return;
    const pause = Math.min(Math.max(0, next - instantFor({ content })), MAX_PAUSE_MS);
    alarm = setTimeout(() => builds.push(new Set()), pause).unref();
  };

  const rebuild = async (changed: Changed): Promise<void> => {
    try {
      const built = await live.update(changed, asOf.instant);
      sources.onChanged();
      if (built.published !== undefined) {
        isReady = true;
        rules = readHeaders(headersFile).rules;
      }
      failures = 0;
      reported = undefined;
      progress = undefined;
      page.onBuilt(built, asOf.instant);
      onBuilt(built, changed);
      if (asOf.instant === undefined) waitForChange();
    } catch (cause) {
      fail(cause);
    }
  };
  const builds = queue(rebuild);
  const asOf: AsOf = new AsOf(options.at, () => builds.push(new Set()));
  const editing = new Editing(sources);
  const server = await servePages(
    { root: out, rules: () => rules, isReady: () => isReady, live: page, asOf, editing },
    port,
  );
  // Watched from before the first build on, so that no change falls between the two.
  const watching = watchFolder(content, [headersFile], builds.push, onTrouble, options.watching);
  builds.push(new Set());
  await builds.first;
  return {
    baseUrl,
    close: async () => {
      clearTimeout(alarm);
      watching.close();
      await builds.close();
      live.close();
      await server.close();
    },
  };
}
