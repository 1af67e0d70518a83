import { copyFileSync, cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { isLaidOut } from "../../build/source/json/edit.ts";
import { overhang, violationsOn } from "../browse/browser.ts";
import { describePreview } from "../browse/suite.ts";
import { git, init } from "../change/diff/repository.ts";
import { FIXTURE_SITE } from "../fixtures.ts";
import { at, button, enterToken, focused, propose, save, shows, WORK, WORK_ID } from "./form.ts";
import { changed } from "./github/git.ts";
import { openMuseum, TOKENS, writeMuseumSite, type Museum } from "./github/museum.ts";

const writeRepository = (content: string): void => {
  const folder = dirname(content);
  cpSync(FIXTURE_SITE, content, { recursive: true });
  writeFileSync(join(content, WORK), JSON.stringify(JSON.parse(readFileSync(join(content, WORK), "utf8"))));
  init(folder);
  git(folder, "config", "user.name", "Mira");
  git(folder, "config", "user.email", "mira@example.org");
  git(folder, "add", "content");
  git(folder, "commit", "--quiet", "--message", "sources");
};

/** Remembers that the preview has mentioned errors. */
const NOTE_ERRORS = `addEventListener("DOMContentLoaded", () =>
  new MutationObserver(() => {
    const note = document.querySelector(".preview-note")?.textContent ?? "";
    if (note.includes("once its errors are corrected")) document.documentElement.dataset.errors = "";
  }).observe(document, { childList: true, subtree: true }))`;

describePreview("the changes of a page", writeRepository, (preview) => {
  it("are seen beside the form, reviewed, saved, listed, restored and committed", async () => {
    const { page } = await preview.visit(`/?edit=${WORK_ID}`);
    const beside = page.getByRole("region", { name: "Page", exact: true });
    await page.addInitScript(NOTE_ERRORS);
    await page.reload();
    await shows(beside, "The Drawbridge");
    // While the form loads, nothing is said about errors.
    expect(await page.locator("html").getAttribute("data-errors")).toBe(null);
    await at(page, "title").fill("The Drawbridge, raised");
    await beside.getByText("The Drawbridge, raised").waitFor();

    await button(page, "Review changes").click();
    const dialog = page.getByRole("dialog", { name: "Review changes" });
    await dialog.getByText("Pages: 1 changed.").waitFor();
    await dialog.getByText("saving lays out the whole file").waitFor();
    expect(await dialog.locator("del, ins").allInnerTexts()).toEqual([
      "The Drawbridge",
      "The Drawbridge, raised",
    ]);
    expect(await violationsOn(page)).toEqual([]);
    await button(dialog, "Close").click();

    const address = at(page, "master_images.0.default_url");
    await address.evaluate((one) => (one as unknown as { focus: () => void }).focus());
    await address.locator("..").getByRole("button", { name: "Choose an image" }).click();
    const picker = page.getByRole("dialog", { name: "Choose an image" });
    await picker.getByLabel("Find an image").fill("marsh webp");
    expect(await picker.getByRole("list", { name: "Images" }).getByRole("button").count()).toBe(1);
    expect(await violationsOn(page)).toEqual([]);
    await picker.getByLabel(/^Add an image/).setInputFiles(join(FIXTURE_SITE, "_media/formats/marsh.png"));
    await picker.getByLabel("Alternative text").fill("A marsh at dusk");
    await button(picker, "Use this image").click();
    await expect.poll(() => address.inputValue()).toBe("/marsh.png");
    await save(page);
    expect(isLaidOut(preview.source(WORK))).toBe(true);
    expect(preview.json(WORK)["master_images"]).toMatchObject([
      {
        alt_text: "A marsh at dusk",
        max_width: 8,
        sizes: [[8, "0-8", "/marsh.png"]],
        src: "https://api.aldermouth.example.org/media/marsh.png",
      },
    ]);

    for (const [width, height] of [
      [390, 844],
      [1280, 900],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.goto(`${preview.baseUrl}/?changes`);
      await page.getByText("Pages: 1 changed. 1 image added.").waitFor();
      expect([width, await overhang(page), await violationsOn(page)]).toEqual([width, 0, []]);
    }
    const before = preview.source(WORK);
    await button(page, "Restore the committed version of The Drawbridge, raised").click();
    await page.getByText("“The Drawbridge, raised” is again as in the last commit.").waitFor();
    expect(git(preview.folder, "status", "--porcelain", "content")).toBe("?? content/_media/marsh.png\n");
    expect(preview.source(WORK)).not.toBe(before);
    await page.getByLabel("Describe the changes").fill("Add a picture of the marsh");
    await button(page, "Commit the changes").click();
    await page.getByText("There are no changes since the last commit.").waitFor();
    expect(git(preview.folder, "log", "-1", "--format=%s", "--name-only")).toBe(
      "Add a picture of the marsh\n\ncontent/_media/marsh.png\n",
    );
    expect(existsSync(preview.file("_media/marsh.png"))).toBe(true);
    await page.getByText("Not on the website yet:").waitFor({ state: "hidden" });

    // A new page is removed, and comes back; a change is committed without the others, and sent.
    const remote = join(preview.folder, "remote.git");
    git(preview.folder, "clone", "--quiet", "--bare", preview.folder, remote);
    git(preview.folder, "remote", "add", "origin", remote);
    git(preview.folder, "fetch", "--quiet", "origin");
    git(preview.folder, "branch", "--quiet", "--set-upstream-to=origin/main");
    const added = preview.file("new-page.json");
    writeFileSync(added, preview.source("visit/index.json").replace(/"id": \d+/, '"id": 987654'));
    writeFileSync(preview.file(WORK), preview.source(WORK).replace('"title":"', '"title":"Old: '));
    await page.reload();
    await button(page, "Remove the page Visit").waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await button(page, "Remove the page Visit").click();
    await page.getByText("“Visit” is removed.").waitFor();
    expect(existsSync(added)).toBe(false);
    await expect.poll(() => focused(page)).toBe("Undo");
    await button(page, "Undo").click();
    await button(page, "Remove the page Visit").waitFor();
    expect(existsSync(added)).toBe(true);
    await page.getByLabel("Commit Visit").uncheck();
    await page.getByText(/^Not on the website yet: .*sent to main of origin/).waitFor();
    await page.getByLabel("Describe the changes").fill("Call the work old");
    await button(page, "Commit 1 of 2 changed files").click();
    await button(page, "Send 1 commit").click();
    await page.getByText("1 commit sent to main of origin.").waitFor();
    expect(git(remote, "log", "-1", "--format=%s", "--name-only", "main")).toBe(
      `Call the work old\n\ncontent/${WORK}\n`,
    );
    expect(git(preview.folder, "status", "--porcelain", "content")).toBe("?? content/new-page.json\n");
  });
});

let museum: Museum;
const writeMuseum = async (content: string): Promise<void> => {
  writeRepository(content);
  // As it is in the museum's repository.
  copyFileSync(join(FIXTURE_SITE, WORK), join(content, WORK));
  museum = await openMuseum();
  writeMuseumSite(content, museum);
  git(dirname(content), "commit", "--quiet", "--all", "--message", "repository");
};

describePreview(
  "the changes of a folder without git",
  (content) => cpSync(FIXTURE_SITE, content, { recursive: true }),
  (preview) => {
    it("cannot be found, nor committed", async () => {
      const { page, trouble } = await preview.visit("/?changes");
      await page.getByText(/is not in a checkout of git, so there is nothing to compare with/).waitFor();
      expect(await button(page, "Commit the changes").count()).toBe(0);
      expect(trouble.splice(0, 1)).toEqual([expect.stringContaining("422")]);
    });
  },
);

describePreview("the changes of a folder with a repository on GitHub", writeMuseum, (preview) => {
  afterAll(() => museum.github.close());

  it("are proposed as one pull request with an image, and stay in the folder", async () => {
    const edited = preview.source(WORK).replace('"title": "', '"title": "Old: ');
    writeFileSync(preview.file(WORK), edited);
    const image = join(FIXTURE_SITE, "_media/formats/marsh.png");
    copyFileSync(image, preview.file("_media/marsh.png"));
    const { page } = await preview.visit("/?changes", {}, [museum.github.origin]);
    await page.getByText("Pages: 1 changed. 1 image added.").waitFor();
    await enterToken(page, TOKENS.writer);
    await page.getByText("Signed in as mira.").waitFor();
    await page.getByLabel("Title of the proposal").fill("Rename a work");
    await propose(page);

    const [pull] = museum.github.world.pulls;
    const { git: pushed } = museum.repository;
    const head = pull?.head.sha ?? "";
    expect(pull).toMatchObject({ title: "Rename a work", draft: false, base: "main" });
    expect(changed(pushed, "main", head)).toEqual([
      "A 000000→100644 content/_media/marsh.png",
      `M 100644→100644 content/${WORK}`,
    ]);
    expect(pushed.readAt(head, "content/_media/marsh.png").equals(readFileSync(image))).toBe(true);
    expect(pushed.readAt(head, `content/${WORK}`).toString()).toBe(edited);
    expect(git(preview.folder, "status", "--porcelain", "content").trim().split("\n").length).toBe(2);
    museum.check();
  });
});
