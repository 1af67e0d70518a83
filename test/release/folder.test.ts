import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { takeLock } from "../../build/base/lock.ts";
import {
  markNotified,
  publishToFolder,
  rollBackFolder,
  type FolderOptions,
  type FolderRelease,
} from "../../build/release/folder.ts";
import { runHere } from "../command.ts";
import { interrupt, withFaults } from "../faults.ts";
import { dated, page, SITE, placeWith, workplace, write } from "../site/site.ts";
import { scratch } from "../scratch.ts";
import { noticeServer, type NoticeServer } from "./notices.ts";
import { refusal } from "../refusal.ts";

withFaults();

let out: string;
let folder: string;
let now: number;
let server: NoticeServer;

const put = (path: string, text: string): void => write(out, path, text);
const putPage = (id: number, text: string): void => put(`api/v2/pages/${id}/index.json`, text);
const publish = (options: Partial<FolderOptions> = {}): FolderRelease =>
  publishToFolder(out, folder, { keep: 5, isDry: false, now, ...options });
const served = (path: string): string => readFileSync(join(folder, "current", path), "utf8");
const servedPage = (id: number): string => served(`api/v2/pages/${id}/index.json`);
const releases = (): string[] => readdirSync(join(folder, "releases")).sort();

beforeEach(async () => {
  server = await noticeServer();
  out = scratch("out");
  folder = join(scratch("server"), "api");
  now = Date.parse("2027-03-01T09:00:00Z");
  putPage(1, "one");
  putPage(2, "two");
  put("index.html", "home");
  return server.close;
});

