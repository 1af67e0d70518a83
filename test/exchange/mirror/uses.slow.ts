import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mirror } from "../../../build/exchange/mirror.ts";
import { build } from "../../../build/site/build.ts";
import { runHere, start, type Ended } from "../../command.ts";
import { BULK_SITE, general, workplace, write, type Workplace } from "../../site/site.ts";
import { serveFolder, type FolderHost } from "./host.ts";

let place: Workplace;
let host: FolderHost;
let copy: string;

beforeAll(async () => {
  place = workplace("uses");
  copy = join(place.folder, "copy");
  place.putAll(BULK_SITE);
  for (let id = 1000; id < 1130; id++) place.put(`visit/page-${id}.json`, general(id, `Page ${id}`));
  await build(place);
  host = await serveFolder(place.out);
  await mirror({ url: host.url, folder: copy, concurrency: 2 });
});

afterAll(() => host.close());

const verify = (...args: string[]) => runHere("verify", args, { cwd: place.folder });
const contract = (...args: string[]) =>
  runHere("contract", ["--base", "HEAD", "--content", place.content, ...args]);

describe("a mirror's folder", () => {
  it("replaces an API in verify --against, on either side", async () => {
    const same = await verify(copy, "--against", copy);
    expect(same).toMatchObject({ status: 0 });
    const changed = join(place.folder, "changed");
    for (const id of [1, 2]) {
      mkdirSync(join(changed, `api/v2/pages/${id}`), { recursive: true });
      const page = readFileSync(join(copy, `api/v2/pages/${id}/index.json`), "utf8");
      writeFileSync(join(changed, `api/v2/pages/${id}/index.json`), page.replace("About", "Another"));
    }
    const other = await verify(changed, "--against", copy, "--reporter", "json");
    expect(other.status).toBe(1);
    const { differences } = JSON.parse(other.stdout) as { differences: { name: string; count: number }[] };
    expect(differences).toMatchObject([{ name: "title", count: 1 }]);
    // The host sends none of the API's headers.
    const live = await verify(copy, "--against", host.url.origin, "--reporter", "json");
    const named = (JSON.parse(live.stdout) as typeof JSON & { differences: { name: string }[] }).differences;
    expect(named.map(({ name }) => name)).toContain("Cache-Control");
    expect(named.map(({ name }) => name)).not.toContain("title");
  });

  it("is validated against the previous contract", async () => {
    const valid = await contract("--pages", copy, "--reporter", "json");
    expect(valid).toMatchObject({ status: 0 });
    expect(JSON.parse(valid.stdout)).toMatchObject({ crossCheck: { pages: 146, failed: 0 } });
    const damaged = join(place.folder, "damaged");
    write(damaged, "api/v2/pages/1/index.json", "<html>");
    expect(await contract("--pages", damaged)).toMatchObject({ status: 2 });
    expect(await contract("--pages", place.folder)).toMatchObject({ status: 2 });
  });
});

/** The example of docs/bulk.md. */
const EXAMPLE = /```python\n([\s\S]*?)```/.exec(readFileSync("docs/bulk.md", "utf8"))?.[1] ?? "";

/** Undefined if Python is missing. */
const python = (...args: string[]): Promise<Ended | undefined> =>
  start("python3", ["-c", EXAMPLE, ...args]).ended.catch(() => undefined);

describe("the client in Python of docs/bulk.md", () => {
  it("copies all pages, then only the changes, and refuses damage", async ({ skip }) => {
    const folder = join(place.folder, "python");
    mkdirSync(folder);
    const first = await python(host.url.origin, folder);
    skip(first === undefined, "python3 is missing");
    expect(first).toMatchObject({ status: 0, stderr: "" });
    const equal = (): void => {
      const ids = readdirSync(join(place.out, "api/v2/pages")).filter((name) => name !== "404.html");
      expect(readdirSync(folder).sort()).toEqual(ids.map((id) => `${id}.json`).sort());
      for (const id of ids)
        expect(readFileSync(join(folder, `${id}.json`))).toEqual(
          readFileSync(join(place.out, `api/v2/pages/${id}/index.json`)),
        );
    };
    equal();
    place.put("about.json", general(2, "Another title"));
    place.put("visit/page-1000.json", general(1200, "Another id"));
    await build(place);
    host.requested.length = 0;
    expect(await python(host.url.origin, folder)).toMatchObject({ status: 0, stderr: "" });
    equal();
    expect(host.requested.filter((path) => path.endsWith(".zip"))).toHaveLength(1);
    writeFileSync(join(folder, "2.json"), "{}");
    host.lie = (path, response) => {
      if (!path.endsWith(".zip")) return false;
      const bytes = readFileSync(join(place.out, path));
      // The CRC of the first page is correct, but the shard contains another page's bytes.
      response.end(bytes.subarray(0, bytes.length - 30));
      return true;
    };
    const damaged = await python(host.url.origin, folder);
    expect(damaged?.status).toBe(1);
    expect(readFileSync(join(folder, "2.json"), "utf8")).toBe("{}");
    host.lie = () => false;
  });
});
