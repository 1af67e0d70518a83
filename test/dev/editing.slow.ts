import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import type { Developing } from "../../build/dev/develop.ts";
import { takeLock } from "../../build/base/lock.ts";
import { FolderStore } from "../../build/editor/folder-store.ts";
import { Conflict, StoreFailure } from "../../build/editor/store.ts";
import { MAX_BYTES } from "../../build/source/json/parse.ts";
import { commit, init } from "../change/diff/repository.ts";
import { filesBelow, treeOf } from "../files.ts";
import { general, pngOf, placeWith, type Workplace } from "../site/site.ts";
import { startPreview } from "./preview.ts";
import { sendRaw, type Received } from "./raw-request.ts";

let place: Workplace;
let running: Developing;
let port: number;
let token: string;
let store: FolderStore;

beforeAll(async () => {
  place = placeWith("editing");
  running = await startPreview(place);
  port = Number(new URL(running.baseUrl).port);
  token = tokenIn((await sent("GET / HTTP/1.1\nHost: localhost:PORT")).body) ?? "";
  const own: typeof fetch = (url, request) =>
    fetch(url, { ...request, headers: { ...(request?.headers as object), Origin: running.baseUrl } });
  store = new FolderStore({ token, base: running.baseUrl, fetch: own });
});
afterAll(() => running.close());

/** Restores the sources; few of the refused saves change any. */
function restore(): void {
  rmSync(place.content, { recursive: true, force: true });
  place.putAll();
}

/** Sends a request as written, with the port for PORT and the token for TOKEN. */
async function sent(head: string, body = ""): Promise<Received & { message: string }> {
  const received = await sendRaw(port, head.replaceAll("TOKEN", token), body);
  let message = "";
  try {
    message = String((JSON.parse(received.body) as { message?: unknown }).message);
  } catch {
    // Not every response is JSON.
  }
  return { ...received, message };
}

const tokenIn = (html: string): string | undefined => /name="edit-token" content="(\w+)"/.exec(html)?.[1];

const FILE = "visit/cafe.json";
const before = (): string => place.source(FILE);
const change = (more: object = {}): string =>
  JSON.stringify({ of: "save", file: FILE, before: before(), after: "{}", ...more });

const HEAD = "POST /edit/apply HTTP/1.1";
const HOST = "Host: localhost:PORT";
const ORIGIN = "Origin: http://localhost:PORT";
const TYPE = "Content-Type: application/json";
const TOKEN = "X-Edit-Token: TOKEN";
const head = (...lines: string[]): string => [HEAD, ...lines].join("\n");
/** Sends a save of the form. */
const save = (more: object = {}) => sent(head(HOST, ORIGIN, TYPE, TOKEN), change(more));

describe("the token", () => {
  test.each([
    [HOST],
    ["Host: 127.0.0.1:PORT"],
    [HOST, ORIGIN],
    ["Host: [::1]:PORT", "Origin: http://[::1]:PORT"],
  ])("is in the page, which no other website may read: %s %s", async (...lines) => {
    for (const path of ["/", "/index.html", "/?edit=11"]) {
      const { status, headers, body } = await sent([`GET ${path} HTTP/1.1`, ...lines].join("\n"));
      expect([path, status, tokenIn(body)]).toEqual([path, 200, token]);
      expect(headers.get("access-control-allow-origin")).toBeNull();
    }
  });

  test.each([
    "Origin: http://localhost:1",
    "Origin: https://localhost:PORT",
    "Origin: http://127.0.0.1:PORT",
    "Origin: null",
    "Origin: https://evil.example",
    "Origin: http://localhost:PORT\nOrigin: http://localhost:PORT",
    "Sec-Fetch-Site: cross-site",
  ])("is in no response to another website: %s", async (origin) => {
    for (const path of ["/", "/index.html"])
      expect((await sent(`GET ${path} HTTP/1.1\n${HOST}\n${origin}`)).body).not.toContain(token);
  });

  it("is in no other response, and in no file", async () => {
    for (const path of ["/browse/live.json", "/browse/site.json", "/api/v2/pages/1/", "/edit/apply"])
      expect((await sent(`GET ${path} HTTP/1.1\n${HOST}`)).body).not.toContain(token);
    for (const file of filesBelow(place.out)) expect(place.published(file)).not.toContain(token);
  });
});

