import { join, relative } from "node:path";
import { API } from "../base/api.ts";
import { objectIn } from "../source/json/object.ts";
import { type Changed, together, WatchBuild } from "../site/watch-build.ts";
import { SourceReader, SourceMissing } from "../source/read.ts";
import type { HeaderRule } from "../hosting/headers.ts";
import { readHeaders } from "../hosting/conformance.ts";
import { millisecondsOf, type Instant } from "../base/instant.ts";
import { Failure } from "../base/failure.ts";
import { realPath } from "../base/paths.ts";
import { PROGRAM_HEADERS } from "../base/folders.ts";
import type { PageModel } from "../model/page.ts";
import { languagesIn } from "../model/languages.ts";
import { modelOf } from "../model/types.ts";
import { writeSiteSchema } from "../change/schema.ts";
import { SITE, TYPES } from "../source/site-files.ts";
import { programModel } from "../model/program-model.ts";
import type { Built } from "../site/outcome.ts";
import { completeChange } from "../source/journal.ts";
import { asOfControl, editingOf } from "./editing.ts";
import { LivePage } from "./live-page.ts";
import { servePages } from "./server.ts";
import { SourceFolder } from "./source-folder.ts";
import { watchFolder, type WatchOptions } from "./watch.ts";

/** Maximum number of changed files whose addresses are printed: more changes are not made by hand. */
const MAX_PRINTED = 5;

/** The saved files, such as `visit/index.json`, each with the address of its page in the preview. */
export function addressesOf(
  content: string,
  changed: Changed,
  baseUrl: string,
): [file: string, address: string][] {
  if (changed === "anything" || changed.size > MAX_PRINTED) return [];
  const found: [string, string][] = [];
  for (const path of [...changed].sort()) {
    const id = path.endsWith(".json") ? idIn(path) : undefined;
    if (id !== undefined) found.push([relative(content, path), `${baseUrl}${API}${id}/`]);
  }
  return found;
}

export const homeOf = (content: string, baseUrl: string): [file: string, address: string][] =>
  addressesOf(content, new Set([join(content, "index.json")]), baseUrl);

/** The id in a file; undefined if the file has none, is a draft, or does not exist. */
function idIn(path: string): number | undefined {
  if (/[\\/]_[^\\/]*$/.test(path)) return undefined;
  const id = objectIn(new SourceReader().textOf(path) ?? "")?.["id"];
  return typeof id === "number" ? id : undefined;
}

/** Milliseconds without a change after which a burst of changes is over. */
const QUIET_MS = 10;
/** Maximum milliseconds to wait for the end of a burst. */
const MAX_WAIT_MS = 1000;

/**
 * Runs `run` with all changes since its last start: once after a burst of changes, and once more if something changed
 * meanwhile. Only one run is active at a time.
 */
export function queue(run: (changed: Changed) => Promise<void>) {
  let waiting: Changed = new Set();
  let isAsked = false;
  let isClosed = false;
  let running: Promise<void> | undefined;
  let since = 0;
  let timer: NodeJS.Timeout | undefined;
  let hasRun: (() => void) | undefined;
  const first = new Promise<void>((resolve) => {
    hasRun = resolve;
  });

  const start = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const changed = waiting;
    waiting = new Set();
    isAsked = false;
    running = run(changed).finally(() => {
      running = undefined;
      hasRun?.();
      if (isAsked) schedule();
    });
  };
  const schedule = (): void => {
    if (isClosed || running !== undefined) return;
    const now = performance.now();
    if (timer === undefined) since = now;
    clearTimeout(timer);
    timer = setTimeout(start, Math.max(0, Math.min(QUIET_MS, since + MAX_WAIT_MS - now)));
  };
  return {
    /** Resolves when the first run has ended. */
    first,
    /** Adds a change and schedules a run. */
    push: (changed: Changed): void => {
      waiting = together(waiting, changed);
      isAsked = true;
      schedule();
    },
    /** Runs with “anything” at once, unless changes are waiting or another run is active. @returns whether it did */
    compare: (): boolean => {
      if (isClosed || isAsked || running !== undefined) return false;
      waiting = "anything";
      start();
      return true;
    },
    /** Stops; resolves when the current run has ended. */
    close: async (): Promise<void> => {
      isClosed = true;
      clearTimeout(timer);
      await running;
    },
  };
}

export type Developing = Awaited<ReturnType<typeof develop>>;

export interface DevelopOptions {
  content: string;
  /** The page types of the site; the program's own by default. */
  model?: PageModel | undefined;
  out: string;
  cache: string;
  port: number;
  /** The instant that decides which pages are live; by default the current time, which moves on. */
  at?: Instant | undefined;
  rules: readonly HeaderRule[];
  /** The path of `_headers`; the program's own by default. */
  headersFile?: string;
  /** The origin of a website that shows the pages and drafts, also beside the form. */
  website?: string | undefined;
  /** Called with the progress of the first build. */
  progress?: ((done: number, of: number) => void) | undefined;
  watching?: WatchOptions | undefined;
  /** Called after every build, with its result and the changes that it includes. */
  onBuilt: (built: Built, changed: Changed) => void;
  /** Called with other messages, and with the error if a build fails. */
  onTrouble: (trouble: unknown) => void;
}

