import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { watchFolder, type Watch } from "../../build/dev/watch.ts";
import type { Changed } from "../../build/site/watch-build.ts";
import { scratch } from "../scratch.ts";

/** A file watcher that reports changes when the test calls it. */
class System {
  /** The listener of each watched folder. */
  readonly tells = new Map<string, (event: string, name: string | null) => void>();
  /** Maximum number of watched folders. */
  most = Infinity;
  asked = 0;

  readonly watch: Watch = (path, _, tell) => {
    this.asked++;
    if (this.tells.size >= this.most)
      throw Object.assign(new Error("System limit for number of file watchers reached"), { code: "ENOSPC" });
    this.tells.set(path, tell);
    return { close: () => void this.tells.delete(path), on: () => ({}) as never };
  };
}

let folder: string;
let headers: string;
let changes: Changed[];
let troubles: string[];
let system: System;
let watching: ReturnType<typeof watchFolder> | undefined;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const place = scratch("watch");
  folder = join(place, "content");
  headers = join(place, "_headers");
  mkdirSync(join(folder, "visit/rooms"), { recursive: true });
  writeFileSync(join(folder, "visit/rooms/one.json"), "{}");
  writeFileSync(headers, "/\n");
  changes = [];
  troubles = [];
  system = new System();
});
afterEach(() => {
  watching?.close();
  vi.useRealTimers();
});

const onChange = (changed: Changed): void => void changes.push(changed);
const start = (isRecursive = false): void => {
  const { watch } = system;
  watching = watchFolder(folder, [headers], onChange, (trouble) => void troubles.push(trouble), {
    watch,
    isRecursive,
  });
};
const tell = (path: string, event: string, name: string | null): void =>
  system.tells.get(join(folder, path))?.(event, name);

const one = (path: string): Changed => new Set([join(folder, path)]);

/* `following.slow.ts` renames, replaces and removes folders. */
describe("a watched folder", () => {
  it("is reported by paths from the top if one watch covers all folders", () => {
    start(true);
    expect(system.asked).toBe(1);
    tell("", "change", join("visit", "rooms", "one.json"));
    mkdirSync(join(folder, "new/er"), { recursive: true });
    tell("", "rename", join("new", "er"));
    tell("", "change", join("visit", ".git", "index"));
    expect(changes).toEqual([one("visit/rooms/one.json"), one("new/er")]);
  });

  it("is watched in part if the system has too few watches, and the reason is reported once", () => {
    system.most = 1;
    start();
    mkdirSync(join(folder, "new"));
    tell("", "rename", "new");
    expect(changes).toEqual([one("new")]);
    expect(troubles).toEqual([expect.stringContaining("max_user_watches")]);
    system.most = Infinity;
    tell("", "rename", "new");
    expect(system.tells.has(join(folder, "new"))).toBe(true);
  });

  it("may have changed anywhere, and is watched again, if the system reports that it was moved or removed", () => {
    start();
    mkdirSync(join(folder, "new"));
    tell("", "rename", "content");
    expect(changes).toEqual(["anything"]);
    expect(system.tells.has(join(folder, "new"))).toBe(true);
  });
});
