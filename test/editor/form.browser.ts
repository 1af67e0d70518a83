import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PROJECT } from "../../build/base/project.ts";
import { develop, type Developing } from "../../build/dev/develop.ts";
import { editorModule, editorStyles } from "../../build/editor/bundle.ts";
import { holdFreePort } from "../../build/hosting/port.ts";
import { readHeaders } from "../../build/hosting/read.ts";
import { PAGE_TYPES } from "../../build/page/types.ts";
import { launch, missingBrowser, overhang, violationsOn, visit, type Visit } from "../browse/browser.ts";
import { workplace, write, type Workplace } from "../pipeline/site.ts";

const WORK = "art/artworks/_p00/piranesi-the-drawbridge-p00055.json";
const WORK_ID = 10_055;
const VISIT_ID = 10;

const at = (page: Page, path: string): Locator => page.locator(`[data-path="${path}"]`);
const form = (page: Page, name = "Edit page"): Locator => page.getByRole("form", { name, exact: true });
const button = (within: Page | Locator, name: string): Locator =>
  within.getByRole("button", { name, exact: true });
/** Waits until the page is saved, even with errors. */
const saved = (page: Page): Promise<void> =>
  form(page)
    .getByText(/^Saved\./)
    .waitFor();
const save = async (page: Page): Promise<void> => {
  await button(page, "Save").click();
  await saved(page);
};
const focused = (page: Page): Promise<unknown> =>
  page.evaluate("document.activeElement?.dataset.path ?? document.activeElement?.textContent");

/** The storage keys of the editor, such as those of unsaved edits. */
const keptEdits = (page: Page): Promise<unknown> =>
  page.evaluate('Object.keys(localStorage).filter((key) => key.startsWith("page-editor:"))');

const close = async ({ page, trouble }: Visit): Promise<void> => {
  expect(trouble).toEqual([]);
  await page.context().close();
};

