import { readdirSync, watch as watchSystem, type FSWatcher } from "node:fs";
import { basename, join, sep } from "node:path";
import {
  isCoarse,
  isUnchanged,
  sameStat,
  recordStat,
  statIfThere,
  type RecordedStat,
  type Stat,
} from "../base/stat.ts";

/** Asks the system to report changes in a folder: `fs.watch`, except in tests. */
export type Watch = (
  path: string,
  options: { recursive: boolean; persistent: false },
  listener: (event: string, name: string | null) => void,
) => Pick<FSWatcher, "close" | "on">;

export interface TreeOptions {
  /** Called with each path that may have changed, after all new folders below it are watched. */
  onChange: (path: string) => void;
  /** Called if anything may have changed. */
  onDoubt: () => void;
  /** Called once with the reason if the system does not watch a folder. */
  onRefusal: (cause: NodeJS.ErrnoException) => void;
  watch?: Watch;
  /** Whether one watch covers all folders below. If not, each folder needs its own. */
  isRecursive?: boolean;
}

interface WatchedFolder {
  path: string;
  inode: number | undefined;
  /** Its stat when its entries were last listed; undefined if they have to be listed again. */
  stat: RecordedStat | undefined;
  files: Map<string, Stat | undefined>;
  folders: Map<string, WatchedFolder>;
  watch: ReturnType<Watch> | undefined;
  isClosed: boolean;
}

/** Maximum milliseconds of one slice of a round while the system reports changes. */
const IDLE_MS = 5;
/** Maximum milliseconds of one slice of a round while the system misses changes. */
const BUSY_MS = 50;
/** Number of files that are compared between two looks at the clock. */
const BATCH_SIZE = 32;
/** Milliseconds between two times of the coarsest clock of a file system. */
const COARSE_MS = 2000;

/**
 * The last known state of a folder and everything below it, with a watch of the system on each folder. Changes are noticed
 * in two ways: the system reports them at once, and a slow round compares every folder and file with its last known state.
 * The round also finds folders that the system does not watch, or no longer watches, and watches them again.
 *
 * A watch belongs to a folder, whatever its path. Each folder is watched before its entries are listed, and reported
 * afterwards. So a change is either reported by the system, or seen by the build that reads the folder after the report.
 */
export class FolderTree {
  private readonly path: string;
  private readonly options: TreeOptions;
  private readonly watch: Watch;
  private readonly isRecursive: boolean;
  private root: WatchedFolder | undefined;
  private round: Generator<void> | undefined;
  /** Whether this round has found a change that the system did not report. */
  private isDeaf = false;
  /** Whether the last round had. */
  private wasDeaf = false;
  private readonly unwatched = new Set<WatchedFolder>();
  /** Whether the system has refused a watch in this round: then no other is requested until the next round. */
  private isRefused = false;
  private isRefusalReported = false;

  constructor(path: string, options: TreeOptions) {
    this.path = path;
    this.options = options;
    this.watch = options.watch ?? watchSystem;
    // FSEvents and ReadDirectoryChangesW cover all folders below; inotify does not.
    this.isRecursive = options.isRecursive ?? ["darwin", "win32"].includes(process.platform);
    this.reopen();
  }

  /** Continues the round for some milliseconds. */
  look(): void {
    const now = statOf(this.path);
    if ((now?.type === "folder" ? now.inode : undefined) !== this.root?.inode) {
      this.reopen();
      this.options.onDoubt();
    }
    if (this.root === undefined) return;
    this.round ??= this.compared(this.root);
    const isSlow = this.unwatched.size > 0 || this.isDeaf || this.wasDeaf;
    const until = performance.now() + (isSlow ? BUSY_MS : IDLE_MS);
    while (performance.now() < until)
      if (this.round.next().done === true) {
        this.round = undefined;
        this.wasDeaf = this.isDeaf;
        this.isDeaf = false;
        this.isRefused = false;
        return;
      }
  }

  close(): void {
    if (this.root) this.forget(this.root);
    this.root = undefined;
    this.round = undefined;
  }

  /** Starts again with the folder that now is at the path, if there is one. */
  private reopen(): void {
    this.close();
    if (statOf(this.path)?.type === "folder") this.root = this.open(this.path);
  }

