import { PassThrough } from "node:stream";
import { isDeepStrictEqual } from "node:util";
import { beforeEach, describe, expect, test } from "vitest";
import { runHere } from "../command.ts";
import { treeOf } from "../files.ts";
import { FITTING_SITE, work, placeWith, write } from "../site/site.ts";
import { refusal } from "../refusal.ts";

/* Commands that change many pages ask first, and can only list their changes. */

let content: string;
beforeEach(() => {
  ({ content } = placeWith("careful", FITTING_SITE));
  const description = '<a href="/visit/rooms/one/">One</a>';
  write(content, "works/_b/fen.json", work(34, "Fen", { description }));
});

const run = (name: string, ...args: string[]) => runHere(name, [...args, "--content", content]);

/** Runs a command on a terminal at which a line is typed. */
async function onTerminal(typed: string, name: string, ...args: string[]) {
  const { stdin } = process;
  Object.defineProperty(process, "stdin", {
    configurable: true,
    value: Object.assign(new PassThrough(), { isTTY: true }).end(typed),
  });
  try {
    return await run(name, ...args);
  } finally {
    Object.defineProperty(process, "stdin", { configurable: true, value: stdin });
  }
}

describe("--dry-run", () => {
  test.each([
    ["move", ["visit/rooms", "rooms"], [], "/visit/rooms/one/ is now /rooms/one/"],
    ["retire", ["visit/rooms", "--to", "/visit/"], ["--yes"], "rooms/one.json is retired"],
  ])("of %s lists the changes of the real run, and writes nothing", async (name, args, confirmed, words) => {
    const before = treeOf(content);
    const dry = await run(name, ...args, "--dry-run");
    expect(treeOf(content)).toEqual(before);
    expect(dry.stdout).toContain(words);
    const real = await run(name, ...args, ...confirmed);
    expect(treeOf(content)).not.toEqual(before);
    expect(dry.stdout).toBe(`Nothing was written. Without --dry-run:\n${real.stdout}`);
  });
});

describe("retire of a section", () => {
  test("is refused without a terminal, with the number of subpages", async () => {
    const before = treeOf(content);
    const ended = await run("retire", "visit/rooms");
    expect(ended).toMatchObject(refusal("2 subpages"));
    expect(ended.stderr).toContain("--yes");
    expect(treeOf(content)).toEqual(before);
  });

  test.each([
    ["no\n", 2],
    ["", 2],
    ["maybe\nyes\n", 0],
  ])("after %j on a terminal ends with status %d", async (typed, status) => {
    const before = treeOf(content);
    const ended = await onTerminal(typed, "retire", "visit/rooms");
    expect(ended.status).toBe(status);
    expect(isDeepStrictEqual(treeOf(content), before)).toBe(status === 2);
  });

  test("a page without subpages needs no confirmation", async () => {
    expect((await run("retire", "visit/cafe")).status).toBe(0);
  });
});
