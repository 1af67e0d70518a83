import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { afterEach, beforeEach, expect, it } from "vitest";
import {
  openPage,
  overhang,
  serveSite,
  violationsOn,
  visit,
  type Served,
  type Visit,
} from "../browse/browser.ts";
import { describeInBrowser } from "../browse/suite.ts";
import { FIXTURE_SITE } from "../fixtures.ts";
import { scratch } from "../scratch.ts";
import { changed } from "./github/git.ts";
import { NAME, openMuseum, TOKENS, writeMuseumSite, type Museum } from "./github/museum.ts";
import type { Fault } from "./github/stand-in.ts";
import {
  act,
  addToProposal,
  at,
  button,
  closeAsked,
  conflictIn,
  enterToken,
  form,
  propose,
  shows,
} from "./form.ts";

const ACCESS = "visit/access.json";
const ACCESS_ID = 12;
const TRAIN_ID = 15;
const DRAFT_ID = 17;
const HISTORY_PAGE_ID = 31;

const proposal = (page: Page): Locator => page.getByRole("region", { name: "Proposal", exact: true });
const files = (page: Page): Promise<string[]> =>
  page
    .getByRole("list", { name: "Changed pages" })
    .locator("[data-file]")
    .evaluateAll((all) => all.map((one) => one.getAttribute("data-file") ?? ""));

const edit = async (page: Page, title: string): Promise<void> => {
  await at(page, "title").fill(title);
  await addToProposal(page);
};
const kept = (page: Page): Promise<{ local: string; tab: string }> =>
  page.evaluate("({ local: JSON.stringify(localStorage), tab: JSON.stringify(sessionStorage) })");

const enterForm = (page: Page) => page.getByRole("link", { name: "Edit", exact: true }).click();