describe("a publication to a folder", () => {
  it("makes a release and a link to it, without third-party dotfiles and files that configure other hosts", () => {
    put(".building/lock", "x");
    put(".assetsignore", "x");
    put("_headers", "x");
    put("_redirects", "x");
    symlinkSync("/etc", join(out, "etc"));
    expect(publish()).toEqual({ release: "20270301090000", files: 3, changed: [1, 2], removed: [] });
    expect(readlinkSync(join(folder, "current"))).toBe(join("releases", "20270301090000"));
    expect(readdirSync(join(folder, "current")).sort()).toEqual([".page-api", "api", "index.html"]);
    expect(servedPage(1)).toBe("one");
  });

  it("lists the pages that differ, and shares the other files with the former release", () => {
    publish();
    putPage(1, "eno");
    putPage(30, "thirty");
    putPage(4, "four");
    rmSync(join(out, "api/v2/pages/2"), { recursive: true });
    put("index.html", "other");
    now += 1000;
    expect(publish()).toEqual({ release: "20270301090001", files: 5, changed: [1, 4, 30], removed: [2] });
    const inodeIn = (release: string, path: string) => statSync(join(folder, "releases", release, path)).ino;
    now += 1000;
    putPage(30, "changed");
    const { release = "" } = publish();
    expect(inodeIn(release, "index.html")).toBe(inodeIn("20270301090001", "index.html"));
    expect(servedPage(30)).toBe("changed");
    expect(readFileSync(join(folder, "releases/20270301090001/api/v2/pages/30/index.json"), "utf8")).toBe(
      "thirty",
    );
    // The output shares nothing with a release: the next build would not know its files again.
    expect(statSync(join(out, "index.html")).nlink).toBe(1);
  });

  it("changes nothing if the output is the current release, and nothing in a dry run", () => {
    expect(publish({ isDry: true })).toEqual({ release: undefined, files: 3, changed: [1, 2], removed: [] });
    expect(existsSync(folder)).toBe(false);
    publish();
    now += 1000;
    expect(publish()).toEqual({ release: "20270301090000", files: 0, changed: [], removed: [] });
    putPage(1, "eno");
    expect(publish({ isDry: true })).toMatchObject({ release: "20270301090000", changed: [1] });
    expect(releases()).toEqual(["20270301090000"]);
  });

  it("keeps the latest releases, and third-party files and folders", () => {
    publish();
    mkdirSync(join(folder, "releases", "notes"));
    writeFileSync(join(folder, "README"), "");
    for (let k = 0; k < 4; k++) {
      now += 1000;
      putPage(1, `${k}`);
      publish({ keep: 2 });
    }
    expect(releases()).toEqual(["20270301090003", "20270301090004", "notes"]);
    expect(servedPage(1)).toBe("3");
    expect(readdirSync(folder).sort()).toEqual(["README", "current", "releases"]);
  });

  it("gives a later name than all others, also if the clock was set back", () => {
    publish();
    now -= 3_600_000;
    putPage(1, "eno");
    expect(publish({ keep: 1 }).release).toBe("20270301090001");
    expect(servedPage(1)).toBe("eno");
  });

  it("removes what a killed publication left", () => {
    publish();
    mkdirSync(join(folder, ".deploy", "release", "api"), { recursive: true });
    symlinkSync("nowhere", join(folder, ".deploy", "link"));
    now += 1000;
    putPage(1, "eno");
    publish();
    expect(servedPage(1)).toBe("eno");
    expect(existsSync(join(folder, ".deploy"))).toBe(false);
  });

  it("refuses a second publication at the same time, and another thing in the place of the link", () => {
    publish();
    putPage(1, "eno");
    const unlock = takeLock(join(folder, ".deploy", "lock"));
    expect(() => publish()).toThrow("another publication is running");
    unlock();
    rmSync(join(folder, "current"));
    symlinkSync("/etc", join(folder, "current"));
    expect(() => publish()).toThrow("is not a link to a release");
    rmSync(join(folder, "current"));
    mkdirSync(join(folder, "current"));
    expect(() => publish()).toThrow("is not a link to a release");
    folder = join(out, "api");
    expect(() => publish()).toThrow("is in the output folder");
  });

  it("removes no release of another program, and refuses its link", () => {
    for (const name of ["20200101000000", "20280101000000"])
      mkdirSync(join(folder, "releases", name), { recursive: true });
    publish({ keep: 1 });
    now += 1000;
    putPage(1, "eno");
    publish({ keep: 1 });
    expect(releases()).toEqual(["20200101000000", "20280101000000", "20280101000002"]);
    expect(() => rollBackFolder(folder, "20200101000000")).toThrow("there is no release 20200101000000");
    rmSync(join(folder, "current"));
    symlinkSync(join("releases", "20200101000000"), join(folder, "current"));
    expect(() => publish()).toThrow("which another program has made");
    rmSync(join(folder, "current"));
    symlinkSync(join(out, "20280101000002"), join(folder, "current"));
    expect(() => publish()).toThrow("is not a link to a release");
  });

  it("notes the former addresses of removed pages, before it removes their release", () => {
    putPage(3, '{"meta": {"html_url": "https://a.example/three/"}}');
    publish();
    rmSync(join(out, "api/v2/pages/3"), { recursive: true });
    const { unnotified } = publish({ keep: 1, notifies: true });
    expect(unnotified).toEqual({ changed: [], removed: [3], addresses: { 3: "https://a.example/three/" } });
  });

  it("owes the notice until it is delivered, wherever it fails, and keeps a release that it cannot remove", () => {
    const root = folder;
    let calls: string[] = [];
    const warned: unknown[] = [];
    for (let fails = 0; fails === 0 || fails < calls.length; fails++) {
      folder = join(root, `${fails}`);
      const kept: string[] = [];
      const again = () => publish({ keep: 2, notifies: true, onKept: (name) => kept.push(name) });
      now = Date.parse("2027-03-01T09:00:00Z");
      putPage(1, "former");
      publish();
      putPage(1, "one");
      expect(again()).toMatchObject({ unnotified: { changed: [1], removed: [] } });
      markNotified(folder);
      expect(again().unnotified).toBe(undefined);
      putPage(1, "eno");
      let first: FolderRelease | undefined;
      calls = interrupt(() => (first = again()), fails, false);
      // If this process could not remove its lock, it waits for itself.
      rmSync(join(folder, ".deploy", "lock"), { force: true });
      if (kept.length > 0) warned.push({ first, kept });
      expect(again()).toMatchObject({ unnotified: { changed: [1], removed: [] } });
      expect(servedPage(1)).toBe("eno");
      markNotified(folder);
      expect(again().unnotified).toBe(undefined);
      putPage(1, "next");
      again();
      expect(releases()).toHaveLength(2);
    }
    // The mark, the two entries of the release and its folder.
    expect(warned).toHaveLength(4);
    for (const one of warned)
      expect(one).toMatchObject({ first: { changed: [1] }, kept: ["20270301090000"] });
  });

  it("publishes again if the current release was removed", () => {
    publish();
    rmSync(join(folder, "releases", "20270301090000"), { recursive: true });
    expect(publish()).toMatchObject({ files: 3, release: "20270301090000" });
    expect(servedPage(1)).toBe("one");
  });
});