describe.skipIf(missingBrowser !== undefined && process.env["CI"] === undefined)(
  `the form in the browser${missingBrowser === undefined ? "" : ` (${missingBrowser})`}`,
  () => {
    let browser: Browser;
    let place: Workplace;
    let preview: Developing;

    beforeAll(async () => {
      if (missingBrowser !== undefined) throw new Error(missingBrowser);
      place = workplace("form");
      cpSync(join(PROJECT, "test/fixtures/site"), place.content, { recursive: true });
      const { port, release } = await holdFreePort(19_900);
      await release();
      preview = await develop({
        content: place.content,
        out: place.out,
        cache: place.cache,
        port,
        rules: readHeaders().rules,
        onBuilt: () => undefined,
        onTrouble: () => undefined,
      });
      browser = await launch();
    });
    afterAll(async () => {
      await browser?.close();
      await preview?.close();
    });

    const source = (file: string): string => readFileSync(join(place.content, file), "utf8");
    const json = (file: string) => JSON.parse(source(file)) as Record<string, any>;
    /** The lines of a source that another text does not have. */
    const changed = (file: string, before: string): string[] => {
      const lines = new Set(before.split("\n"));
      return source(file)
        .split("\n")
        .filter((line) => !lines.has(line));
    };

    const open = async (path: string, options = {}): Promise<Visit> => {
      const visited = await visit(browser, preview.baseUrl, options);
      await visited.page.goto(preview.baseUrl + path);
      await visited.page.getByRole("heading", { level: 1 }).waitFor();
      return visited;
    };
    it("is loaded only after Edit, in at most 250 KB, and writes only what was edited", async () => {
      const visited = await open(`/?page=${WORK_ID}`);
      const { page, bytes } = visited;
      const loaded = () => [...bytes.keys()].filter((url) => /edit\.(?:js|css)/.test(url));
      expect(loaded()).toEqual([]);
      await page.getByRole("link", { name: "Edit", exact: true }).click();
      await form(page).waitFor();
      expect(new URL(page.url()).search).toBe(`?edit=${WORK_ID}`);
      const size = gzipSync(await editorModule()).length + gzipSync(editorStyles()).length;
      expect(size).toBeLessThan(250_000);
      const before = source(WORK);
      await button(page, "Save").click();
      await form(page).getByText("There are no changes to save.").waitFor();
      expect(source(WORK)).toBe(before);
      await page.getByLabel("Acquisition year").fill("1969");
      await page.getByLabel("Accession number").fill("P00056");
      await at(page, "subjects.0.name").fill("architecture, imagined");
      await save(page);
      expect(changed(WORK, before)).toEqual([
        expect.stringContaining('"acno": "P00056"'),
        expect.stringContaining('"acquisitionYear": 1969'),
        expect.stringContaining('"architecture, imagined"'),
      ]);
      writeFileSync(join(place.content, WORK), before);
      await close(visited);
    });

    it("shows findings at their fields while they are edited, and goes to the first one on save", async () => {
      const visited = await open(`/?edit=${WORK_ID}`);
      const { page } = visited;
      const before = source(WORK);
      const acno = at(page, "acno");
      await acno.fill("X1");
      await page.locator('[data-path="acno"][aria-invalid="true"]').waitFor();
      const ids = (await acno.getAttribute("aria-describedby"))?.split(" ") ?? [];
      const texts = await Promise.all(ids.map((id) => page.locator(`[id="${id}"]`).innerText()));
      expect(texts.join("\n")).toContain("expected an accession number");
      expect(texts.join("\n")).toContain("Write X00001");
      await at(page, "classification.id").fill("");
      await page.locator('[data-path="classification.id"][aria-invalid="true"]').waitFor();
      await save(page);
      expect(await focused(page)).toBe("acno");
      expect(json(WORK)["acno"]).toBe("X1");
      await acno.fill("P00055");
      await at(page, "classification.id").fill("3");
      await save(page);
      expect(await acno.getAttribute("aria-invalid")).toBeNull();
      expect(json(WORK)).toEqual(JSON.parse(before));
      writeFileSync(join(place.content, WORK), before);
      await close(visited);
    });

    it("adds, picks, moves and removes the elements of a list", async () => {
      const visited = await open(`/?edit=${WORK_ID}`);
      const { page } = visited;
      const before = source(WORK);
      const subjects = page.locator('fieldset[data-path="subjects"]');
      const count = json(WORK)["subjects"].length as number;
      await button(subjects, "Add").click();
      expect(await focused(page)).toBe(`subjects.${count}.id`);
      await at(page, `subjects.${count}.name`).fill("bridg");
      const option = page.getByRole("option").filter({ hasText: /^bridges/ });
      await option.first().waitFor();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      const name = await at(page, `subjects.${count}.name`).inputValue();
      expect(name).toBe("bridges");
      expect(Number(await at(page, `subjects.${count}.id`).inputValue())).toBeGreaterThan(0);
      await button(subjects, "Move up").last().click();
      await button(subjects, "Remove").first().click();
      await save(page);
      const names = (json(WORK)["subjects"] as { name: string }[]).map((one) => one.name);
      expect(names).toHaveLength(count);
      expect(names.at(-2)).toBe(name);
      await button(page.locator('fieldset[data-path="master_images"]'), "Add").last().click();
      await button(page, "Discard changes").click();
      expect(await page.locator('fieldset[data-path="master_images"] > ol > li').count()).toBe(
        json(WORK)["master_images"].length,
      );
      writeFileSync(join(place.content, WORK), before);
      await close(visited);
    });

    it("edits HTML as formatted text and as source, and keeps what it cannot show", async () => {
      const visited = await open(`/?edit=${WORK_ID}`);
      const { page } = visited;
      const before = source(WORK);
      const description = at(page, "description");
      expect(await description.getAttribute("contenteditable")).toBe("true");
      await description.click();
      // The editor takes over the place of the click a moment later.
      await page.waitForTimeout(300);
      await page.keyboard.press("ControlOrMeta+End");
      await page.keyboard.press("Enter");
      await page.keyboard.type("Seen & ");
      await page.keyboard.press("ControlOrMeta+b");
      await page.keyboard.type("kept");
      await save(page);
      expect(json(WORK)["description"]).toBe(
        `${JSON.parse(before).description as string}<p>Seen &amp; <strong>kept</strong></p>`,
      );
      const field = page.locator(".field", { has: description });
      await button(field, "Source text").click();
      await page.locator('textarea[data-path="description"]').fill("<p>One <!-- comment --></p>");
      await page.locator('textarea[data-path="description"][aria-invalid="true"]').waitFor();
      await button(page, "Save").click();
      await form(page).getByText("Saved. The page has 1 error.").waitFor();
      await page.reload();
      await form(page).waitFor();
      // Formatted text would lose the comment, so the field opens as source.
      expect(await page.locator('textarea[data-path="description"]').inputValue()).toContain("comment");
      writeFileSync(join(place.content, WORK), before);
      await close(visited);
    });

    it("makes a new page where it was chosen, with a slug from its title", async () => {
      const visited = await open(`/?page=${VISIT_ID}`);
      const { page } = visited;
      await page.getByRole("link", { name: "New page", exact: true }).click();
      await form(page, "New page").waitFor();
      await expect.poll(() => focused(page)).toBe("title");
      await page.getByText("Nothing entered yet.").waitFor();
      expect(await page.locator('[aria-invalid="true"]').count()).toBe(0);
      await page.getByLabel("Title", { exact: true }).fill("x");
      await page.getByText("No findings.").waitFor();
      await page.getByLabel("Title", { exact: true }).fill("");
      await page.getByText("Nothing entered yet.").waitFor();
      await button(page, "Save").click();
      await page.locator('[data-path="title"][aria-invalid="true"]').waitFor();
      await page.getByLabel("Title", { exact: true }).fill("Café & Küche");
      expect(await page.getByLabel("Slug").inputValue()).toBe("cafe-kueche");
      await page.getByText("https://www.aldermouth.example.org/visit/cafe-kueche/").first().waitFor();
      await page.getByLabel("Slug").fill("access");
      await form(page, "New page").getByText("has this address already").waitFor();
      await page.getByLabel("Slug").fill("cafe");
      await button(page, "Show empty fields").click();
      await at(page, "meta.seo_title").fill("Our café");
      await button(page, "Save").click();
      await form(page).waitFor();
      await page.getByText("Saved.").waitFor();
      const made = json("visit/cafe.json");
      expect(made).toMatchObject({ title: "Café & Küche", meta: { seo_title: "Our café" } });
      expect(new URL(page.url()).search).toBe(`?edit=${made["id"]}`);
      await close(visited);
    });

    it("begins the next new page empty after one was saved", async () => {
      const visited = await open(`/?page=${VISIT_ID}`);
      const { page } = visited;
      const begin = async (): Promise<string> => {
        await page.getByRole("link", { name: "New page", exact: true }).click();
        await form(page, "New page").waitFor();
        return at(page, "id").inputValue();
      };
      const first = await begin();
      await at(page, "title").fill("First of two");
      await save(page);
      expect(json("visit/first-of-two.json")["id"]).toBe(Number(first));
      expect(await keptEdits(page)).toEqual([]);
      await page.getByRole("link", { name: "Back to the page" }).click();
      await page.getByRole("heading", { level: 1, name: "First of two" }).waitFor();
      await page.getByRole("navigation").getByRole("link", { name: "Visit", exact: true }).first().click();
      await page.getByRole("heading", { level: 1, name: "Visit" }).waitFor();
      expect(await begin()).not.toBe(first);
      expect(await page.getByText("were restored").count()).toBe(0);
      expect([await at(page, "title").inputValue(), await page.getByLabel("Slug").inputValue()]).toEqual([
        "",
        "",
      ]);
      const others = visited.trouble.filter((text) => !text.includes("404"));
      visited.trouble.splice(0, Infinity, ...others);
      await close(visited);
    });

    it("leads back to the form of a new page that was saved with an error", async () => {
      const visited = await open(`/?new=standardpages.GeneralPage&below=${VISIT_ID}`);
      const { page } = visited;
      await at(page, "title").fill("Cloaks");
      const id = await at(page, "id").inputValue();
      await button(page, "Show empty fields").click();
      await at(page, "meta.expire_at").fill("soon");
      await save(page);
      const back = page.getByRole("link", { name: "Back to the page" });
      const panel = page.getByRole("region", { name: "Preview", exact: true });
      await panel.getByText("This page has errors, so it is not shown yet").waitFor();
      expect(await back.isVisible()).toBe(false);
      await page.goto(preview.baseUrl);
      await panel.getByText("All findings").click();
      const entry = panel.getByRole("list", { name: "All findings" }).getByRole("link", { name: "cloaks" });
      expect(await entry.getAttribute("href")).toBe(`/?edit=${id}`);
      await page.goto(`${preview.baseUrl}/?page=${id}`);
      await page.getByRole("heading", { level: 1, name: `The page with the id ${id} has errors` }).waitFor();
      // A page that is not built because of the errors of another page.
      await page.goto(`${preview.baseUrl}/?page=900009`);
      await page.getByText("The last save could not be built").waitFor();
      await page.goBack();
      await page.getByRole("main").getByRole("link", { name: "Edit", exact: true }).click();
      await form(page).waitFor();
      await at(page, "meta.expire_at").fill("");
      await save(page);
      await back.click();
      await page.getByRole("heading", { level: 1, name: "Cloaks" }).waitFor();
      await close(visited);
    });

    it("discards the slug of a new page with its error, and brings both back", async () => {
      const visited = await open(`/?new=standardpages.GeneralPage&below=${VISIT_ID}`);
      const { page } = visited;
      const slug = page.getByLabel("Slug");
      const findings = page.getByRole("complementary", { name: "Findings" });
      await at(page, "title").fill("Lost property");
      await findings.getByText("No findings.").waitFor();
      await slug.fill("access");
      await findings.getByText("1 error").waitFor();
      await slug.fill("Lost property!");
      await findings.getByText("The slug has").click();
      expect(await focused(page)).toBe("meta.slug");
      await page.getByLabel("Draft: keep it unpublished").check();
      await button(page, "Discard changes").click();
      expect([await at(page, "title").inputValue(), await slug.inputValue()]).toEqual(["", ""]);
      expect(await slug.getAttribute("aria-invalid")).toBeNull();
      expect(await page.getByLabel("Draft: keep it unpublished").isChecked()).toBe(false);
      await button(page, "Bring them back").click();
      expect([await at(page, "title").inputValue(), await slug.inputValue()]).toEqual([
        "Lost property",
        "Lost property!",
      ]);
      await button(page, "Discard changes").click();
      await at(page, "title").fill("Found again");
      expect(await slug.inputValue()).toBe("found-again");
      await button(page, "Discard changes").click();
      await page.reload();
      await form(page, "New page").waitFor();
      expect(await page.getByText("were restored").count()).toBe(0);
      await close(visited);
    });

    it("turns the file of a parent into a folder, and begins a new page with its schema", async () => {
      const visited = await open("/?new=standardpages.GeneralPage&below=13");
      const { page } = visited;
      const before = source("visit/study-room.json");
      await form(page, "New page").waitFor();
      await page.getByLabel("Title", { exact: true }).fill("Lockers");
      await page.getByText("https://www.aldermouth.example.org/visit/study-room/lockers/").first().waitFor();
      await button(page, "Save").click();
      await saved(page);
      const [first] = Object.entries(json("visit/study-room/lockers.json"));
      expect(first?.[0]).toBe("$schema");
      const schema = join(place.content, "visit/study-room", String(first?.[1]));
      expect(schema).toBe(join(PROJECT, "build/contract/page.schema.json"));
      expect(existsSync(join(place.content, "visit/study-room.json"))).toBe(false);
      expect(json("visit/study-room/index.json")).toMatchObject({ title: JSON.parse(before).title });
      await close(visited);
    });

    it("puts back unsaved edits after a crash, until they are discarded", async () => {
      const { page, trouble } = await open(`/?edit=${VISIT_ID}`);
      const title = await at(page, "title").inputValue();
      await at(page, "title").fill("Come and see us");
      await expect.poll(() => page.evaluate("Object.keys(localStorage).length")).toBeGreaterThan(0);
      await page.close({ runBeforeUnload: false });
      const again = await page.context().newPage();
      await again.goto(`${preview.baseUrl}/?edit=${VISIT_ID}`);
      await again.getByText("were restored").waitFor();
      expect(await at(again, "title").inputValue()).toBe("Come and see us");
      const asked = again.waitForEvent("dialog");
      await again.close({ runBeforeUnload: true });
      const dialog = await asked;
      expect(dialog.type()).toBe("beforeunload");
      await dialog.dismiss();
      await button(again, "Discard changes").click();
      expect(await at(again, "title").inputValue()).toBe(title);
      await again.reload();
      await form(again).waitFor();
      expect(await again.getByText("were restored").count()).toBe(0);
      expect(trouble).toEqual([]);
      await again.context().close();
    });

    it("shows both versions of a file that has changed in the meantime", async () => {
      const visited = await open(`/?edit=${VISIT_ID}`);
      const { page } = visited;
      const file = "visit/index.json";
      const before = source(file);
      await at(page, "title").fill("Mine");
      await at(page, "meta.search_description").fill("Also mine");
      writeFileSync(join(place.content, file), before.replace(/"title": "[^"]*"/, '"title": "Theirs"'));
      await button(page, "Save").click();
      const conflict = page.getByRole("region", { name: "Changed in the meantime" });
      await conflict.waitFor();
      expect(await conflict.innerText()).toContain("Theirs");
      const choice = conflict.getByRole("group", { name: "Title" });
      await choice.getByRole("radio", { name: "The version in the file" }).check();
      await button(page, "Use the chosen versions").click();
      await conflict.waitFor({ state: "detached" });
      await save(page);
      expect(json(file)).toMatchObject({ title: "Theirs", meta: { search_description: "Also mine" } });
      writeFileSync(join(place.content, file), before);
      visited.trouble.splice(0, 1);
      await close(visited);
    });

    it("moves a page, makes a draft of it, publishes it and retires it", async () => {
      const visited = await open(`/?edit=${VISIT_ID}`);
      const { page } = visited;
      write(place.content, "visit/walk.json", {
        id: 900_002,
        meta: { type: "standardpages.GeneralPage" },
        title: "Walk",
      });
      await page.goto(`${preview.baseUrl}/?edit=900002`);
      await form(page).waitFor();
      await page.getByText("Move, retire, publish").click();
      await button(page, "Make this page a draft").click();
      await page.getByText("The page is now a draft").waitFor();
      expect(existsSync(join(place.content, "visit/_walk.json"))).toBe(true);
      await page.getByText("Move, retire, publish").click();
      await button(page, "Publish this draft").click();
      await page.getByText("The draft is now a page").waitFor();
      await page.getByText("Move, retire, publish").click();
      await button(page, "Move…").click();
      await page.getByRole("group", { name: "Place" }).getByLabel("Slug").fill("stroll");
      await button(page, "Move the page here").click();
      await page.getByText("The page was moved").waitFor();
      expect(existsSync(join(place.content, "visit/stroll.json"))).toBe(true);
      await page.getByText("Move, retire, publish").click();
      await button(page, "Retire…").click();
      await page.getByLabel("Address that replaces the page").fill("/visit/");
      await button(page, "Retire the page and all its subpages").click();
      await page.getByRole("heading", { name: "The page was retired." }).waitFor();
      expect(existsSync(join(place.content, "visit/stroll.json"))).toBe(false);
      // Requests respond with 404 until the build publishes the page at its new path.
      const others = visited.trouble.filter((text) => !text.includes("404"));
      visited.trouble.splice(0, Infinity, ...others);
      await close(visited);
    });

    it("edits a source with mistakes in its JSON as text", async () => {
      write(place.content, "visit/broken.json", '{\n  "id": 900001,\n  "meta": {"type": "x"}');
      const visited = await open("/?edit=900001");
      const { page } = visited;
      const text = page.getByLabel("Source text");
      await text.waitFor();
      await text.fill(
        '{\n  "id": 900001,\n  "meta": {"type": "standardpages.GeneralPage"},\n  "title": "Mended"\n}\n',
      );
      await button(page, "Save").click();
      await at(page, "title").waitFor();
      expect(json("visit/broken.json")["title"]).toBe("Mended");
      await close(visited);
    });

    it("shows a date and time in the editor's time zone and in UTC", async () => {
      const visited = await open(`/?edit=${VISIT_ID}`, { timezoneId: "Europe/Paris" });
      const { page } = visited;
      await button(page, "Show empty fields").click();
      for (const field of ["go_live_at", "expire_at"]) {
        await at(page, `meta.${field}`).fill("2027-02-28T23:30:00-05:00");
        const shown = page.locator(".control-line").filter({ has: at(page, `meta.${field}`) });
        await shown.getByText("In your time zone: 1 March 2027, 05:30 (04:30 UTC)").waitFor();
        await at(page, `meta.${field}`).fill("2027-07-01T0");
        expect(await shown.locator("output").textContent()).toBe("");
        await at(page, `meta.${field}`).fill("");
      }
      await close(visited);
    });

    it("opens the calendar at the written date, with the seconds 00", async () => {
      const visited = await open(`/?edit=${VISIT_ID}`, { timezoneId: "Europe/Paris" });
      const { page } = visited;
      await button(page, "Show empty fields").click();
      const expires = at(page, "meta.expire_at");
      const picker = page.locator(".control-line").filter({ has: expires }).locator(".picker input");
      for (const [written, shown] of [
        ["2027-02-28T23:30:00-05:00", "2027-03-01T05:30"],
        ["2027-03-01", "2027-03-01T00:00"],
        ["2027-07-01T08:00:30Z", "2027-07-01T10:00:30"],
      ] as const) {
        await expires.fill(written);
        await button(page, "Calendar: Expire at").click();
        expect(await picker.inputValue()).toBe(shown);
        await page.keyboard.press("Escape");
      }
      await expires.fill("2027-03-01");
      await button(page, "Calendar: Expire at").click();
      await picker.fill("2027-03-02T09:15");
      await expect.poll(() => expires.inputValue()).toBe("2027-03-02T09:15:00+01:00");
      await button(page, "Discard changes").click();
      await close(visited);
    });

    it("finds a field by its name, empty or not", async () => {
      const visited = await open(`/?edit=${WORK_ID}`);
      const { page } = visited;
      await page.getByLabel("Find a field").fill("wilton");
      await at(page, "wiltonNumber").waitFor();
      expect(await at(page, "title").isVisible()).toBe(false);
      await page.keyboard.press("Enter");
      expect(await focused(page)).toBe("wiltonNumber");
      const derived = page.getByText("Derived fields", { exact: true });
      expect(await derived.isVisible()).toBe(false);
      for (const words of ["expiry", "end date", "unpublish"]) {
        await page.getByLabel("Find a field").fill(words);
        await at(page, "meta.expire_at").waitFor();
        expect(await at(page, "title").isVisible()).toBe(false);
      }
      await page.getByLabel("Find a field").fill("date");
      for (const field of ["go_live_at", "expire_at", "first_published_at"])
        expect(await at(page, `meta.${field}`).isVisible()).toBe(true);
      await page.getByLabel("Find a field").fill("");
      await derived.waitFor();
      await close(visited);
    });

    it("fits every window, and has no serious finding of axe, for each type", async () => {
      const ids = new Map<string, number>();
      const sites = JSON.parse(readFileSync(join(place.out, "browse/site.json"), "utf8")) as { home: number };
      ids.set("home.HomePage", sites.home);
      const visited = await open("/");
      for (const file of [
        WORK,
        "visit/index.json",
        "research/projects/index.json",
        "art/artworks/index.json",
      ])
        ids.set(json(file)["meta"].type as string, json(file)["id"] as number);
      ids.set("projects.ProjectPage", json("research/projects/many-hands.json")["id"] as number);
      expect([...ids.keys()].sort()).toEqual([...PAGE_TYPES].sort());
      await visited.page.context().close();
      for (const [width, colorScheme] of [
        [390, "light"],
        [1280, "dark"],
      ] as const) {
        const { page, trouble } = await open("/", { viewport: { width, height: 900 }, colorScheme });
        for (const id of ids.values()) {
          await page.goto(`${preview.baseUrl}/?edit=${id}`);
          await form(page).waitFor();
          // Some pages have no empty fields.
          const more = button(page, "Show empty fields");
          if (await more.isVisible()) await more.click();
          expect(await overhang(page)).toBe(0);
          expect([id, await violationsOn(page)]).toEqual([id, []]);
        }
        expect(trouble).toEqual([]);
        await page.context().close();
      }
    });
  },
);
