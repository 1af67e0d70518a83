import { chmodSync, existsSync, lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { EARLIEST } from "../../build/base/instant.ts";
import { Failure } from "../../build/base/failure.ts";
import { undo, type ApplyOptions, type Undo } from "../../build/change/apply.ts";
import { saveSource } from "../../build/change/save.ts";
import { create } from "../../build/change/create.ts";
import { move, publishDraft, retire, withdraw } from "../../build/change/page-actions.ts";
import { redirectsOf } from "../../build/change/redirects.ts";
import { assertComplete } from "../../build/source/complete.ts";
import { takeLock } from "../../build/base/lock.ts";
import { check } from "../../build/site/check.ts";
import { interrupt, OF_IMAGE, withFaults } from "../faults.ts";
import { filesBelow } from "../files.ts";
import { FITTING_SITE, general, SITE, work, placeWith, write } from "../site/site.ts";

/*
 * Ends commands before each of their calls that change a file: by a kill, after which the process makes no other call, or
 * by an error, after which it cleans up. Once the next command has begun, all is as it was, or done.
 */

withFaults();

// Git changes no source, and takes most of the time.
vi.mock("../../build/source/git.ts", async (load) => ({
  ...(await load<object>()),
  openRepository: () => {
    throw new Failure("no checkout");
  },
}));

/** Few files, because every call is interrupted and each time all are written again. */
const SMALL = Object.fromEntries(
  Object.entries(FITTING_SITE).filter(([file]) => !/^projects|marsh|pool|bog/.test(file)),
);

let content: string;
beforeEach(() => {
  ({ content } = placeWith("interrupted", SMALL));
});

const LOCK = ".editing/lock";
/** The sources to compare, without the `.editing` folder, which is checked separately. */
const sources = (): Record<string, string> =>
  Object.fromEntries(
    filesBelow(content)
      .filter((file) => !file.startsWith(".editing"))
      .map((file) => [file, readFileSync(join(content, file), "utf8")]),
  );

const foldersBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [join(entry.parentPath, entry.name)] : [],
  );

/** Interrupts a command. Returns its calls; the last one failed, if the command made that many calls. */
function stop(command: () => unknown, fails: number, isKill: boolean): string[] {
  const calls = interrupt(command, fails, isKill);
  const path = join(content, LOCK);
  // The lock of a killed process. Here the process still runs, so the test changes the lock's process id.
  // A lock that is empty was not written completely: another process takes it over after a while.
  const lock = existsSync(path) ? readFileSync(path, "utf8") : "";
  if (lock !== "") writeFileSync(path, JSON.stringify({ ...(JSON.parse(lock) as object), pid: 999_999_999 }));
  return calls;
}

/** Where visitors of addresses arrive: at a page, at the address of a redirect, or nowhere. */
function arrive(addresses: readonly string[]): Record<string, string> {
  const redirects = new Map(
    redirectsOf(content, EARLIEST).redirects.map(({ from, to }) => [from, to ?? "gone"]),
  );
  return Object.fromEntries(
    addresses.map((address) => {
      const path = address.replaceAll(/^\/|\/$/g, "");
      const isPage = [`${path}.json`, `${path}/index.json`].some((file) => existsSync(join(content, file)));
      return [address, isPage ? "page" : (redirects.get(address) ?? "lost")];
    }),
  );
}

function restore(tree: Record<string, string>): void {
  rmSync(content, { recursive: true, force: true });
  for (const [file, text] of Object.entries(tree)) write(content, file, text);
}

function allCalls(start: Record<string, string>, run: () => unknown): string[] {
  restore(start);
  return stop(run, Number.MAX_SAFE_INTEGER, false);
}

const CAFE = "visit/cafe.json";
const NEWS = "_news.json";
const ROOMS_FILE = "visit/rooms/index.json";
const ROOMS = ["/visit/rooms/", "/visit/rooms/one/", "/visit/rooms/two/"];

interface Command {
  name: string;
  prepare?: () => void;
  run: (options?: ApplyOptions) => unknown;
  addresses: string[];
}