const notices = (): unknown[] => server.received.map(({ body }) => JSON.parse(body) as unknown);

/** A site with a wrangler that prints its arguments. */
function siteWithWrangler(): string {
  const { folder: site } = placeWith("site", {
    "_site.json": { ...SITE, base_url: "https://api.museum" },
    "index.json": page(1, "home.HomePage", "Home"),
  });
  write(site, "wrangler.jsonc", {});
  write(site, "node_modules/wrangler/package.json", { name: "wrangler" });
  const program = 'console.log(`wrangler ${process.argv.slice(2).join(" ")}`);';
  write(site, "node_modules/wrangler/bin/wrangler.js", program);
  return site;
}

describe("npm run deploy with wrangler", () => {
  it("uploads a preview under an alias, and publishes it nowhere", async () => {
    const site = siteWithWrangler();
    const options = ["--preview-alias", "pr-7", "--base-url", "https://pr-7-pages.museum.workers.dev"];
    const { status, stdout } = await runHere("deploy", ["--site", site, ...options], {
      env: { NOTIFY_URL: server.url },
    });
    expect(status).toBe(0);
    expect(stdout).toMatch(/^wrangler versions upload --preview-alias pr-7 .*--assets /m);
    expect(readFileSync(join(site, "public/api/v2/pages/1/index.json"), "utf8")).toContain(
      "https://pr-7-pages.museum.workers.dev/api/v2/pages/1/",
    );
    expect(notices()).toEqual([]);
  });

  it("sends a notice after publishing, but not in a dry run", async () => {
    const site = siteWithWrangler();
    const env = { NOTIFY_URL: server.url, NOTIFY_SECRET: "" };
    const deploy = (...args: string[]) => runHere("deploy", ["--site", site, ...args], { env });
    expect(await deploy("--dry-run")).toMatchObject({ status: 0 });
    expect(notices()).toEqual([]);
    const { status, stdout } = await deploy();
    expect(status).toBe(0);
    expect(stdout).toMatch(/^wrangler deploy /m);
    expect(notices()).toEqual([{ at: expect.stringMatching(/Z$/) as string }]);
  });
});

describe("a rollback in a folder", () => {
  it("returns to the release before the current one, or to a named one", () => {
    expect(() => rollBackFolder(folder)).toThrow("there is no release before the current one");
    for (const text of ["a", "b", "c"]) {
      putPage(1, text);
      publish();
      now += 1000;
    }
    expect(rollBackFolder(folder)).toBe("20270301090001");
    expect(servedPage(1)).toBe("b");
    expect(rollBackFolder(folder)).toBe("20270301090000");
    expect(() => rollBackFolder(folder)).toThrow("there is no release before the current one");
    expect(() => rollBackFolder(folder, "2027")).toThrow("there is no release 2027");
    expect(rollBackFolder(folder, "20270301090002")).toBe("20270301090002");
    expect(servedPage(1)).toBe("c");
  });
});

it("never returns to a release that was rolled back before", () => {
  for (const text of ["a", "b", "c"]) {
    putPage(1, text);
    publish();
    now += 1000;
    if (text === "b") rollBackFolder(folder);
  }
  rollBackFolder(folder);
  expect(servedPage(1)).toBe("a");
});

