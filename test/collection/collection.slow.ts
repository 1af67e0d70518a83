import { appendFileSync, cpSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { beforeAll, describe, expect, it } from "vitest";
import { schemaFault } from "../../build/verify/body.ts";
import { run } from "../command.ts";
import { breaches } from "../outputs/contract/breaches.ts";
import { filesBelow, readJson } from "../files.ts";
import { MEMORY, scratch } from "../scratch.ts";
import { programModel } from "../../build/model/program-model.ts";

interface Page {
  id: number;
  meta: { type: string };
}

/** A checkout of Tate's open collection data; without it these tests are skipped. */
const data = process.env["TATE_COLLECTION"];
if (data === undefined)
  process.stderr.write(
    "TATE_COLLECTION names no checkout of Tate's open collection data: its tests are skipped.\n",
  );

/** The import adds a home page and two sections above the works, with ids of their own. */
const FIRST_ADDED_ID = 1_000_000;

async function command(name: string, ...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await run(name, args);
  if (status !== 0) throw new Error(`${name}: ${stderr}`);
  return stdout;
}

/** Inodes and times of the pages' files, which show whether a file was written. */
const statsOf = (pages: string): string[] =>
  readdirSync(pages)
    .filter((name) => name !== "404.html")
    .map((id) => {
      const { ino, mtimeMs, ctimeMs } = statSync(join(pages, id, "index.json"));
      return `${id} ${ino} ${mtimeMs} ${ctimeMs}`;
    });

const sameBytes = (one: string, other: string): boolean => readFileSync(one).equals(readFileSync(other));

describe.skipIf(data === undefined)("the full collection", () => {
  const folder = scratch("collection", MEMORY);
  const [content, out, report] = [
    join(folder, "content"),
    join(folder, "public"),
    join(folder, "report.json"),
  ];
  const pages = join(out, "api/v2/pages");
  let works = 0;
  let skipped = 0;

  beforeAll(async () => {
    await command("import:tate", data ?? "", "--content", content, "--report", report);
    await command("build", "--content", content, "--out", out);
    const { worksNotWritten } = readJson(report) as { worksNotWritten: unknown[] };
    skipped = worksNotWritten.length;
    works = readdirSync(join(content, "art/artworks"), { recursive: true }).filter(
      (name) => String(name).endsWith(".json") && !String(name).endsWith("index.json"),
    ).length;
  });

  it("accounts for every work", () => {
    expect(works).toBe(62_489);
    expect(works + skipped).toBe(69_202);
  });

  it("has a response in its schema for every page, according to a third-party validator that refuses each planted breach", () => {
    const ids = readdirSync(pages).filter((name) => name !== "404.html");
    expect(ids.length).toBe(works + 3);
    const schema = readJson(out, "schema/page.json") as object;
    const validate = new Ajv2020({ allowUnionTypes: true }).compile(schema);
    const refused: string[] = [];
    let work: Page | undefined;
    for (const [k, id] of ids.entries()) {
      const page = readJson(pages, id, "index.json") as Page;
      // The check of the program takes several times as long.
      const isRight = k % 4 > 0 || schemaFault({ ...page }, programModel) === undefined;
      if (!validate(page) || String(page.id) !== id || !isRight) refused.push(id);
      work ??= page.meta.type === "artworks.ArtworkPage" ? page : undefined;
    }
    expect(refused).toEqual([]);
    const accepted = breaches
      .filter(([what, type, change]) => {
        // The addresses of this site have no last slash.
        if (type !== work?.meta.type || what.endsWith("html_url without its slash")) return false;
        const broken = structuredClone(work);
        change(broken);
        return validate(broken);
      })
      .map(([what]) => what);
    expect(accepted).toEqual([]);
  });

  it("is imported from its own output into identical pages", async () => {
    const [part, imported, again] = [join(folder, "part"), join(folder, "imported"), join(folder, "again")];
    // Every fourth work, because all of them take minutes.
    const ids = readdirSync(pages).filter((id, k) => k % 4 === 0 || Number(id) >= FIRST_ADDED_ID);
    for (const id of ids) cpSync(join(pages, id), join(part, id), { recursive: true });
    await command("import", part, "--content", imported);
    await command("build", "--no-browse", "--content", imported, "--out", again);
    const files = filesBelow(part).filter((file) => file !== "404.html");
    expect(files.length).toBeGreaterThan(works / 4);
    const pagesAgain = join(again, "api/v2/pages");
    expect(filesBelow(pagesAgain).filter((file) => file !== "404.html")).toEqual(files);
    expect(files.filter((file) => !sameBytes(join(part, file), join(pagesAgain, file)))).toEqual([]);
  });

  it("is not written again by a second build, except for the page of a changed source", async () => {
    const before = statsOf(pages);
    expect(await command("build", "--content", content, "--out", out)).toContain("0 written");
    expect(statsOf(pages)).toEqual(before);
    const source = join(content, "art/artworks/_a00");
    const [work = ""] = readdirSync(source).sort();
    appendFileSync(join(source, work), "\n");
    expect(await command("build", "--content", content, "--out", out)).toContain("0 written");
    const text = readFileSync(join(source, work), "utf8");
    writeFileSync(join(source, work), text.replace(/"title": "/, '"title": "Edited: '));
    expect(await command("build", "--content", content, "--out", out)).toContain("1 written");
    const after = statsOf(pages);
    const known = new Set(before);
    expect(after.filter((stat) => !known.has(stat)).length).toBe(1);
  });
});