  private *compared(root: WatchedFolder): Generator<void> {
    const waiting = [root];
    for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
      if (folder.isClosed) continue;
      this.refresh(folder);
      let count = 0;
      for (const name of folder.files.keys()) {
        this.see(folder, name);
        if (++count % BATCH_SIZE === 0) yield;
      }
      for (const [name, below] of folder.folders) {
        this.see(folder, name);
        waiting.push(below);
      }
      yield;
    }
  }

  /** Lists and watches a folder again if its entries may have changed, or if the system does not watch it. */
  private refresh(folder: WatchedFolder): void {
    const now = statOf(folder.path);
    const isSame = now !== undefined && folder.stat !== undefined && isUnchanged(now, folder.stat);
    if (isSame && (this.isRefused || !this.unwatched.has(folder))) return;
    for (const name of this.list(folder))
      if (!folder.files.has(name) && !folder.folders.has(name)) this.see(folder, name);
  }

  /**
   * Compares the entry of a name with its last known state, and reports it if it differs, or if the system reports it. A
   * build reads later than a tick of a fine clock after the report, so it also reads a second change with the same times.
   */
  private see(folder: WatchedFolder, name: string, event?: string): void {
    const path = join(folder.path, name);
    const now = statOf(path);
    const below = folder.folders.get(name);
    // A renamed folder with the same inode may be another folder, because the system reuses inodes.
    if (below && now?.type === "folder" && now.inode === below.inode && event !== "rename") return;
    const before = folder.files.get(name);
    if (below) this.forget(below);
    folder.folders.delete(name);
    const isFolder = now?.type === "folder";
    if (now === undefined || isFolder) folder.files.delete(name);
    else folder.files.set(name, mayKeepTimes(now) ? undefined : now);
    if (isFolder) folder.folders.set(name, this.open(path));
    const isSame = !isFolder && !below && (now && before ? sameStat(now, before) : now === before);
    if (isSame && event === undefined) return;
    if (event === undefined) this.isDeaf = true;
    this.options.onChange(path);
  }

  /** Handles a report of the system about a folder. The name of a recursive watch is a path below the watched folder. */
  private handleEvent(watched: WatchedFolder, event: string, name: string | null): void {
    if (watched.isClosed) return;
    if (name === null) {
      // There were too many changes at once.
      this.options.onDoubt();
      return;
    }
    const names = name.split(sep);
    if (names.some((one) => one.startsWith("."))) return;
    let folder = watched;
    for (const above of names.slice(0, -1)) {
      const below = folder.folders.get(above);
      if (below === undefined) return this.see(folder, above, event);
      folder = below;
    }
    // A folder's own name means that the folder itself was moved or removed.
    if (name === basename(watched.path)) watched.stat = undefined;
    this.see(folder, names.at(-1) ?? "", event);
    if (statOf(this.path) === undefined) this.close();
  }

  private open(path: string): WatchedFolder {
    const folder: WatchedFolder = {
      path,
      inode: undefined,
      stat: undefined,
      files: new Map(),
      folders: new Map(),
      watch: undefined,
      isClosed: false,
    };
    for (const name of this.list(folder)) {
      const below = join(path, name);
      const now = statOf(below);
      if (now?.type === "folder") folder.folders.set(name, this.open(below));
      else if (now) folder.files.set(name, mayKeepTimes(now) ? undefined : now);
    }
    return folder;
  }

  /** The names in a folder, which is watched before it is listed. */
  private list(folder: WatchedFolder): string[] {
    this.rewatch(folder);
    const now = statOf(folder.path);
    folder.inode = now?.inode;
    try {
      const names = readdirSync(folder.path).filter((name) => !name.startsWith("."));
      folder.stat = now && recordStat(now);
      return names;
    } catch {
      // The folder was removed, or is not readable. A later round tries again.
      folder.stat = undefined;
      return [];
    }
  }

  private rewatch(folder: WatchedFolder): void {
    if (this.isRecursive && folder.path !== this.path) return;
    folder.watch?.close();
    folder.watch = undefined;
    this.unwatched.add(folder);
    if (this.isRefused) return;
    const refused = (cause: NodeJS.ErrnoException): void => {
      folder.watch?.close();
      folder.watch = undefined;
      if (folder.isClosed || cause.code === "ENOENT") return;
      this.unwatched.add(folder);
      this.isRefused = true;
      if (!this.isRefusalReported) this.options.onRefusal(cause);
      this.isRefusalReported = true;
    };
    try {
      const listener = (event: string, name: string | null): void => this.handleEvent(folder, event, name);
      const watch = this.watch(folder.path, { recursive: this.isRecursive, persistent: false }, listener);
      folder.watch = watch;
      watch.on("error", refused);
      this.unwatched.delete(folder);
    } catch (cause) {
      refused(cause as NodeJS.ErrnoException);
    }
  }

  private forget(folder: WatchedFolder): void {
    folder.isClosed = true;
    folder.watch?.close();
    this.unwatched.delete(folder);
    for (const below of folder.folders.values()) this.forget(below);
  }
}

/** Undefined if nothing exists at the path, or if it is not readable. */
function statOf(path: string): Stat | undefined {
  try {
    return statIfThere(path);
  } catch {
    return undefined;
  }
}

/** Whether a file is so young, by a coarse clock, that a later change may not change its times. */
const mayKeepTimes = ({ ctime }: Stat): boolean =>
  isCoarse(ctime) && Math.abs(Date.now() - ctime) < COARSE_MS;