describe("npm run deploy -- --to", () => {
  it("builds and publishes what is due, and rollback returns to the former release", async () => {
    const place = placeWith("to-folder", {
      "_site.json": SITE,
      "index.json": page(1, "home.HomePage", "Home"),
      "fair.json": dated(2, "Fair", { go_live_at: "2027-03-01T09:00:00Z" }),
    });
    const options = [`--content=${place.content}`, `--out=${place.out}`, `--to=${folder}`];
    const deploy = (...args: string[]) =>
      runHere("deploy", [...options, "--base-url", "http://127.0.0.1:8080", ...args]);
    vi.useFakeTimers({ now: now - 1000, toFake: ["Date"] });
    try {
      expect((await deploy()).stdout).toMatch(
        /^Published: 1 page changed, 0 removed .* is 20270301085959\.$/m,
      );
      expect((await deploy()).stdout).toContain(
        "Nothing has changed. The current release is still 20270301085959.",
      );
      vi.setSystemTime(now);
      expect((await deploy("--dry-run")).stdout).toMatch(/^Would publish: 1 page changed, 0 removed/m);
      const { status, stdout } = await deploy("--reporter", "json");
      expect(status).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ release: "20270301090000", changed: [2], removed: [] });
      expect(servedPage(2)).toContain("Fair");
      expect(await runHere("rollback", ["--to", folder])).toMatchObject({
        status: 0,
        stdout: "The current release is 20270301085959\n",
      });
      expect(await runHere("rollback", ["--to", folder])).toMatchObject(refusal());
    } finally {
      vi.useRealTimers();
    }
  });

  it("sends a notice with the ids of changed pages, unless nothing has changed", async () => {
    const place = workplace("notified");
    const options = [`--content=${place.content}`, `--out=${place.out}`, `--to=${folder}`];
    const deploy = (title: string, NOTIFY_URL: string, ...args: string[]) => {
      place.putAll({ "_site.json": SITE, "index.json": page(1, "home.HomePage", title) });
      const all = [...options, "--base-url", "http://127.0.0.1:8080", ...args];
      return runHere("deploy", all, { env: { NOTIFY_URL } });
    };
    const { url } = server;
    expect(await deploy("Home", "")).toMatchObject({ status: 0 });
    expect(notices()).toEqual([]);
    await deploy("Changed", url);
    await deploy("Changed", url);
    expect(notices()).toMatchObject([
      { changed: [1], removed: [], release: expect.stringMatching(/^\d{14}$/) as string },
    ]);
    // A notice that was not delivered is sent with the next deployment, also if that changes nothing.
    server.statuses.push(400, 400, 400);
    expect((await deploy("Again", url)).stderr).toContain("was not notified: status 400");
    await deploy("Again", "http://127.0.0.1:1/", "--notify", url);
    expect(notices().slice(-2)).toMatchObject([{ changed: [1] }, { changed: [1] }]);
    expect(notices()).toHaveLength(5);
    expect(server.received[0]?.headers).not.toHaveProperty("x-signature-256");
    expect(await deploy("Last", "nowhere")).toMatchObject(refusal("NOTIFY_URL: expected a complete address"));
  });

  it.each([
    [["--to", "a", "--bucket", "s3://pages"], "Give either --bucket or --to."],
    [["--to", "a", "--plan", "paid"], "--plan has no effect with --to"],
    [["--to", "a", "--ahead", "3"], "--ahead has no effect with --to"],
    [["--bucket", "s3://pages", "--keep", "3"], "--keep has no effect with --bucket"],
    [["--keep", "3"], "--keep has no effect with wrangler, only with --to"],
    [["--to", "a", "--keep", "0"], "--keep: expected a whole number from 1 to 100"],
    [["--preview-alias", "pr-7"], "--preview-alias needs --base-url"],
    [["--preview-alias", "pr-7", "--notify", "https://a.be"], "--notify has no effect with --preview-alias"],
    [["--reporter", "json"], "--reporter json needs --bucket or --to"],
    [["--plan", "gold"], "--plan"],
    [["--plan"], "--plan"],
    [["public"], "public"],
    [["--worker"], "--worker"],
  ])("refuses %j", async (args, message) => {
    expect(await runHere("deploy", args)).toMatchObject(refusal(message));
  });
});