describeInBrowser("a proposal in the browser", (browser) => {
  let museum: Museum;
  let site: Served;
  let visits: Visit[] = [];

  beforeEach(async () => {
    museum = await openMuseum();
    const content = join(scratch("proposal"), "content");
    cpSync(FIXTURE_SITE, content, { recursive: true });
    site = await serveSite(content, "proposal-site", undefined, writeMuseumSite(content, museum));
  });
  afterEach(async () => {
    for (const { page } of visits) await page.context().close();
    visits = [];
    await site.close();
    await museum.github.close();
    museum.check();
  });

  const open = async (path: string, options = {}): Promise<Visit> => {
    const visited = await openPage(browser(), site.base + path, options, [museum.github.origin]);
    visits.push(visited);
    return visited;
  };
  const openForm = async (id = ACCESS_ID, options = {}): Promise<Visit> => {
    const visited = await open(`/?edit=${id}`, options);
    await form(visited.page).waitFor();
    return visited;
  };
  /** Goes to another form, in the same tab by default. */
  const goTo = async (page: Page, path: string, name?: string): Promise<void> => {
    await page.goto(site.base + path);
    await form(page, name).waitFor();
  };
  const goToNew = (page: Page) => goTo(page, "/?new=standardpages.GeneralPage&below=10", "New page");
  const source = (file: string, rev = "main"): string =>
    museum.repository.git.readAt(rev, `content/${file}`).toString();

  it("proposes several changes as one pull request", async () => {
    const { git } = museum.repository;
    const { page, trouble, responses } = await open(`/?page=${ACCESS_ID}`);
    const loaded = (): string[] => [...responses.keys()].filter((url) => /edit\.|sources|things/.test(url));
    expect(loaded()).toEqual([]);
    await enterForm(page);
    await edit(page, "Zugänglichkeit ✓");
    expect(new URL(page.url()).search).toBe(`?edit=${ACCESS_ID}`);
    expect(loaded()).not.toEqual([]);
    await page.goto(`${site.base}/?edit=${TRAIN_ID}`);
    await edit(page, "By train and ferry");
    await goToNew(page);
    await at(page, "title").fill("Cloakroom");
    await addToProposal(page);
    expect(await files(page)).toEqual([ACCESS, "visit/getting-here/by-train.json", "visit/cloakroom.json"]);
    await page.setViewportSize({ width: 768, height: 900 });
    expect(await overhang(page)).toBe(0);
    const made = page.url();
    await goToNew(page);
    expect(await at(page, "title").inputValue()).toBe("");
    expect(await page.getByText("were restored").count()).toBe(0);
    await page.goto(made);
    await enterToken(page, TOKENS.writer);
    await proposal(page).getByText("Signed in as mira.").waitFor();
    await page.getByLabel("Title of the proposal").fill("Change the visit pages");
    await page.getByLabel("Note for the reviewer").fill("For the winter.");
    await propose(page);

    const { pulls } = museum.github.world;
    expect(pulls).toMatchObject([
      { title: "Change the visit pages", body: "For the winter.", draft: false, base: "main" },
    ]);
    const head = pulls[0]?.head.sha ?? "";
    expect(changed(git, "main", head)).toEqual([
      "M 100644→100644 content/visit/access.json",
      "A 000000→100644 content/visit/cloakroom.json",
      "M 100644→100644 content/visit/getting-here/by-train.json",
    ]);
    const access = source(ACCESS);
    const title = (JSON.parse(access) as { title: string }).title;
    expect(source(ACCESS, head)).toBe(access.replace(`"title": "${title}"`, '"title": "Zugänglichkeit ✓"'));
    expect(await files(page)).toEqual([]);
    // The new page is now only in the pull request.
    await page.reload();
    await page.getByText(/pull request that is not merged yet/).waitFor();
    await goTo(page, `/?edit=${ACCESS_ID}`);
    expect(await files(page)).toEqual([]);
    expect(trouble.filter((one) => !one.includes("404"))).toEqual([]);
  });

  it("edits the fields that the branch declares, and reports mistakes in _types.json", async () => {
    const { git } = museum.repository;
    const declare = (kind: string): void => {
      const types = { "standardpages.GeneralPage": { fields: { opening: kind } } };
      git.change("main", { "content/_types.json": JSON.stringify({ types }) });
    };
    const published = join(site.out, "browse/site.json");
    const facts = JSON.parse(readFileSync(published, "utf8")) as object;
    writeFileSync(published, JSON.stringify({ ...facts, hasTypes: true }));
    declare("txt");
    const { page } = await open(`/?edit=${ACCESS_ID}`);
    await page.getByText("_types.json has mistakes").waitFor();
    declare("text!");
    await enterToken(page, TOKENS.writer);
    await at(page, "opening").fill("Daily");
    await addToProposal(page);
    await propose(page);
    const head = museum.github.world.pulls[0]?.head.sha ?? "";
    expect(JSON.parse(source(ACCESS, head))).toMatchObject({ opening: "Daily" });
  });

  it("sends the token to the API only, and keeps it only in this tab if it is asked to", async () => {
    const { page } = await open(`/?edit=${ACCESS_ID}`);
    const elsewhere: string[] = [];
    page.on("request", (request) => {
      const { origin } = new URL(request.url());
      const sent = [request.url(), ...Object.values(request.headers()), request.postData() ?? ""];
      if (sent.some((text) => text.includes(TOKENS.writer)) && origin !== museum.github.origin)
        elsewhere.push(request.url());
    });
    await edit(page, "Access for all");
    await enterToken(page, TOKENS.writer);
    await proposal(page).getByText("Signed in as mira.").waitFor();
    expect(JSON.stringify(await kept(page))).not.toContain(TOKENS.writer);
    await page.reload();
    expect(await page.getByLabel("Access token", { exact: true }).inputValue()).toBe("");
    await enterToken(page, TOKENS.writer);
    await page.getByLabel("Keep the token in this browser tab").check();
    await page.reload();
    await proposal(page).getByText("Signed in as mira.").waitFor();
    const { local, tab } = await kept(page);
    expect(local).not.toContain(TOKENS.writer);
    expect(tab).toContain(TOKENS.writer);
    const other = await page.context().newPage();
    await goTo(other, `/?edit=${ACCESS_ID}`);
    expect(await files(other)).toEqual([ACCESS]);
    expect(await other.getByLabel("Access token", { exact: true }).inputValue()).toBe("");
    await other.close();
    await page.getByLabel("Keep the token in this browser tab").uncheck();
    expect(JSON.stringify(await kept(page))).not.toContain(TOKENS.writer);

    await propose(page);
    expect(elsewhere).toEqual([]);
  });

  it("shows both versions if the file has changed since its change was added", async () => {
    const { page } = await openForm();
    await edit(page, "My title");
    const now = { ...(JSON.parse(source(ACCESS)) as object), title: "Their title" };
    museum.repository.git.change("main", { [`content/${ACCESS}`]: `${JSON.stringify(now, undefined, 2)}\n` });
    await enterToken(page, TOKENS.writer);
    await button(page, "Propose changes").click();
    await shows(proposal(page), /has changed since you opened it/);
    expect(await files(page)).toEqual([ACCESS]);
    expect(museum.github.world.pulls).toEqual([]);
    await at(page, "title").fill("My title again");
    await button(page, "Add to proposal").click();
    const conflict = conflictIn(page);
    await conflict.waitFor();
    for (const title of ["Their title", "My title again"])
      expect(await conflict.innerText()).toContain(title);
    await button(conflict, "Use the chosen versions").click();
    expect(await at(page, "title").inputValue()).toBe("My title again");
    await addToProposal(page);
    await enterToken(page, TOKENS.writer);
    await propose(page);
    const head = museum.github.world.pulls[0]?.head.sha ?? "";
    expect(source(ACCESS, head)).toContain('"title": "My title again"');
  });

  it("proposes pages with errors as a draft", async () => {
    const { page } = await openForm();
    await at(page, "title").fill("");
    await addToProposal(page, "Added to the proposal. The page has 1 error.");
    expect(await proposal(page).innerText()).toContain("changed, 1 error");
    await enterToken(page, TOKENS.writer);
    await button(page, "Propose changes").click();
    await proposal(page).getByText("Proposed as a draft, because the pages have 1 error.").waitFor();
    expect(museum.github.world.pulls).toMatchObject([{ draft: true }]);
  });

  it("opens GitHub's own editor without a token: a new page in the address, an existing one on the clipboard", async () => {
    const { page } = await open(`/?edit=${ACCESS_ID}`, {
      permissions: ["clipboard-read", "clipboard-write"],
    });
    await page
      .context()
      .route("https://github.com/**", (route) =>
        route.fulfill({ contentType: "text/html", body: "<title>GitHub</title>" }),
      );
    await edit(page, "Access ✓");
    const openOnGitHub = async (file: string): Promise<URL> => {
      const item = page.locator(`[data-file="${file}"]`);
      const popup = page.context().waitForEvent("page");
      await item.getByRole("link", { name: "Open on GitHub" }).click();
      const opened = await popup;
      await opened.waitForURL("https://github.com/**");
      const url = new URL(opened.url());
      expect(await opened.evaluate("opener === null && document.referrer === ''")).toBe(true);
      await opened.close();
      return url;
    };
    const existing = await openOnGitHub(ACCESS);
    expect(existing.pathname).toBe(`/${NAME}/edit/main/content/${ACCESS}`);
    const before = source(ACCESS);
    const title = (JSON.parse(before) as { title: string }).title;
    await page.bringToFront();
    await page.getByText("The new text is on the clipboard: paste it over the old one.").waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(
      before.replace(`"title": "${title}"`, '"title": "Access ✓"'),
    );
    await goToNew(page);
    await at(page, "title").fill("Cloakroom & more");
    await addToProposal(page);
    const made = await openOnGitHub("visit/cloakroom-more.json");
    expect(made.pathname).toBe(`/${NAME}/new/main/content/visit`);
    expect(made.searchParams.get("filename")).toBe("cloakroom-more.json");
    expect(JSON.parse(made.searchParams.get("value") ?? "")).toMatchObject({ title: "Cloakroom & more" });
    await button(page, "Propose changes").click();
    await proposal(page).getByText("Enter an access token, or open each file on GitHub.").waitFor();
    expect(museum.github.operations.some((operation) => operation.startsWith("git/create"))).toBe(false);
  });

  it("finds a draft, which the published site does not name", async () => {
    const { page, responses } = await openForm(DRAFT_ID);
    expect(await page.locator(".edit-head").innerText()).toContain("visit/_winter-closure.json");
    for (const url of responses.keys())
      expect(url.startsWith(museum.github.origin) || !url.includes("winter")).toBe(true);
    const unknown = await open("/?edit=999");
    await unknown.page.getByRole("heading", { name: "No page has the id 999" }).waitFor();
  });

  it.each<[name: string, fault: Fault, says: RegExp]>([
    ["a refusal", { operation: "git/create-tree", status: 403 }, /GitHub refuses this/],
    // More than once, as a browser repeats a request whose connection was closed.
    ["no connection", { operation: "git/create-tree", isLost: true, times: 9 }, /does not respond/],
  ])("keeps the edits after a failure of GitHub (%s), and proposes them then", async (_, fault, says) => {
    const { page } = await openForm();
    await edit(page, "Access for all");
    await enterToken(page, TOKENS.writer);
    await proposal(page).getByText("Signed in as mira.").waitFor();
    museum.github.plant({ ...fault, body: { message: "No.", documentation_url: "https://docs.github.com" } });
    await button(page, "Propose changes").click();
    await proposal(page).locator(".form-status").getByText(says).waitFor();
    expect([...museum.repository.git.branches.keys()]).toEqual(["main"]);
    await page.reload();
    await form(page).waitFor();
    expect(await files(page)).toEqual([ACCESS]);
    expect(await at(page, "title").inputValue()).toBe("Access for all");
    museum.github.reset();
    await enterToken(page, TOKENS.writer);
    await propose(page);
  });

  it("moves a page with the links to it, and first lists the files that it cannot read", async () => {
    const { page, trouble } = await openForm(HISTORY_PAGE_ID);
    await act(page, /^Move…/);
    await page.getByRole("group", { name: "Place" }).getByLabel("Slug").fill("history");
    museum.github.plant({ operation: "git/get-blob", status: 502, body: "" });
    await button(page, "Move the page here").click();
    const dialog = page.getByRole("dialog", { name: "Confirm" });
    await dialog.getByText("Links in 1 file could not be found or changed.").waitFor();
    const unread = dialog.getByRole("list", { name: "Files that keep their links" });
    expect(await unread.textContent()).toMatch(/^visit\/_winter-closure\.json: \S/);
    expect(await violationsOn(page)).toEqual([]);
    await button(dialog, "Move 1 page").click();
    await page.getByText("The page was moved").waitFor();
    const moved = await files(page);
    expect(moved.filter((file) => file.startsWith("art/artworks/")).length).toBeGreaterThan(5);
    expect(moved).toContain("about/history.json");
    expect(await page.getByRole("list", { name: "Changed pages" }).textContent()).toContain(
      "/about/history/",
    );
    expect(trouble.filter((one) => !/404|502/.test(one))).toEqual([]);
  });

  it("takes a change out of the proposal, and keeps later edits of the form", async () => {
    const { page } = await open(`/?edit=${ACCESS_ID}`);
    await edit(page, "Access for all");
    await at(page, "title").fill("Access for everybody");
    await button(page, "Remove Access for all from the proposal").click();
    expect(await files(page)).toEqual([]);
    expect(await at(page, "title").inputValue()).toBe("Access for everybody");
  });

  it("keeps a change in the page if the browser's storage is full, and asks before the page is closed", async () => {
    const { page } = await open(`/?edit=${ACCESS_ID}`);
    await edit(page, "Access for all");
    await goTo(page, `/?edit=${TRAIN_ID}`);
    await page.evaluate("Storage.prototype.setItem = () => { throw new DOMException('full') }");
    await at(page, "title").fill("By train and ferry");
    await addToProposal(page, "Added to the proposal, but this browser cannot keep it.");
    await proposal(page).getByText("propose them before you close the page").waitFor();
    expect(await files(page)).toEqual([ACCESS, "visit/getting-here/by-train.json"]);
    expect((await kept(page)).local).toContain("Access for all");
    page.removeAllListeners("dialog");
    await closeAsked(page, "dismiss");
    await enterToken(page, TOKENS.writer);
    await propose(page);
    expect(await files(page)).toEqual([]);
    const head = museum.github.world.pulls[0]?.head.sha ?? "";
    expect(source("visit/getting-here/by-train.json", head)).toContain("By train and ferry");
    const closed = page.waitForEvent("close");
    await page.close({ runBeforeUnload: true });
    await closed;
  });

  it("shows the change of another tab, and refuses a second new page with the same address", async () => {
    const { page } = await openForm();
    const other = await page.context().newPage();
    await goTo(other, `/?edit=${ACCESS_ID}`);
    await edit(page, "The title of the first tab");
    await at(other, "title").fill("The title of the second tab");
    await button(other, "Add to proposal").click();
    const conflict = conflictIn(other);
    await conflict.waitFor();
    for (const tab of ["first", "second"])
      expect(await conflict.innerText()).toContain(`The title of the ${tab} tab`);
    await button(conflict, "Use the chosen versions").click();
    await addToProposal(other);
    expect(await files(page)).toEqual([ACCESS]);

    for (const tab of [page, other]) {
      await goToNew(tab);
      await at(tab, "title").fill("Cloakroom");
      if (tab === page) await addToProposal(page);
    }
    const message = "Not saved: visit/cloakroom.json is another page. Choose another slug or parent.";
    await addToProposal(other, message);
    await at(other, "meta.slug").fill("cloakroom-2");
    await addToProposal(other);
    expect(await files(other)).toEqual([ACCESS, "visit/cloakroom.json", "visit/cloakroom-2.json"]);
  });

  it("proposes once if two tabs do so at the same time", async () => {
    const { page } = await open(`/?edit=${ACCESS_ID}`);
    await edit(page, "Access for all");
    const other = await page.context().newPage();
    await other.goto(`${site.base}/?edit=${TRAIN_ID}`);
    for (const tab of [page, other]) await enterToken(tab, TOKENS.writer);
    await Promise.all([page, other].map((tab) => button(tab, "Propose changes").click()));
    const end = /^(?:The changes are proposed|The changes are already being|There are no changes)/;
    await Promise.all([page, other].map((tab) => proposal(tab).getByText(end).waitFor()));
    await expect.poll(() => files(page)).toEqual([]);
    expect(museum.github.world.pulls).toHaveLength(1);
  });

  it("asks for a token if the repository cannot be read without one", async () => {
    museum.repository.isPrivate = true;
    const { page } = await open(`/?edit=${ACCESS_ID}`);
    await page.getByRole("heading", { name: "The page cannot be edited now" }).waitFor();
    await enterToken(page, TOKENS.writer);
    expect(await at(page, "title").inputValue()).not.toBe("");
  });

  it("suggests the things that published pages mention, by name", async () => {
    const { page, trouble } = await openForm(10_055);
    const subjects = page.locator('fieldset[data-path="subjects"]');
    const count = await subjects.locator("> ol > li").count();
    await button(subjects, "Add").click();
    await at(page, `subjects.${count}.name`).fill("sea");
    const option = page.locator('[role="option"]').first();
    await option.waitFor();
    expect(await option.innerText()).toMatch(/sea.* pages/s);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    expect(Number(await at(page, `subjects.${count}.id`).inputValue())).toBeGreaterThan(0);
    await at(page, "classification.id").fill("");
    await at(page, "classification.id").pressSequentially("photo");
    await page.locator('[role="option"]').first().waitFor();
    expect(trouble).toEqual([]);
  });

  it("reports an address that leads to no image of the site, published or not", async () => {
    const { page, trouble } = await openForm(10_055);
    const address = at(page, "master_images.0.default_url");
    const before = await address.inputValue();
    const missing = page.getByText("There is no image _media/formats/march.png");
    await address.fill("/formats/march.png");
    await missing.first().waitFor();
    await at(page, "title").fill("The Drawbridge, again");
    await addToProposal(page);
    expect(await proposal(page).innerText()).toMatch(/changed, [1-9] error/);
    // An image that is in the repository, but not published yet.
    museum.repository.git.change("main", { "content/_media/formats/march.png": "x" });
    await page.reload();
    const another = page.getByText("There is no image _media/formats/may.png");
    await address.fill("/formats/may.png");
    await another.first().waitFor();
    await address.fill("/formats/march.png");
    await expect.poll(() => another.count()).toBe(0);
    await expect.poll(() => missing.count()).toBe(0);
    await address.fill(before);
    await addToProposal(page);
    expect(await proposal(page).innerText()).not.toContain("error");
    expect(trouble.filter((one) => !one.includes("404"))).toEqual([]);
  });

  it("fits a phone, and has no serious finding of axe", async () => {
    for (const viewport of [
      { width: 390, height: 844 },
      { width: 1280, height: 900 },
    ]) {
      const { page } = await open(`/?edit=${ACCESS_ID}`, { viewport });
      await edit(page, "Access for all");
      expect(await overhang(page)).toBe(0);
      expect(await violationsOn(page)).toEqual([]);
    }
  });

  it("has no editor without a repository", async () => {
    const plain = await serveSite(FIXTURE_SITE, "plain-site");
    const { page } = await visit(browser(), plain.base);
    await page.goto(`${plain.base}/?page=${ACCESS_ID}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(await page.getByRole("link", { name: "Edit", exact: true }).count()).toBe(0);
    const names = readdirSync(join(plain.out, "browse"));
    expect(names.filter((name) => /^edit\.|sources|things/.test(name))).toEqual([]);
    await page.context().close();
    await plain.close();
  });
});