describe("a save that is refused", () => {
  test.each<[status: number, why: string, lines: string[]]>([
    [421, "under another name", ["Host: evil.example:PORT", ORIGIN, TYPE, TOKEN]],
    [421, "at another port", ["Host: localhost:1", ORIGIN, TYPE, TOKEN]],
    [403, "without an origin", [HOST, TYPE, TOKEN]],
    [403, "of another website", [HOST, "Origin: https://evil.example", TYPE, TOKEN]],
    [403, "of another port of this machine", [HOST, "Origin: http://localhost:1", TYPE, TOKEN]],
    [403, "of another name of this machine", [HOST, "Origin: http://127.0.0.1:PORT", TYPE, TOKEN]],
    [403, "of a page without an origin", [HOST, "Origin: null", TYPE, TOKEN]],
    [403, "with two origins", [HOST, ORIGIN, ORIGIN, TYPE, TOKEN]],
    [403, "of another page of this machine", [HOST, ORIGIN, "Sec-Fetch-Site: same-site", TYPE, TOKEN]],
    [403, "without the token", [HOST, ORIGIN, TYPE]],
    [403, "with a wrong token", [HOST, ORIGIN, TYPE, "X-Edit-Token: 0"]],
    [403, "with more than the token", [HOST, ORIGIN, TYPE, "X-Edit-Token: TOKEN0"]],
    [403, "with two tokens", [HOST, ORIGIN, TYPE, "X-Edit-Token: 0", TOKEN]],
    [415, "as a form", [HOST, ORIGIN, "Content-Type: text/plain", TOKEN]],
    [415, "without a type", [HOST, ORIGIN, TOKEN]],
    [415, "as nearly JSON", [HOST, ORIGIN, "Content-Type: application/json-patch", TOKEN]],
  ])("with %i %s", async (wanted, _, lines) => {
    const text = before();
    const { status, headers, message } = await sent(head(...lines), change());
    expect(status).toBe(wanted);
    expect(message.length).toBeGreaterThan(20);
    expect(headers.get("access-control-allow-origin")).toBeNull();
    expect(before()).toBe(text);
  });

  test.each<[status: number, file: string]>([
    [403, "../outside.json"],
    [403, "/tmp/outside.json"],
    [403, "visit/../../outside.json"],
    [403, "visit//cafe.json"],
    [403, "..\\outside.json"],
    [403, ".hidden.json"],
    [403, ".git/cafe.json"],
    [403, "visit/.cafe.json"],
    [403, ".editing/lock.json"],
    [403, "visit/cafe\0.json"],
    [403, ""],
    [422, "_site.json"],
    [422, "_history.json"],
    [422, "visit/_site.json"],
    [422, "visit/cafe"],
    [422, "visit/cafe.txt"],
    [422, "visit/cafe.JSON"],
    [422, "visit/ca fe.json"],
    [422, "visit/__cafe.json"],
    [422, "visit/cafe.json/x.json"],
    [422, "works/_a/index.json"],
    [422, "_media/cafe.json"],
    [422, `${"x".repeat(300)}.json`],
    [422, `${"x/".repeat(3000)}x.json`],
  ])("with %i at %j", async (wanted, file) => {
    const files = filesBelow(place.folder).filter((path) => path.startsWith("content/"));
    const { status, message } = await save({ file, before: null });
    expect([status, message.length > 10]).toEqual([wanted, true]);
    expect(filesBelow(place.folder).filter((path) => path.startsWith("content/"))).toEqual(files);
  });
});

