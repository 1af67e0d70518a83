import { cpSync, existsSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { Failure } from "../../build/base/failure.ts";
import { runImport } from "../../build/exchange/api/import.ts";
import { SourceWriter } from "../../build/exchange/writer.ts";
import { sync, type Sync } from "../../build/exchange/sync/sync.ts";
import { programModel } from "../../build/model/program-model.ts";
import { interrupt, kill, withFaults } from "../faults.ts";
import { filesBelow, treeOf } from "../files.ts";
import { scratch } from "../scratch.ts";
import { pngOf, workplace, write, writeEmptySite } from "../site/site.ts";

withFaults();

/* Ends an import or a sync before each of its calls that change a file. The same one then writes the same sources. */

let content: string;
beforeEach(() => {
  ({ content } = workplace("import"));
});

const PATHS = ["a.json", "b/index.json", "b/c.json", "index.json", "_site.json"];

function importAll(): void {
  const writer = new SourceWriter(content);
  try {
    for (const path of PATHS) writer.write(path, { path });
    writer.commit();
  } catch (cause) {
    writer.abandon();
    throw cause;
  }
}

function stop(call: number, isKill: boolean): void {
  interrupt(importAll, call, isKill);
  leaveLock(".importing");
}

function leaveLock(staging: string): void {
  const path = join(content, staging, "lock");
  // The lock of a killed process. Here the process still runs, so the test changes the lock's process id.
  const lock = existsSync(path) ? readFileSync(path, "utf8") : "";
  // A lock that is empty was not written completely: another process would wait for a while before it takes it over.
  if (lock === "") rmSync(path, { force: true });
  else writeFileSync(path, JSON.stringify({ ...(JSON.parse(lock) as object), pid: 999_999_999 }));
}

const sources = (): string[] => filesBelow(content).filter((path) => !path.startsWith("."));

const callsOf = (name: string): number[] => {
  const { content: other } = workplace("import");
  const own = content;
  content = other;
  const calls = interrupt(importAll, Number.MAX_SAFE_INTEGER, false);
  content = own;
  return [...calls.keys()].filter((call) => calls[call]?.startsWith(name));
};

describe("an interrupted import", () => {
  it.each([
    ["killed", true],
    ["stopped by an error", false],
  ])("%s before any of its sources is in place, or after some are, is repeated", (_, isKill) => {
    const last = callsOf("renameSync").at(-1) ?? 0;
    expect(callsOf("renameSync")).toHaveLength(4);
    for (let call = 0; call <= last; call++) {
      ({ content } = workplace("import"));
      stop(call, isKill);
      // Some calls are optional, such as the link of a lock; a kill may leave some sources.
      const isDone = !isKill && existsSync(join(content, "_site.json"));
      const left = isKill || isDone ? [] : sources();
      if (!isDone) importAll();
      expect({ call, left, sources: sources() }).toEqual({ call, left: [], sources: PATHS.toSorted() });
    }
  });

  it("of a host's types, stopped by an error, leaves no file", async () => {
    const { folder } = workplace("import");
    const home = {
      id: 1,
      meta: { type: "home.HomePage", slug: "home", parent: null },
      title: "Home",
      motto: "M",
    };
    write(folder, "saved/home.json", home);
    const given = {
      source: join(folder, "saved"),
      types: true,
      concurrency: 1,
      cache: join(folder, "cache"),
    };
    const left = new Set<string>();
    let isDone = false;
    for (let call = 0; !isDone; call++) {
      ({ content } = workplace("import"));
      isDone = await kill(
        () => runImport({ ...given, content, progress: () => () => undefined }),
        call,
        false,
      );
      left.add(filesBelow(content).join(" "));
    }
    // Some calls are optional.
    expect(left).toEqual(new Set(["", ".schema/page.json _site.json _types.json index.json"]));
  });

  it("does not replace a file that was changed or added since", () => {
    const [, second = 0] = callsOf("renameSync");
    stop(second + 1, true);
    const [placed = ""] = sources();
    const later = new Date(Date.now() + 60_000);
    utimesSync(join(content, placed), later, later);
    const before = treeOf(content);
    expect(importAll).toThrow(Failure);
    write(content, "mine.json", {});
    utimesSync(join(content, placed), new Date(0), new Date(0));
    expect(importAll).toThrow(Failure);
    expect(treeOf(content)).toEqual({ ...before, "mine.json": "{}\n" });
  });
});

interface Work {
  no: number;
  title: string;
  scan?: string;
}

function runSync(works: Work[], folder: string) {
  async function* records(): AsyncGenerator<Work> {
    yield* works;
  }
  const module: Sync<Work> = {
    name: "works",
    records,
    key: ({ no }) => no,
    page: ({ no, title, scan }, { image, slug }) => ({
      parent: "/",
      folder: `_n${Math.floor(no / 3)}`,
      slug: slug(title.split(",")[0], no),
      id: 1000 + no,
      meta: { type: "standardpages.GeneralPage" },
      title: `${title} ${scan === undefined ? "" : image(scan).url}`,
    }),
  };
  const options = { content, folder, model: programModel, move: true, retire: true, yes: true };
  return sync(module, options);
}

describe("a killed sync", () => {
  it("is completed by the next one, and leaves no file in between", async () => {
    const { folder, content: first } = workplace("sync");
    content = first;
    writeEmptySite(content);
    writeFileSync(join(folder, "scan.png"), pngOf(3, 4));
    const works = Array.from({ length: 5 }, (_, no) => ({ no, title: "Mill" }));
    await runSync(works, folder);
    const before = treeOf(content);
    // Two texts change, one page gets an image, one another place, one is gone; three are new, in two folders.
    const next: Work[] = [
      { no: 0, title: "Mill, changed" },
      { no: 1, title: "Mill, changed", scan: "scan.png" },
      { no: 3, title: "Weir" },
      ...[4, 5, 6, 7].map((no) => ({ no, title: "Mill" })),
    ];
    const copied = (): void => {
      content = join(scratch("killed"), "content");
      cpSync(first, content, { recursive: true });
    };
    const written = (): Record<string, string> => treeOf(content, /^[^.]/);
    copied();
    await runSync(next, folder);
    const after = written();
    expect(Object.keys(after)).toHaveLength(Object.keys(before).length + 4);
    let call = 0;
    for (let isDone = false; !isDone; call++) {
      copied();
      isDone = await kill(() => runSync(next, folder), call);
      leaveLock(".sync");
      leaveLock(".editing");
      // Only the journal of a move makes an empty file first.
      const halves = Object.entries(written()).filter(
        ([path, text]) => path.endsWith(".json") && text !== "" && !text.endsWith("\n}\n"),
      );
      await runSync(next, folder);
      expect({ call, halves, tree: written() }).toEqual({ call, halves: [], tree: after });
    }
    expect(call).toBeGreaterThan(30);
  });
});
