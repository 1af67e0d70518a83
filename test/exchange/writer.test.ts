import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { Failure } from "../../build/base/failure.ts";
import { estimate, tally } from "../../build/exchange/report.ts";
import { SourceWriter } from "../../build/exchange/writer.ts";
import { treeOf } from "../files.ts";
import { workplace, type Workplace } from "../site/site.ts";

describe("the writer of sources", () => {
  let at: Workplace;
  beforeEach(() => void (at = workplace("writer")));

  it("leaves nothing of an import that was given up, including the folders that it made", () => {
    const writer = new SourceWriter(join(at.content, "deep", "down"));
    writer.write("_site.json", {});
    writer.abandon();
    expect(existsSync(at.content)).toBe(false);
    mkdirSync(at.content);
    new SourceWriter(at.content).abandon();
    expect(treeOf(at.content)).toEqual({ "/": "" });
  });

  it("allows one import at a time into a folder, and does not write over another source", () => {
    const writer = new SourceWriter(at.content);
    expect(() => new SourceWriter(at.content)).toThrow(Failure);
    writer.write("a.json", { id: 1 });
    expect(() => writer.write("a.json", { id: 2 })).toThrow("EEXIST");
    writer.abandon();
  });
});

describe("progress and report", () => {
  it("an estimate appears with the first speed", () => {
    expect(estimate(5, 1000, 500, "pages")).toBe("5 of 1,000 pages");
    expect(estimate(500, 1000, 60_000, "pages")).toBe("500 of 1,000 pages, 60 seconds left");
    expect(estimate(1, 1000, 60_000, "pages")).toBe("1 of 1,000 pages, 17 hours left");
    expect(estimate(1000, 1000, 60_000, "pages")).toBe("1,000 of 1,000 pages");
  });

  it("the counts are aligned, and the notes follow", () => {
    const text = tally([{ count: 7, words: "written" }], { count: 1207, words: "works" }, ["three."]);
    expect(text).toBe("    7  written\n1,207  works\nDifferences: three.\n");
  });
});