describe("the requests about commits and images", () => {
  it.each(["list", "commit", "apply", "send"])("are refused like a save: %s", async (operation) => {
    const files = treeOf(place.content);
    const attempt = async (...lines: string[]): Promise<number> => {
      const { status } = await sent([`POST /edit/${operation} HTTP/1.1`, HOST, ...lines].join("\n"), "{}");
      return status;
    };
    expect(await attempt("Origin: https://evil.example", TYPE, TOKEN)).toBe(403);
    expect(await attempt(TYPE, TOKEN)).toBe(403);
    expect(await attempt(ORIGIN, TYPE)).toBe(403);
    expect(await attempt(ORIGIN, TYPE, "X-Edit-Token: 0")).toBe(403);
    expect(await attempt(ORIGIN, "Content-Type: text/plain", TOKEN)).toBe(415);
    expect(await attempt(ORIGIN, TYPE, TOKEN)).toBe(422);
    expect(treeOf(place.content)).toEqual(files);
  });
});

const upload = (path: string, bytes: string) =>
  sent(head(HOST, ORIGIN, TYPE, TOKEN), JSON.stringify({ of: "image", path, bytes }));

it("writes an image once, and refuses other bytes, names and sizes", async () => {
  const png = pngOf(4, 3).toString("base64");
  expect((await upload("map.png", png)).status).toBe(200);
  expect((await upload("map.png", png)).status).toBe(409);
  expect((await upload("../map.png", png)).status).toBe(403);
  for (const bytes of ["", "?", `${png} `, Buffer.from("%PDF").toString("base64")])
    expect([bytes, (await upload("plan.png", bytes)).status]).toEqual([bytes, 422]);
  expect((await upload("plan.png", "A".repeat(36 * 2 ** 20))).status).toBe(413);
  expect(treeOf(place.file("_media"))).toEqual({ "map.png": expect.any(String) as string });
  place.drop("_media");
});