/** Milliseconds until a failed build is tried again; doubles each time, up to `MAX_AGAIN_MS`. */
const AGAIN_MS = 200;
/** Maximum milliseconds until a failed build is tried again. */
const MAX_AGAIN_MS = 5000;
/** Maximum failures because a source changes during a build, before one is reported: most sources soon stop changing. */
const MAX_CHANGING = 5;
/** Minimum milliseconds between two comparisons of everything. */
const COMPARE_MS = 500;
/** The pause after a comparison, as a multiple of its processor time: so comparisons take 1.25 % of a processor. */
const PAUSE = 80;
/** The same, if the system does not watch all folders, or has not reported the last change. */
const SHORT_PAUSE = 10;
/** Maximum milliseconds of a timer for the next page that goes live: timers cannot wait for longer than 24 days. */
const MAX_PAUSE_MS = 24 * 3_600_000;

/**
 * Builds and serves the pages, and builds again whenever the sources change. If the sources have errors, the pages of the
 * last valid build stay. Resolves after the first build.
 */
export async function develop(options: DevelopOptions) {
  const {
    model = programModel,
    port,
    out,
    cache,
    headersFile = PROGRAM_HEADERS,
    onBuilt,
    onTrouble,
  } = options;
  let { rules, progress } = options;
  const { compareMs = COMPARE_MS } = options.watching ?? {};
  const baseUrl = `http://localhost:${port}`;
  const content = realPath(options.content);
  completeChange(content);
  const live = new WatchBuild({
    content,
    model: options.model,
    out,
    baseUrl,
    cache,
    headersFile,
    browse: true,
    // The preview serves the editor itself.
    editor: false,
    progress: (done, of) => progress?.(done, of),
  });
  const sources = new SourceFolder(content, live, model);
  const page = new LivePage(live, sources, options.website);
  let isReady = false;
  let failures = 0;
  let reported: string | undefined;

  /** Reports a failure once, and tries again without waiting for the next save. */
  const fail = (cause: unknown): void => {
    const pause = Math.min(AGAIN_MS * 2 ** failures++, MAX_AGAIN_MS);
    setTimeout(() => builds.push(new Set()), pause).unref();
    if (cause instanceof SourceMissing && failures <= MAX_CHANGING) return;
    page.onBuilt(undefined);
    const text = String(cause);
    if (text !== reported) onTrouble(cause);
    reported = text;
  };

  let declared = "";
  /** While the types have errors, which the build reports, the schema stays. */
  const refreshSchema = (): void => {
    const [types, site] = [TYPES, SITE].map((file) => new SourceReader().textOf(join(content, file)));
    const now = JSON.stringify([types, languagesIn(site)]);
    if (now === declared) return;
    declared = now;
    try {
      writeSiteSchema(content, modelOf(content, model));
    } catch (cause) {
      if (!(cause instanceof Failure)) onTrouble(cause);
    }
  };

  /** Builds again when the next page goes live or expires. */
  let alarm: NodeJS.Timeout | undefined;
  const waitForChange = (): void => {
    clearTimeout(alarm);
    const next = live.nextChange();
    if (next === undefined) return;
    const pause = Math.min(Math.max(0, millisecondsOf(next) - Date.now()), MAX_PAUSE_MS);
    alarm = setTimeout(() => builds.push(new Set()), pause).unref();
  };

  /** Compares everything again and again, because no system reports every change; sooner if it reports too few. */
  let comparison: NodeJS.Timeout | undefined;
  let isWatched = true;
  const compareLater = (pause: number): void => {
    clearTimeout(comparison);
    comparison = setTimeout(() => {
      if (!builds.compare()) compareLater(compareMs);
    }, pause).unref();
  };

  const rebuild = async (changed: Changed): Promise<void> => {
    const start = process.cpuUsage();
    let wasMissed = false;
    try {
      refreshSchema();
      const built = await (changed === "anything"
        ? live.compare(asOf.instant)
        : live.update(changed, asOf.instant));
      if (built === undefined) return;
      wasMissed = true;
      sources.forgetThings();
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
    } finally {
      const { user, system } = process.cpuUsage(start);
      const times = isWatched && !wasMissed ? PAUSE : SHORT_PAUSE;
      if (changed === "anything") compareLater(Math.max(compareMs, ((user + system) / 1000) * times));
    }
  };
  const builds = queue(rebuild);
  const asOf = asOfControl(options.at, () => builds.push(new Set()));
  const editing = editingOf(sources);
  const server = await servePages(
    {
      root: out,
      rules: () => rules,
      isReady: () => builds.first.then(() => isReady),
      live: page,
      asOf,
      editing,
    },
    port,
  );
  // The watch starts before the first build, so that no change is missed between the two.
  const watching = watchFolder(
    content,
    [headersFile],
    builds.push,
    (trouble) => {
      isWatched = false;
      onTrouble(trouble);
    },
    options.watching,
  );
  builds.push(new Set());
  await builds.first;
  compareLater(compareMs);
  return {
    baseUrl,
    close: async () => {
      clearTimeout(alarm);
      clearTimeout(comparison);
      watching.close();
      await builds.close();
      live.close();
      await server.close();
    },
  };
}
