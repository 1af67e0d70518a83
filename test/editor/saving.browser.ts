import { existsSync, renameSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import type { Locator, Page, Route } from "playwright-core";
import { expect, it } from "vitest";
import { editorModules, editorStyles } from "../../build/outputs/editor/bundle.ts";
import { describePreview } from "../browse/suite.ts";
import { move } from "../../build/change/page-actions.ts";
import { saveSource } from "../../build/change/save.ts";
import { sync, type Sync } from "../../build/exchange/sync/sync.ts";
import { programModel } from "../../build/model/program-model.ts";
import { treeOf } from "../files.ts";
import { FITTING_SITE, general, write, writeSite } from "../site/site.ts";
import {
  act,
  at,
  button,
  closeAsked,
  conflictIn,
  describeForm,
  focused,
  form,
  menuItem,
  restoredWork,
  save,
  shows,
  VISIT_ID,
  WORK,
  WORK_ID,
} from "./form.ts";

const PROJECTS_ID = 51;

async function kept(page: Page, text: string): Promise<void> {
  await expect.poll(() => page.evaluate<string>("Object.values(localStorage).join()")).toContain(text);
}

/** The same form in another window, after the browser has ended. */
async function afterCrash(page: Page): Promise<Page> {
  const url = page.url();
  await page.close({ runBeforeUnload: false });
  const again = await page.context().newPage();
  await again.goto(url);
  await again.getByText("were restored").waitFor();
  return again;
}

const GENERAL = (id: number, title: string): object => ({
  $schema: "../../schema/page.schema.json",
  ...general(id, title),
});

const padding = (field: Locator): Promise<string> =>
  field.evaluate(
    (one) =>
      (
        globalThis as unknown as { getComputedStyle: (of: unknown) => { paddingLeft: string } }
      ).getComputedStyle(one).paddingLeft,
  );

describeForm("saving a page in the form", (preview) => {
  const changed = (file: string, before: string): string[] => {
    const lines = new Set(before.split("\n"));
    return preview
      .source(file)
      .split("\n")
      .filter((line) => !lines.has(line));
  };

  it("is loaded only after Edit, in at most 250 KB, and writes only what was edited", async () => {
    const { page, responses } = await preview.visit(`/?page=${WORK_ID}`);
    const loaded = () => [...responses.keys()].filter((url) => /\/edit(?:-[a-z]+)?\.(?:js|css)/.test(url));
    expect(loaded()).toEqual([]);
    await page.getByRole("link", { name: "Edit", exact: true }).click();
    await form(page).waitFor();
    expect(new URL(page.url()).search).toBe(`?edit=${WORK_ID}`);
    const modules = [...(await editorModules())].filter(([name]) => name !== "edit-rare.js");
    const files = [...modules.map(([, bytes]) => bytes), editorStyles()];
    const size = files.reduce((sum, bytes) => sum + gzipSync(bytes).length, 0);
    expect(size).toBeLessThan(250_000);
    const before = restoredWork(preview);
    await save(page, "There are no changes to save.");
    expect(preview.source(WORK)).toBe(before);
    await page.getByLabel("Acquisition year").fill("1969");
    await page.getByLabel("Accession number").fill("P00056");
    await at(page, "subjects.0.name").fill("architecture, imagined");
    await save(page);
    expect(changed(WORK, before)).toEqual([
      expect.stringContaining('"acno": "P00056"'),
      expect.stringContaining('"acquisitionYear": 1969'),
      expect.stringContaining('"architecture, imagined"'),
    ]);
  });

  it("is loaded while the state of the preview is", async () => {
    const { page } = await preview.visit("/");
    const editor = page.waitForRequest("**/browse/edit-shared.js");
    await page.route("**/browse/live.json", (route) => editor.then(() => route.continue()));
    await page.goto(`${preview.baseUrl}/?edit=${WORK_ID}`);
    expect(await at(page, "acno").inputValue()).toBe("P00055");
  });

  it("shows fields of a collection system as values, and keeps edits beside its changes", async () => {
    const before = restoredWork(preview);
    const followed = before.replace('"meta": {', '"meta": { "external_id": "works:P1",');
    preview.put(WORK, followed);
    const owned = { works: { label: "the register", fields: ["medium", "meta.type", "title"] } };
    preview.put("_sync.json", owned);
    const { page, trouble } = await preview.visit(`/?edit=${WORK_ID}`);
    expect(await at(page, "title").evaluate((one) => one.localName)).toBe("div");
    await shows(form(page), "From the register.");
    await at(page, "acquisitionYear").fill("1969");
    const { title } = JSON.parse(before) as { title: string };
    const module: Sync<string> = {
      name: "works",
      label: "the register",
      records: oneRecord,
      key: (key) => key,
      page: () => ({
        parent: "/",
        slug: "work",
        meta: { type: "artworks.ArtworkPage" },
        title,
        medium: "Oil on slate",
      }),
    };
    const options = { content: preview.content, folder: preview.content, model: programModel };
    expect((await sync(module, options)).changed).toMatchObject([{ fields: ["medium"] }]);
    const medium = /"medium": "[^"]*"/;
    await save(page, "Not saved yet: the register has changed Medium. Check the page");
    expect(trouble.splice(0, 1)).toEqual([expect.stringContaining("409")]);
    await save(page);
    const saved = preview.source(WORK);
    expect(saved).toContain('"medium": "Oil on slate"');
    expect(saved).toContain('"acquisitionYear": 1969');
    const change = { file: WORK, before: saved, after: saved.replace(medium, '"medium": "Ink"') };
    expect(() => saveSource(preview.content, change)).toThrow("“medium” follows the register");
    preview.drop("_sync.json");
    restoredWork(preview);
  });

  it("puts back unsaved edits after a crash, until they are discarded", async () => {
    const { page, trouble } = await preview.visit(`/?edit=${VISIT_ID}`);
    const title = await at(page, "title").inputValue();
    await at(page, "title").fill("Come and see us");
    await expect.poll(() => page.evaluate("Object.keys(localStorage).length")).toBeGreaterThan(0);
    const again = await afterCrash(page);
    expect(await at(again, "title").inputValue()).toBe("Come and see us");
    await closeAsked(again, "dismiss");
    await button(again, "Discard changes").click();
    expect(await at(again, "title").inputValue()).toBe(title);
    await again.reload();
    await form(again).waitFor();
    expect(await again.getByText("were restored").count()).toBe(0);
    expect(trouble).toEqual([]);
    await again.context().close();
  });

  it("keeps unsaved edits in the page if the browser's storage is full", async () => {
    const { page } = await preview.visit(`/?edit=${VISIT_ID}`);
    await page.evaluate("Storage.prototype.setItem = () => { throw new DOMException('full') }");
    const title = await at(page, "title").inputValue();
    await at(page, "title").fill("Not lost");
    await form(page).getByText("This browser does not keep them").waitFor();
    await page.getByRole("link", { name: "Back to the page" }).click();
    await page.getByRole("heading", { level: 1, name: title }).waitFor();
    await page.getByRole("link", { name: "Edit", exact: true }).click();
    await form(page).getByText("were restored").waitFor();
    expect(await at(page, "title").inputValue()).toBe("Not lost");
    await button(page, "Discard changes").click();
    await page.getByRole("link", { name: "Back to the page" }).click();
    await page.getByRole("link", { name: "Edit", exact: true }).click();
    expect(await at(page, "title").inputValue()).toBe(title);
    // Closing the page asks first, also after its form was left.
    const other = await page.context().newPage();
    await other.goto(`${preview.baseUrl}/?edit=${VISIT_ID}`);
    await other.evaluate("Storage.prototype.setItem = () => { throw new DOMException('full') }");
    await at(other, "title").fill("Not lost either");
    await form(other).getByText("This browser does not keep them").waitFor();
    await other.getByRole("link", { name: "Back to the page" }).click();
    await other.getByRole("heading", { level: 1, name: title }).waitFor();
    await closeAsked(other, "accept");
  });

  it("keeps unsaved edits if another tab with the same form is left, and those of both tabs", async () => {
    const { page } = await preview.visit(`/?edit=${VISIT_ID}`);
    const other = await page.context().newPage();
    await other.goto(`${preview.baseUrl}/?edit=${VISIT_ID}`);
    await form(other).waitFor();
    await at(page, "title").fill("Of the first tab");
    await kept(page, "Of the first tab");
    await other.getByRole("link", { name: "Back to the page" }).click();
    await other.getByRole("link", { name: "Edit", exact: true }).waitFor();
    await other.goto(`${preview.baseUrl}/`);
    await kept(page, "Of the first tab");
    const third = await page.context().newPage();
    await third.goto(`${preview.baseUrl}/?edit=${VISIT_ID}`);
    await third.getByText("were restored").waitFor();
    await at(page, "title").fill("Of the first tab, later");
    await kept(page, "Of the first tab, later");
    await at(third, "title").fill("Of the third tab");
    await kept(page, "Of the third tab");
    await kept(page, "Of the first tab, later");
    third.once("dialog", (dialog) => void dialog.accept());
    await third.reload();
    await expect.poll(() => at(third, "title").inputValue()).toBe("Of the third tab");
    await button(page, "Discard changes").click();
    expect(await page.evaluate("Object.values(localStorage).join()")).not.toContain("Of the first tab");
    await kept(page, "Of the third tab");
    await button(third, "Discard changes").click();
  });

  it("offers unsaved edits of a page whose file has moved", async () => {
    const { page } = await preview.visit(`/?edit=${VISIT_ID}`);
    preview.put("visit/leaf.json", GENERAL(900_010, "Leaf"));
    await page.goto(`${preview.baseUrl}/?edit=900010`);
    await at(page, "title").fill("Edited before the move");
    await kept(page, "Edited before the move");
    move(preview.content, preview.file("visit/leaf"), preview.file("visit/leaf/"));
    const again = await afterCrash(page);
    expect(await at(again, "title").inputValue()).toBe("Edited before the move");
    await save(again);
    expect(preview.json("visit/leaf/index.json")).toMatchObject({
      $schema: expect.stringMatching(/^\.\.\/\.\.\//),
      title: "Edited before the move",
    });
    preview.drop("visit/leaf");
    await again.context().close();
  });

  it("puts the edits onto a page that has moved while its form was open", async () => {
    const { page } = await preview.visit(`/?edit=${VISIT_ID}`);
    preview.put("visit/pier.json", GENERAL(900_011, "Pier"));
    await page.goto(`${preview.baseUrl}/?edit=900011`);
    await at(page, "title").fill("Edited while it moved");
    renameSync(preview.file("visit/pier.json"), preview.file("visit/jetty.json"));
    await button(page, "Save").click();
    await button(page, "Put your changes on the moved page").click();
    await page.getByText("Check the page, then save.").waitFor();
    await page.getByText("visit/jetty.json", { exact: true }).waitFor();
    await save(page);
    expect(existsSync(preview.file("visit/pier.json"))).toBe(false);
    expect(preview.json("visit/jetty.json")).toMatchObject({ title: "Edited while it moved" });
    preview.drop("visit/jetty.json");
    await page.context().close();
  });

  it("keeps what is typed while a save is under way, and after a conflict was shown", async () => {
    const { page, trouble } = await preview.visit(`/?edit=${VISIT_ID}`);
    const file = "visit/index.json";
    const before = preview.source(file);
    const held: Route[] = [];
    await page.route("**/edit/apply", (route) => void held.push(route));
    await at(page, "title").fill("Typed before");
    await button(page, "Save").click();
    await page.getByText("Saving…").waitFor();
    await at(page, "title").fill("Typed before, and during the save");
    await held[0]?.continue();
    await page.getByText("Your later changes are not saved yet.").waitFor();
    expect(preview.json(file)).toMatchObject({ title: "Typed before" });
    await kept(page, "Typed before, and during the save");
    await page.unroute("**/edit/apply");
    await save(page);
    expect(preview.json(file)).toMatchObject({ title: "Typed before, and during the save" });
    await at(page, "title").fill("Mine");
    writeFileSync(preview.file(file), before.replace(/"title": "[^"]*"/, '"title": "Theirs"'));
    await button(page, "Save").click();
    await conflictIn(page).waitFor();
    await at(page, "title").fill("Typed after the conflict");
    await at(page, "meta.search_description").fill("Typed too");
    await button(page, "Use the chosen versions").click();
    await page.getByText("Check the page, then save.").waitFor();
    await kept(page, "Typed after the conflict");
    await save(page);
    expect(preview.json(file)).toMatchObject({
      title: "Typed after the conflict",
      meta: { search_description: "Typed too" },
    });
    writeFileSync(preview.file(file), before);
    trouble.splice(0, 1);
  });

  it("shows both versions of a file that has changed in the meantime", async () => {
    const { page, trouble } = await preview.visit(`/?edit=${VISIT_ID}`);
    const file = "visit/index.json";
    const before = preview.source(file);
    await at(page, "title").fill("Mine");
    await at(page, "meta.search_description").fill("Also mine");
    await page.setViewportSize({ width: 1280, height: 500 });
    writeFileSync(preview.file(file), before.replace(/"title": "[^"]*"/, '"title": "Theirs"'));
    await button(page, "Save").click();
    const conflict = conflictIn(page);
    await conflict.waitFor();
    expect(await conflict.innerText()).toContain("Theirs");
    expect((await conflict.boundingBox())?.y).toBeGreaterThan(0);
    const choice = conflict.getByRole("group", { name: "Title" });
    await choice.getByRole("radio", { name: "The version in the file" }).check();
    await button(page, "Use the chosen versions").click();
    await conflict.waitFor({ state: "detached" });
    expect(await focused(page)).toBe("Theirs");
    await save(page);
    expect(preview.json(file)).toMatchObject({ title: "Theirs", meta: { search_description: "Also mine" } });
    writeFileSync(preview.file(file), before);
    trouble.splice(0, 1);
  });

  it("moves a page, makes a draft of it, publishes it and retires it", async () => {
    const { page, trouble } = await preview.visit(`/?edit=${VISIT_ID}`);
    preview.put("visit/walk.json", general(900_002, "Walk"));
    preview.put("_plan.json", general(900_003, "Plan"));
    await page.goto(`${preview.baseUrl}/?edit=900002`);
    await act(page, /^Make this page a draft/);
    await button(page.getByRole("dialog"), "Unpublish 1 page").click();
    await page.getByText("The page is now a draft").waitFor();
    expect(existsSync(preview.file("visit/_walk.json"))).toBe(true);
    await act(page, "Publish this draft");
    await page.getByText("The draft is now a page").waitFor();
    await button(page, "Actions").click();
    await expect.poll(async () => (await fetch(`${preview.baseUrl}/api/v2/pages/900002/`)).status).toBe(200);
    await menuItem(page, /^Move…/).click();
    const place = page.getByRole("group", { name: "Place" });
    await place.getByText("https://www.aldermouth.example.org/visit/walk/").waitFor();
    await place.getByLabel("Slug").fill("access");
    await place.getByText("has this address already").waitFor();
    await place.getByLabel("Slug").fill("walk");
    // Its own address is not taken, which the page only knows after loading data.
    await page.waitForTimeout(500);
    expect(await place.getByText("has this address already").count()).toBe(0);
    expect(await padding(place.getByLabel("Slug"))).toBe(await padding(at(page, "title")));
    await place.getByLabel("Slug").fill("stroll");
    await button(place, "Plan").click();
    await button(page, "Move the page here").click();
    await shows(page, "The parent page is a draft, which has no subpages. Publish it first.");
    await button(place, "Choose in the page tree").click();
    await button(place, "Visit").click();
    await button(page, "Move the page here").click();
    await page.getByText("The page was moved").waitFor();
    expect(existsSync(preview.file("visit/stroll.json"))).toBe(true);
    await act(page, /^Retire…/);
    await button(page.getByRole("dialog"), "Cancel").click();
    expect(existsSync(preview.file("visit/stroll.json"))).toBe(true);
    const retireTo = async (replacement: string): Promise<void> => {
      await act(page, /^Retire…/);
      const field = page.getByLabel("Page that replaces it", { exact: true });
      await field.fill(replacement);
      // Its suggestions would cover the button as soon as they are found.
      await field.press("Tab");
      await button(page.getByRole("dialog"), "Retire 1 page").click();
    };
    await retireTo("Visit");
    await shows(page, /^Page that replaces it: expected an address: .* found Visit\.$/);
    await retireTo("/visit/");
    await page.getByRole("heading", { name: "The page was retired." }).waitFor();
    expect(existsSync(preview.file("visit/stroll.json"))).toBe(false);
    preview.drop("_plan.json");
    // Requests respond with 404 until the build publishes the page at its new path.
    const others = trouble.filter((text) => !text.includes("404"));
    expect(others).toEqual([expect.stringContaining("422")]);
    trouble.length = 0;
  });

  it("counts the pages that a change is about, asks, and undoes it", async () => {
    const files = treeOf(preview.content);
    const { page, trouble } = await preview.visit(`/?edit=${PROJECTS_ID}`);
    const dialog = page.getByRole("dialog");
    const undone = async (): Promise<void> => {
      expect(treeOf(preview.content)).not.toEqual(files);
      await button(page, "Undo this change").click();
      await page.getByText("The change was undone.").waitFor();
      expect(await page.evaluate("document.activeElement?.localName")).toBe("h1");
      expect(treeOf(preview.content)).toEqual(files);
    };
    await act(page, /^Make this page a draft/);
    await dialog.getByText("This unpublishes the page and 7 subpages.").waitFor();
    await page.keyboard.press("Escape");
    expect(treeOf(preview.content)).toEqual(files);
    await act(page, /^Make this page a draft/);
    await button(dialog, "Unpublish 8 pages").click();
    await page.getByText("The page is now a draft").waitFor();
    await undone();
    await act(page, /^Retire…/);
    await dialog.getByText("This retires the page and 7 subpages.").waitFor();
    await button(dialog, "Retire 8 pages").click();
    await page.getByRole("heading", { name: "The page was retired." }).waitFor();
    await undone();
    await at(page, "title").fill("Saved by mistake");
    await save(page);
    await undone();
    expect(await at(page, "title").inputValue()).toBe("Projects");
    await at(page, "title").fill("Saved by mistake");
    await save(page);
    const file = "research/projects/index.json";
    writeFileSync(preview.file(file), `${preview.source(file)}\n`);
    await button(page, "Undo this change").click();
    await form(page).getByText(`${file} has changed since`).waitFor();
    expect(preview.source(file)).toContain("Saved by mistake");
    writeFileSync(preview.file(file), files[file] ?? "");
    // Requests respond with 404 or 422 until the build publishes the page again, and for the refusal.
    trouble.splice(0);
  });

  it("shows where a source that is not JSON has its mistake", async () => {
    const { page } = await preview.visit(`/?edit=${VISIT_ID}`);
    preview.put("visit/broken.json", '{\n  "id": 900001,\n  "meta": {"type": "x"}');
    await page.goto(`${preview.baseUrl}/?edit=900001`);
    await page.getByRole("heading", { level: 1, name: "visit/broken.json" }).waitFor();
    await page.getByText("Line 3, column 24").waitFor();
    expect(await form(page).count()).toBe(0);
    preview.drop("visit/broken.json");
    await page.context().close();
  });

  it("opens the form of a page with pictures while _site.json is not JSON", async () => {
    const settings = preview.source("_site.json");
    writeFileSync(preview.file("_site.json"), "{");
    const { page, trouble } = await preview.visit(`/?edit=${WORK_ID}`);
    await form(page).waitFor();
    expect(trouble.splice(0)).toEqual([]);
    writeFileSync(preview.file("_site.json"), settings);
    await page.context().close();
  });
});

async function* oneRecord(): AsyncGenerator<string> {
  yield await Promise.resolve("P1");
}

describePreview(
  "a preview of sources that have an error from the start",
  (content) => {
    writeSite(content, FITTING_SITE);
    write(content, "visit/cafe.json", { ...general(11, "Café"), acno: "N00001" });
    write(content, "visit/broken.json", '{ "id": 77, "title": ');
  },
  (preview) => {
    it("opens the form that corrects one, and then shows the pages", async () => {
      const { page, trouble } = await preview.visit("/");
      await page.getByRole("heading", { name: "Nothing to show yet" }).waitFor();
      await page.getByText("All findings").click();
      await page.getByRole("link", { name: /^visit\/cafe\.json/ }).click();
      await button(page, "Remove").click();
      await save(page);
      preview.put("visit/broken.json", general(77, "Corrected"));
      await page.getByText("Preview: you see the last save.").waitFor();
      await page.goto(`${preview.baseUrl}/?page=77`);
      await page.getByRole("heading", { level: 1, name: "Corrected" }).waitFor();
      // Until something is built, requests for pages respond with 503.
      expect(trouble.filter((one) => !one.includes("503"))).toEqual([]);
      await page.context().close();
    });
  },
);