describe("a save", () => {
  beforeEach(restore);

  it("writes a source, keeps its mode, and leaves no other file", async () => {
    chmodSync(place.file(FILE), 0o640);
    const files = filesBelow(place.content);
    const { status, headers } = await save({ after: "{\r\n}" });
    expect(status).toBe(200);
    expect(headers.get("access-control-allow-origin")).toBeNull();
    expect(before()).toBe("{\r\n}");
    expect(statSync(place.file(FILE)).mode & 0o777).toBe(0o640);
    expect(filesBelow(place.content)).toEqual(files);
  });

  it("does not write through a link", async () => {
    const outside = join(place.folder, "outside");
    mkdirSync(outside, { recursive: true });
    writeFileSync(join(outside, "page.json"), "outside");
    symlinkSync(outside, place.file("linked"));
    symlinkSync(join(outside, "page.json"), place.file("visit/linked.json"));
    symlinkSync(join(outside, "missing.json"), place.file("visit/dangling.json"));
    for (const file of ["linked/page.json", "linked/new.json", "visit/linked.json", "visit/dangling.json"])
      for (const text of ["outside", null]) {
        const { status } = await save({ file, before: text });
        expect([file, status]).toEqual([file, 403]);
      }
    expect(filesBelow(outside)).toEqual(["page.json"]);
    expect(readFileSync(join(outside, "page.json"), "utf8")).toBe("outside");
    expect(lstatSync(place.file("visit/linked.json")).isSymbolicLink()).toBe(true);
    // For a file with two hard links, only the link in the content folder gets the new file.
    linkSync(join(outside, "page.json"), place.file("visit/hard.json"));
    await store.save({ file: "visit/hard.json", before: "outside", after: "{}" });
    expect(readFileSync(join(outside, "page.json"), "utf8")).toBe("outside");
  });

  it("accepts a text of four MiB, and none above", async () => {
    const after = " ".repeat(MAX_BYTES);
    await store.save({ file: FILE, before: before(), after });
    expect(before().length).toBe(MAX_BYTES);
    const text = before();
    for (const larger of [`${after} `, `${" ".repeat(MAX_BYTES - 1)}é`])
      expect((await save({ after: larger })).status).toBe(413);
    expect((await sent(head(HOST, ORIGIN, TYPE, TOKEN), " ".repeat(9 * MAX_BYTES))).status).toBe(413);
    expect(before() === text).toBe(true);
  });

  it("refuses a text that is not UTF-8, and a malformed request", async () => {
    for (const body of ["", "[]", "null", "{", '{"of":"save","file":1}', `{"of":"save","file":"${FILE}"}`])
      expect([body, (await sent(head(HOST, ORIGIN, TYPE, TOKEN), body)).status]).toEqual([body, 422]);
    const { status, message } = await save({ after: "\ud800" });
    expect([status, message]).toEqual([422, expect.stringContaining("half a character")]);
    for (const path of ["/edit/", "/edit/remove", "/edit/apply/x"]) {
      const other = head(HOST, ORIGIN, TYPE, TOKEN).replace("/edit/apply", path);
      expect((await sent(other, "{}")).status).toBe(422);
    }
  });

  it("refuses a text that has changed since it was opened, and returns the current text", async () => {
    const opened = before();
    writeFileSync(place.file(FILE), `${opened} `);
    const { status, body } = await save({ before: opened });
    expect([status, JSON.parse(body)]).toEqual([
      409,
      { message: `${FILE} has changed since you opened it.`, current: `${opened} ` },
    ]);
    const saving = () => store.save({ file: FILE, before: opened, after: "{}" });
    await expect(saving()).rejects.toMatchObject({ name: "Conflict", current: `${opened} ` });
    // Line endings and a byte order mark are part of the text.
    writeFileSync(place.file(FILE), `\ufeff${opened.replaceAll("\n", "\r\n")}`);
    await expect(saving()).rejects.toThrow(Conflict);
    place.drop(FILE);
    await expect(saving()).rejects.toMatchObject({ current: null });
    await store.save({ file: FILE, before: null, after: opened });
    await expect(store.save({ file: FILE, before: null, after: "{}" })).rejects.toThrow(Conflict);
    expect(before()).toBe(opened);
  });

  it("makes the folders of a new page, and removes drafts but not pages", async () => {
    await store.save({ file: "visit/food/_more/tea.json", before: null, after: "{}" });
    expect(place.source("visit/food/_more/tea.json")).toBe("{}");
    const draft = place.source("_news.json");
    await store.save({ file: "_news.json", before: draft, after: null });
    expect(existsSync(place.file("_news.json"))).toBe(false);
    await expect(store.save({ file: FILE, before: before(), after: null })).rejects.toThrow("retire");
    init(place.folder);
    commit(place.folder);
    await expect(store.remove(FILE, before())).rejects.toThrow(`${FILE} is committed: retire its page.`);
    rmSync(join(place.folder, ".git"), { recursive: true });
    expect(existsSync(place.file(FILE))).toBe(true);
  });

  it("waits for a command that has locked the sources", async () => {
    const opened = before();
    mkdirSync(place.file(".editing"));
    const release = takeLock(place.file(".editing/lock"));
    let isSaved = false;
    const saving = store.save({ file: FILE, before: opened, after: "{}" }).then(() => (isSaved = true));
    await store.open(1);
    expect([isSaved, before()]).toEqual([false, opened]);
    release();
    await saving;
    expect(before()).toBe("{}");
  });

  it("succeeds once if many are sent at the same time", async () => {
    const opened = before();
    const saves = Array.from({ length: 8 }, (_, i) =>
      store.save({ file: FILE, before: opened, after: `{"n": ${i}}` }).then(
        () => "saved",
        (cause: unknown) => (cause instanceof Conflict ? "conflict" : String(cause)),
      ),
    );
    expect((await Promise.all(saves)).sort()).toEqual([...Array<string>(7).fill("conflict"), "saved"]);
  });
});