const COMMANDS: Command[] = [
  {
    name: "a page that moves",
    run: (options) => move(content, "visit/cafe", "about-the-cafe", options),
    addresses: ["/visit/cafe/"],
  },
  {
    name: "a section that moves, with its owned path and links to it, one of them from within",
    prepare: () => {
      const description = '<a href="/visit/rooms/one/">One</a>';
      write(content, "visit/rooms/one.json", { $schema: "x/page.schema.json", ...general(14, "Room one") });
      write(content, "works/_b/fen.json", work(34, "Fen", { description }));
      write(content, "_site.json", { ...SITE, owned_paths: ["/visit/rooms/"] });
    },
    run: (options) => move(content, "visit/rooms/", "rooms", options),
    addresses: ROOMS,
  },
  {
    name: "a section that moves on an overlay file system",
    prepare: () => write(content, `visit/rooms/${OF_IMAGE}`, join(content, "visit/rooms")),
    run: (options) => move(content, "visit/rooms/", "rooms", options),
    addresses: ROOMS,
  },
  {
    name: "a section that moves back",
    prepare: () => move(content, "visit/rooms/", "rooms"),
    run: (options) => move(content, "rooms", "visit/rooms", options),
    addresses: ROOMS,
  },
  {
    name: "a section that is retired",
    run: (options) => retire(content, "visit/rooms/", "/visit/", options),
    addresses: ROOMS,
  },
  {
    name: "a new page, with the schema of the types",
    prepare: () =>
      write(content, "_types.json", { types: { "standardpages.GeneralPage": { fields: { tea: "text?" } } } }),
    run: () =>
      create({
        content,
        type: "standardpages.GeneralPage",
        path: "visit/tea",
        draft: false,
        title: "Tea",
        facts: {},
        allFields: false,
        id: 60,
      }),
    addresses: [],
  },
];

describe.each(COMMANDS)("$name", ({ prepare, run, addresses }) => {
  beforeEach(() => {
    prepare?.();
  });

  test.each([
    ["killed", true],
    ["stopped by an error", false],
  ])("%s at any call leaves all as it was, or done", async (_, isKill) => {
    const start = sources();
    run();
    const end = sources();
    const { findings } = await check({ content });
    const count = allCalls(start, run).length;
    expect(count).toBeGreaterThan(5);
    for (let call = 0; call < count; call++) {
      restore(start);
      const name = stop(run, call, isKill)[call];
      if (isKill) await assertComplete(content);
      const left = sources();
      const isWhole = [start, end].some((tree) => isDeepStrictEqual(tree, left));
      const lost = Object.values(arrive(addresses)).includes("lost");
      if (!isDeepStrictEqual(left, end)) run();
      const now = { call, name, isWhole, lost, sources: sources() };
      expect(now).toEqual({ call, name, isWhole: true, lost: false, sources: end });
    }
    expect((await check({ content })).findings).toEqual(findings);
  });

  test("without space on the disk, nothing is changed", () => {
    const start = sources();
    const calls = allCalls(start, run);
    const end = sources();
    const takesRoom = [...calls.keys()].filter((call) => /^(?:write|mkdir|link|cp)/.test(calls[call] ?? ""));
    for (const call of takesRoom) {
      restore(start);
      stop(run, call, false);
      // Some calls are optional, such as the link of a lock.
      expect([start, end]).toContainEqual(sources());
      expect(Object.values(arrive(addresses))).not.toContain("lost");
      expect(existsSync(join(content, ".editing"))).toBe(false);
    }
  });
});

const CHANGES: Pick<Command, "name" | "prepare" | "run">[] = [
  ...COMMANDS.filter(({ name }) => /^a section that (?:moves,|is retired)/.test(name)),
  {
    name: "a page that is saved",
    run: (options) =>
      saveSource(content, { file: CAFE, before: sources()[CAFE] ?? "", after: "{}" }, options),
  },
  {
    name: "a new page in new folders",
    run: (options) => saveSource(content, { file: "visit/a/b.json", before: null, after: "{}" }, options),
  },
  {
    name: "a draft that is removed",
    run: (options) =>
      saveSource(content, { file: NEWS, before: sources()[NEWS] ?? "", after: null }, options),
  },
  {
    name: "a page that gets a folder for subpages",
    run: (options) => move(content, "visit/cafe", "visit/cafe/", options),
  },
  { name: "a section that becomes a draft", run: (options) => withdraw(content, ROOMS_FILE, options) },
  {
    name: "a draft section that is published",
    prepare: () => withdraw(content, ROOMS_FILE),
    run: (options) => publishDraft(content, "visit/rooms/_index.json", options),
  },
];

