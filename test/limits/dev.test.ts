import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { addressesOf } from "../../build/dev/addresses.ts";
import { occupantOf } from "../../build/hosting/occupant.ts";
import { queue } from "../../build/dev/queue.ts";
import { untilInterrupted } from "../../build/dev/signals.ts";
import { general, workplace, write } from "../pipeline/site.ts";

it("the addresses of five saved files are shown", () => {
  const { content } = workplace("addresses");
  const saved = (count: number) => {
    const paths = Array.from({ length: count }, (_, k) => `page-${k}.json`);
    for (const [k, path] of paths.entries()) write(content, path, general(k + 1, "A"));
    return addressesOf(content, new Set(paths.map((path) => join(content, path))), "http://localhost").length;
  };
  expect([saved(5), saved(6)]).toEqual([5, 0]);
});

describe("saves", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("are built after 20 milliseconds without another save", async () => {
    const run = vi.fn<() => Promise<void>>(() => Promise.resolve());
    const { push, close } = queue(run);
    push(new Set(["a"]));
    await vi.advanceTimersByTimeAsync(19);
    expect(run).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(run).toHaveBeenCalledTimes(1);
    await close();
  });

  it("are built after at most a second, even if more follow", async () => {
    const run = vi.fn<() => Promise<void>>(() => Promise.resolve());
    const { push, close } = queue(run);
    for (let time = 0; time < 1000; time += 10) {
      push(new Set(["a"]));
      await vi.advanceTimersByTimeAsync(time === 990 ? 9 : 10);
    }
    expect(run).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(run).toHaveBeenCalledTimes(1);
    await close();
  });
});

describe("a program that already uses a port", () => {
  it("is named with at most 60 characters", async () => {
    const server = createServer((_, response) => response.writeHead(200, { Server: "n".repeat(61) }).end());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    expect(await occupantOf((server.address() as AddressInfo).port)).toBe(`a web server (${"n".repeat(60)})`);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it("has a second to respond", async () => {
    const limit = vi.spyOn(AbortSignal, "timeout");
    await occupantOf(1);
    expect(new Set(limit.mock.calls.flat())).toEqual(new Set([1000]));
    limit.mockRestore();
  });
});

it("a second Ctrl-C within half a second counts as the first one", async () => {
  const listeners: (() => void)[] = [];
  const spies = [
    vi.spyOn(process, "on").mockImplementation((_, listener) => {
      listeners.push(listener as () => void);
      return process;
    }),
    vi.spyOn(performance, "now").mockImplementation(() => now),
    vi.spyOn(process, "exit").mockImplementation(() => undefined as never),
  ] as const;
  let now = 1000;
  const interrupted = untilInterrupted();
  const [end] = listeners;
  end?.();
  now = 1500;
  end?.();
  expect(spies[2]).not.toHaveBeenCalled();
  now = 1501;
  end?.();
  expect(spies[2]).toHaveBeenCalledWith(130);
  for (const spy of spies) spy.mockRestore();
  await interrupted;
});
