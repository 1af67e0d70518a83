import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { random } from "../random.ts";
import { generatedSite } from "../../scripts/bench/site.ts";
import { build } from "../../build/site/build.ts";
import { treeOf } from "../files.ts";
import { workplace, type Workplace } from "../site/site.ts";
import { MEMORY } from "../scratch.ts";
import { runsOf } from "../runs.ts";
import { Victims } from "./process.ts";

/** Only the builds of the larger site have a second thread. */
const SITES = [
  { pages: 500, images: 90, full: runsOf(6), incremental: runsOf(8) },
  { pages: 2000, images: 90, full: runsOf(3), incremental: runsOf(4) },
];

type Sources = Map<string, string>;
type Tree = Record<string, string>;

let place: Workplace;
let victims: Victims;
let sources: [Sources, Sources];
/** The output of a clean build of each. */
let clean: [Tree, Tree];

/** The images of a version: `first` to `last`, each third one different in each version, in folders of 20. */
const imagesOf = (version: number, first: number, last: number): [path: string, text: string][] =>
  Array.from({ length: last - first }, (_, k): [string, string] => {
    const number = first + k;
    const text = `GIF89a ${number} ${number % 3 === 0 ? version : ""}`.padEnd(5000 + 100 * number);
    return [`_media/works/${Math.floor(number / 20)}/${number}.gif`, text];
  });

/** The site, and the site with another parent title and with works and images changed, added and removed. */
function twoSites(count: number, images: number): [Sources, Sources] {
  const pages = new Map(generatedSite(count));
  const one = new Map([...pages, ...imagesOf(1, 0, images)]);
  const other = new Map([...pages, ...imagesOf(2, images / 3, (images * 4) / 3)]);
  for (const [i, path] of [...one.keys()].entries()) {
    if (!path.endsWith(".json") || !path.includes("/_")) continue;
    const page = JSON.parse(one.get(path) ?? "") as { id: number; title: string };
    if (i % 3 === 0) other.set(path, JSON.stringify({ ...page, title: `${page.title}, changed` }));
    if (i % 10 === 1) other.delete(path);
    if (i % 10 === 2)
      other.set(
        path.replace(".json", "-new.json"),
        JSON.stringify({ ...page, id: page.id + 1_000_000, acno: undefined }),
      );
  }
  for (const [path, text] of other)
    if (path.endsWith("-new.json"))
      other.set(path, JSON.stringify({ ...(JSON.parse(text) as object), acno: acnoOf(path) }));
  return [one, other];
}

const acnoOf = (path: string): string =>
  `X${String(createHash("sha256").update(path).digest().readUInt32LE() % 100_000).padStart(5, "0")}`;

/** Edits the sources in place from one state to the other. */
function edit(to: Sources, from: Sources): void {
  for (const path of from.keys()) if (!to.has(path)) place.drop(path);
  for (const [path, text] of to) {
    if (from.get(path) === text) continue;
    mkdirSync(dirname(place.file(path)), { recursive: true });
    writeFileSync(place.file(path), text);
  }
}

/** A complete build in this process, which already has its modules loaded. */
async function buildAll(): Promise<void> {
  const { content, out, cache } = place;
  await build({ content, out, cache, browse: true });
}

/** The files that match neither version. A killed build may leave staged files, and folders whose files are not there yet. */
function* wrongIn(tree: Tree, allowed: Tree[], mustBe: string[]): Generator<string> {
  const isFolderOf = (one: Tree, path: string): boolean =>
    path.endsWith("/") && Object.keys(one).some((file) => file.startsWith(path));
  for (const [path, text] of Object.entries(tree))
    if (!path.startsWith(".building/") && !allowed.some((one) => one[path] === text || isFolderOf(one, path)))
      yield `wrong: ${path}`;
  for (const path of mustBe) if (tree[path] === undefined) yield `missing: ${path}`;
}

const kept = (): string[] => Object.keys(clean[0]).filter((path) => path in clean[1]);

// Each kill is followed by a complete build, which takes long on a slow disk.
describe.each(SITES)("a build of $pages pages that is killed at any moment", (site) => {
  beforeAll(async () => {
    // A slow disk would only add minutes.
    place = workplace("kills", MEMORY);
    sources = twoSites(site.pages, site.images);
    edit(sources[1], new Map());
    const out = join(place.folder, "clean");
    const cache = join(place.folder, "clean-cache");
    await build({ content: place.content, out, cache, browse: true });
    const other = treeOf(out);
    edit(sources[0], sources[1]);
    await build({ content: place.content, out, cache, browse: true, full: true });
    clean = [treeOf(out), other];
    victims = new Victims();
  });
  afterAll(async () => {
    await victims.close();
    place.remove();
  });

  it("publishes all pages or none if there was no output", async () => {
    const draw = random(1);
    const { content, out, cache } = place;
    let killed = 0;
    for (let round = 0; round < site.full || killed <= site.full / 3; round++) {
      rmSync(place.out, { recursive: true, force: true });
      if (await victims.kill({ content, out, cache, browse: true }, draw)) killed++;
      const tree = place.tree();
      expect([...wrongIn(tree, [clean[0]], [])]).toEqual([]);
      const pages = (of: Tree): number =>
        Object.keys(of).filter((path) => path.endsWith("/index.json") && !path.startsWith(".building/"))
          .length;
      expect([0, pages(clean[0])]).toContain(pages(tree));
      await buildAll();
      expect(place.tree()).toEqual(clean[0]);
    }
  });

  it("leaves old and new pages, each complete and none missing, and the next build is correct", async () => {
    const draw = random(2);
    const { content, out, cache } = place;
    await buildAll();
    const shared = kept().filter((path) => path.endsWith("/index.json") || path.startsWith("media/"));
    expect(shared.filter((path) => path.startsWith("media/"))).toHaveLength((site.images * 2) / 3);
    let polls = 0;
    const poll = (): void => {
      for (let n = 0; n < 20; n++) {
        const path = draw.pick(shared);
        const text = readFileSync(join(place.out, path), "latin1");
        if (text !== clean[0][path] && text !== clean[1][path])
          throw new Error(`a reader saw neither version of ${path}`);
        polls++;
      }
    };
    let now: 0 | 1 = 0;
    const exchange = (): void => {
      const next: 0 | 1 = now === 0 ? 1 : 0;
      edit(sources[next], sources[now]);
      now = next;
    };
    let killed = 0;
    for (let round = 0; round < site.incremental || killed <= site.incremental / 3; round++) {
      exchange();
      const options = { content, out, cache, browse: true, full: draw.below(4) === 0 };
      if (await victims.kill(options, draw, poll)) killed++;
      expect([...wrongIn(place.tree(), clean, kept())]).toEqual([]);
      // The sources may change back before the next build.
      if (draw.below(3) === 0) exchange();
      await buildAll();
      expect(place.tree()).toEqual(clean[now]);
    }
    expect(polls).toBeGreaterThan(1000);
  });
});