describe.each(CHANGES)("$name", ({ prepare, run }) => {
  /** Changes the sources. The result undoes the change. */
  const change = (): Undo => {
    let done: Undo | undefined;
    run({ onDone: (all) => (done = all) });
    if (done === undefined) throw new Error("nothing was changed");
    return done;
  };

  test("is undone, all or nothing", () => {
    chmodSync(join(content, CAFE), 0o640);
    prepare?.();
    const [start, folders] = [sources(), foldersBelow(content)];
    const mode = (): number | undefined => lstatSync(join(content, CAFE), { throwIfNoEntry: false })?.mode;
    const before = mode();
    const done = change();
    const end = sources();
    const count = stop(() => undo(content, done), Number.MAX_SAFE_INTEGER, false).length;
    expect([sources(), foldersBelow(content), mode()]).toEqual([start, folders, before]);
    for (let call = 0; call < count; call++) {
      restore(start);
      const again = change();
      stop(() => undo(content, again), call, false);
      expect([start, end]).toContainEqual(sources());
    }
  });

  test("is not undone if a file of it has changed since", () => {
    prepare?.();
    const start = sources();
    const done = change();
    const end = sources();
    const changed = Object.keys({ ...start, ...end }).filter((file) => start[file] !== end[file]);
    expect(changed.length).toBeGreaterThan(0);
    for (const file of changed) {
      restore(end);
      if (end[file] === undefined) write(content, file, "x");
      else writeFileSync(join(content, file), `${end[file]} `);
      const now = sources();
      expect(() => undo(content, done)).toThrow(/has changed since/);
      expect(sources()).toEqual(now);
    }
  });
});

describe("two commands at the same time", () => {
  test.each([
    ["move", () => move(content, "visit/cafe", "cafe")],
    ["retire", () => retire(content, "visit/cafe", undefined)],
  ])("%s is refused while another one runs, and changes nothing", (_, run) => {
    const start = sources();
    const unlock = takeLock(join(content, LOCK));
    expect(run).toThrow(Failure);
    expect(sources()).toEqual(start);
    unlock();
    run();
    expect(arrive(["/visit/cafe/"])).not.toEqual({ "/visit/cafe/": "lost" });
  });
});

test.each([
  ["visit/rooms", "visit/rooms"],
  ["visit/rooms", "visit"],
  ["visit/rooms", "works"],
  ["visit", "visit/rooms"],
])("a section that cannot move from %s to %s is no copy that is left to remove", (from, to) => {
  // Each has an index.json, and so has the target.
  const start = sources();
  expect(() => move(content, from, to)).toThrow(Failure);
  expect(sources()).toEqual(start);
});

describe("a name of 250 letters", () => {
  const long = "a".repeat(250);

  test("can be moved to and from, and retired", () => {
    move(content, "visit/cafe", `visit/${long}`);
    move(content, `visit/${long}`, long);
    expect(arrive(["/visit/cafe/"])).toEqual({ "/visit/cafe/": `/${long}/` });
    retire(content, long, "/visit/");
    expect(arrive(["/visit/cafe/", `/${long}/`])).toEqual({
      "/visit/cafe/": "/visit/",
      [`/${long}/`]: "/visit/",
    });
  });

  test("that is too long is refused, and nothing changes", () => {
    const start = sources();
    expect(() => move(content, "visit/cafe", `visit/${long}${long}`)).toThrow("ENAMETOOLONG");
    expect(() => move(content, "visit/rooms/", `${long}x/y`.repeat(3))).toThrow(Failure);
    expect(sources()).toEqual(start);
  });
});