describe("the folder store", () => {
  beforeEach(restore);

  it("opens pages, drafts, and sources with errors, with their exact text", async () => {
    const text = `\ufeff${before().replaceAll("\n", "\r\n")}`;
    writeFileSync(place.file(FILE), text);
    expect(await store.open(11)).toEqual({ file: FILE, text });
    expect((await store.open(3))?.file).toBe("_news.json");
    place.put("visit/broken.json", '{"id": 77, "title": ');
    expect(await store.open(77)).toEqual({ file: "visit/broken.json", text: '{"id": 77, "title": ' });
    expect(await store.open(999)).toBeUndefined();
  });

  it("moves and retires pages as the commands do", async () => {
    expect(await store.move(FILE, "about-us.json")).toBe("about-us.json");
    expect(place.json("_history.json")).toMatchObject({
      moved: [{ id: 11, address: "/visit/cafe/" }],
    });
    expect(place.source("works/_b/fen.json")).toContain('href=\\"/about-us/');
    const links = await store.retire("about-us.json", "/visit/");
    expect(links.map(({ place: { file } }) => file)).toEqual(["works/_b/fen.json"]);
    expect(existsSync(place.file("about-us.json"))).toBe(false);
    const below = store.move("visit/rooms/index.json", "works/rooms/index.json");
    await expect(below).rejects.toThrow(StoreFailure);
    await expect(store.move("../x.json", "y.json")).rejects.toThrow("not a path");
  });

  it("gives a new parent page a folder with the move, and takes both back", async () => {
    const files = treeOf(place.content);
    await store.move("about.json", "visit/cafe/about.json");
    expect(place.json("visit/cafe/index.json")).toMatchObject({ id: 11 });
    expect(place.json("_history.json")).toMatchObject({ moved: [{ id: 2, address: "/about/" }] });
    await store.undo(store.change);
    expect(treeOf(place.content)).toEqual(files);
    await expect(store.move(FILE, "visit/cafe/tea.json")).rejects.toThrow("cannot be its own subpage");
  });

  it("publishes drafts, and turns pages into drafts", async () => {
    expect(await store.publish("_news.json")).toBe("news.json");
    expect(await store.withdraw(FILE)).toEqual([expect.objectContaining({ href: "/visit/cafe/" })]);
    expect(existsSync(join(place.content, "visit/_cafe.json"))).toBe(true);
    await store.withdraw("visit/rooms/index.json");
    expect(existsSync(join(place.content, "visit/rooms/_index.json"))).toBe(true);
    expect(await store.publish("visit/rooms/_index.json")).toBe("visit/rooms/index.json");
    place.put("visit/cafe.json", general(90, "Another"));
    await expect(store.publish("visit/_cafe.json")).rejects.toThrow("is there already");
    await expect(store.withdraw("index.json")).rejects.toThrow("home page");
    await expect(store.publish("visit/shop.json")).rejects.toThrow(StoreFailure);
    expect(existsSync(place.file("_history.json"))).toBe(false);
  });

  it("reads the page types of the site, but never writes them", async () => {
    expect(await store.types()).toBeNull();
    const types = '{ "types": { "standardpages.GeneralPage": { "fields": { "opening": "text" } } } }';
    writeFileSync(place.file("_types.json"), types);
    expect(await store.types()).toBe(types);
    for (const after of ["{}", null]) {
      const saving = store.save({ file: "_types.json", before: types, after });
      await expect(saving).rejects.toThrow("is not the name of a page source");
    }
    // A command of the form knows the declared fields.
    place.put(FILE, { ...general(11, "Café"), opening: "Daily" });
    expect(await store.move(FILE, "about-us.json")).toBe("about-us.json");
    expect(await store.subpages("visit/index.json")).toBe(4);
  });

  it("counts the subpages of a change, and undoes the last one", async () => {
    expect(await store.subpages("visit/index.json")).toBe(5);
    const files = treeOf(place.content);
    await store.retire("visit/index.json", undefined);
    const last = store.change;
    expect(treeOf(place.content)).not.toEqual(files);
    await store.undo(last);
    expect(treeOf(place.content)).toEqual(files);
    await expect(store.undo(last)).rejects.toThrow("Only the last change can be undone");
    await store.save({ file: FILE, before: before(), after: "{}" });
    writeFileSync(place.file(FILE), "{ }");
    await expect(store.undo(store.change)).rejects.toThrow(`${FILE} has changed since`);
    expect(before()).toBe("{ }");
  });

  it("reports that the server has stopped", async () => {
    const gone = new FolderStore({ token, base: "http://127.0.0.1:9" });
    await expect(gone.open(1)).rejects.toThrow("npm run dev");
  });
});
