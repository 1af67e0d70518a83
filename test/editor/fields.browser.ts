import { writeFileSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import { runsOf } from "../runs.ts";
import { describePreview } from "../browse/suite.ts";
import { omittedSites } from "../site/omitted.ts";
import { writeSite } from "../site/site.ts";
import {
  at,
  button,
  caretTaken,
  describeForm,
  focused,
  form,
  restoredWork,
  save,
  shows,
  VISIT_ID,
  WORK,
  WORK_ID,
} from "./form.ts";

describeForm("the fields of the form", (preview) => {
  it("shows findings at their fields while they are edited, and goes to the first one on save", async () => {
    const { page } = await preview.visit(`/?edit=${WORK_ID}`);
    const before = restoredWork(preview);
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
    expect(preview.json(WORK)["acno"]).toBe("X1");
    await acno.fill("P00055");
    await at(page, "classification.id").fill("3");
    await save(page);
    expect(await acno.getAttribute("aria-invalid")).toBeNull();
    expect(preview.json(WORK)).toEqual(JSON.parse(before));
  });

  it("types a slash in a field, and does not go to the search", async () => {
    const { page } = await preview.visit(`/?edit=${WORK_ID}`);
    for (const path of ["dimensions", "medium", "acno"]) {
      await at(page, path).click();
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.type("1/2 of 3/4");
      expect(await at(page, path).inputValue()).toBe("1/2 of 3/4");
    }
    const description = at(page, "description");
    await description.click();
    await page.keyboard.type("either/or");
    expect(await description.innerText()).toContain("either/or");
    expect(new URL(page.url()).search).toBe(`?edit=${WORK_ID}`);
    await button(page, "Discard changes").click();
    await form(page).getByText("Changes discarded.").waitFor();
    await page.locator("h1").focus();
    await page.keyboard.press("/");
    expect(await page.evaluate("document.activeElement?.id")).toBe("search");
  });

  it("fills an exhibition of another page by its title, and lets its values be changed", async () => {
    const { page } = await preview.visit(`/?edit=${WORK_ID}&field=exhibitions`);
    restoredWork(preview);
    const exhibitions = page.locator('fieldset[data-path="exhibitions"]');
    await button(exhibitions, "Add").first().click();
    expect(await focused(page)).toBe("exhibitions.0.title");
    await page.keyboard.type("burr");
    await page.getByRole("option", { name: /^Line, Burr and Tone/ }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await exhibitions.locator("summary").filter({ hasText: "Line, Burr and Tone" }).waitFor();
    await at(page, "exhibitions.0.endDate").fill("2026-09-27");
    await page.getByText("No findings.").waitFor();
    await save(page);
    const [known] = preview.json("art/artworks/_p00/rembrandt-the-three-trees-p00021.json")["exhibitions"];
    expect(known.exhibitionLegs).toHaveLength(1);
    expect(preview.json(WORK)["exhibitions"]).toEqual([{ ...known, endDate: "2026-09-27" }]);
  });

  it("shows a classification as one field, and its type nowhere", async () => {
    const { page } = await preview.visit(`/?edit=${WORK_ID}`);
    restoredWork(preview);
    await page.getByLabel("Classification", { exact: true }).fill("photo");
    await page.locator('[role="option"]').first().click();
    await expect.poll(() => at(page, "classification.id").inputValue()).toMatch(/^\d+$/);
    expect(await page.locator('[data-path^="classification.meta"]').count()).toBe(0);
    await at(page, "classification.id").fill("");
    await shows(page, /“Classification”/);
    expect(await page.getByText("artworks.Classification").count()).toBe(0);
  });

  it("adds, picks, moves and removes the elements of a list", async () => {
    const { page } = await preview.visit(`/?edit=${WORK_ID}`);
    restoredWork(preview);
    const subjects = page.locator('fieldset[data-path="subjects"]');
    const count = preview.json(WORK)["subjects"].length as number;
    await button(subjects, "Add").click();
    expect(await focused(page)).toBe(`subjects.${count}.name`);
    await at(page, `subjects.${count}.name`).fill("bridg");
    const option = page.getByRole("option").filter({ hasText: /^bridges/ });
    await option.first().waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    const name = await at(page, `subjects.${count}.name`).inputValue();
    expect(name).toBe("bridges");
    expect(Number(await at(page, `subjects.${count}.id`).inputValue())).toBeGreaterThan(0);
    // The row is closed again, and the next one can be added.
    expect(await focused(page)).toBe("Add");
    await button(subjects, "Move up").last().click();
    await button(subjects, "Remove").first().click();
    await save(page);
    const names = (preview.json(WORK)["subjects"] as { name: string }[]).map((one) => one.name);
    expect(names).toHaveLength(count);
    expect(names.at(-2)).toBe(name);
    // A chosen subject brings its broader ones; rows move with Alt and an arrow key.
    await button(subjects, "Add").focus();
    await page.keyboard.press("Enter");
    await page.keyboard.type("owl");
    await page.getByRole("option").filter({ hasText: /^owl/ }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    const rows = subjects.locator("summary .element-name");
    await expect
      .poll(async () => (await rows.allInnerTexts()).slice(-3))
      .toEqual(["owl", "animals", "nature"]);
    await subjects.locator("summary").last().focus();
    await page.keyboard.press("Alt+ArrowUp");
    expect((await rows.allInnerTexts()).slice(-3)).toEqual(["owl", "nature", "animals"]);
    await button(page.locator('fieldset[data-path="master_images"]'), "Add").last().click();
    await button(page, "Discard changes").click();
    expect(await page.locator('fieldset[data-path="master_images"] > ol > li').count()).toBe(
      preview.json(WORK)["master_images"].length,
    );
  });

  it("removes a field that an object in a list does not have", async () => {
    const { page } = await preview.visit(`/?edit=${WORK_ID}`);
    const work = JSON.parse(restoredWork(preview)) as { subjects: object[] };
    const [first, ...rest] = work.subjects;
    writeFileSync(
      preview.file(WORK),
      `${JSON.stringify({ ...work, subjects: [{ ...first, "a.b": 1 }, ...rest] }, undefined, 2)}\n`,
    );
    await page.reload();
    const unknown = page.getByLabel("subjects.a.b", { exact: true });
    await unknown.waitFor();
    await button(page.locator(".field", { has: unknown }), "Remove").click();
    await save(page);
    expect(preview.json(WORK)).toEqual(work);
  });

  it("leaves the keys of an input method to it while it composes", async () => {
    const { page } = await preview.visit(`/?edit=${WORK_ID}`);
    const input = await page.context().newCDPSession(page);
    /** Composes a text, and presses a key during the composition. */
    const composed = async (text: string, key: string): Promise<void> => {
      const end = text.length;
      await input.send("Input.imeSetComposition", { text, selectionStart: end, selectionEnd: end });
      await page.keyboard.press(key);
    };
    const name = at(page, `subjects.${preview.json(WORK)["subjects"].length}.name`);
    await button(page.locator('fieldset[data-path="subjects"]'), "Add").click();
    await name.focus();
    const suggestions = page.locator(".suggestions:visible");
    const chosen = page.locator(".suggestions [aria-selected=true]");
    await input.send("Input.insertText", { text: "bridg" });
    await suggestions.waitFor();
    await page.keyboard.press("ArrowDown");
    await chosen.waitFor();
    // The last key of a composition is not marked as composing in every browser.
    await name.dispatchEvent("keydown", { key: "Enter", keyCode: 229 });
    expect(await chosen.count()).toBe(1);
    await name.dispatchEvent("keydown", { key: "Escape", keyCode: 27 });
    expect(await suggestions.count()).toBe(0);
    for (const key of ["ArrowDown", "Enter", "Escape", "ControlOrMeta+s"]) {
      await composed("es", key);
      await suggestions.waitFor();
      expect(await chosen.count()).toBe(0);
    }
    expect(await focused(page)).toBe(await name.getAttribute("data-path"));
    await button(page, "Discard changes").click();
    const search = page.locator("#search");
    await search.fill("bridge");
    await page.locator(".entries a").first().waitFor();
    await search.focus();
    await composed("えに", "ArrowDown");
    expect(await page.evaluate("document.activeElement.id")).toBe("search");
  });

  it("edits HTML as formatted text and as source, and keeps what it cannot show", async () => {
    const { page } = await preview.visit(`/?edit=${WORK_ID}`);
    const before = restoredWork(preview);
    const description = at(page, "description");
    expect(await description.getAttribute("contenteditable")).toBe("true");
    await description.click();
    await caretTaken(page);
    await page.keyboard.press("ControlOrMeta+End");
    await caretTaken(page);
    await page.keyboard.press("Enter");
    await page.keyboard.type("Seen & ");
    await page.keyboard.press("ControlOrMeta+b");
    await page.keyboard.type("kept");
    await save(page);
    expect(preview.json(WORK)["description"]).toBe(
      `${JSON.parse(before).description as string}<p>Seen &amp; <strong>kept</strong></p>`,
    );
    const field = page.locator(".field", { has: description });
    await button(field, "Source text").click();
    await page.locator('textarea[data-path="description"]').fill("<p>One <!-- comment --></p>");
    await page.locator('textarea[data-path="description"][aria-invalid="true"]').waitFor();
    await save(page, "Saved. The page has 1 error.");
    await page.reload();
    await form(page).waitFor();
    // Formatted text would lose the comment, so the field opens as source.
    expect(await page.locator('textarea[data-path="description"]').inputValue()).toContain("comment");
  });

  it("describes HTML by the help of its field, as formatted text and as source", async () => {
    const { page } = await preview.visit(`/?edit=${WORK_ID}`);
    const text = at(page, "acquisition_text");
    const field = page.locator(".field", { has: text });
    const help = await field.locator(".help[id]").getAttribute("id");
    expect(help).not.toBeNull();
    for (const element of ["div", "textarea", "div"]) {
      const tag = await text.evaluate((one) => (one as unknown as { localName: string }).localName);
      expect([tag, await text.getAttribute("aria-describedby")]).toEqual([element, help]);
      await button(field, "Source text").click();
    }
  });

  it("shows a date and time in words in the editor's time zone, and opens the calendar at it", async () => {
    const { page } = await preview.visit(`/?edit=${VISIT_ID}`, { timezoneId: "Europe/Paris" });
    const expires = at(page, "meta.expire_at");
    const shown = page.locator(".control-line").filter({ has: expires });
    const picker = shown.locator(".picker input");
    for (const [written, picked, words] of [
      ["2027-02-28T23:30:00-05:00", "2027-03-01T05:30", "Monday 1 March 2027, 05:30, your time zone"],
      // Seconds are picked only if they are written.
      ["2027-07-01T08:00:30Z", "2027-07-01T10:00:30", "Thursday 1 July 2027, 10:00:30, your time zone"],
    ] as const) {
      await expires.fill(written);
      await shown.getByText(words).waitFor();
      await button(page, "Calendar: Expire at").click();
      expect(await picker.inputValue()).toBe(picked);
      await page.keyboard.press("Escape");
    }
    await expires.fill("2027-07-01T0");
    expect(await shown.locator("output").textContent()).toBe("");
    // The clocks skip an hour, and repeat one.
    const pick = async (time: string): Promise<void> => {
      await button(page, "Calendar: Expire at").click();
      await picker.fill(time);
    };
    await pick("2027-03-28T02:30");
    await shown
      .getByText("Sunday 28 March 2027, 03:30, your time zone. The clocks skip 02:30 on that day.")
      .waitFor();
    expect(await expires.inputValue()).toBe("28/03/2027 03:30");
    await pick("2027-10-31T02:30");
    await shown.getByText("The clocks show this time twice; this is the first, +02:00.").waitFor();
    await button(shown, "Use the second, +01:00").click();
    expect(await expires.inputValue()).toBe("2027-10-31T02:30:00+01:00");
  });

  it("saves with one click, though the button moves when the field before it loses the focus", async () => {
    const file = "visit/index.json";
    const source = preview.source(file);
    onTestFinished(() => writeFileSync(preview.file(file), source));
    const { page } = await preview.visit(`/?edit=${VISIT_ID}`);
    await at(page, "meta.expire_at").focus();
    await page.keyboard.type("28/2/2027 9:00");
    await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
    await save(page);
    expect(preview.json(file)["meta"].expire_at).toMatch(/^2027-02-28T09:00:00/);
  });

  it("carries out a correction, and offers none if there is a choice", async () => {
    const before = preview.json(WORK);
    const wrong = {
      ...before,
      acquisitionYear: "1968",
      onDisplayAtInstitution: "yes",
      url: "/a/",
      acno: "p00055",
    };
    restoredWork(preview);
    writeFileSync(preview.file(WORK), JSON.stringify(wrong, undefined, 2));
    const { page } = await preview.visit(`/?edit=${WORK_ID}`);
    const findings = (path: string) => page.locator(`[id="edit-findings-${path.replaceAll(".", "-")}"]`);
    const use = async (path: string, name = "Use this"): Promise<void> => {
      await button(findings(path), name).click();
      await expect.poll(() => findings(path).locator(".field-finding").count()).toBe(0);
      expect(await focused(page)).toBe(path);
    };
    await use("acno");
    expect(await at(page, "acno").inputValue()).toBe("P00055");
    await use("acquisitionYear");
    await use("onDisplayAtInstitution");
    expect(await at(page, "onDisplayAtInstitution").isChecked()).toBe(true);
    await page.getByRole("link", { name: /^Technical/ }).click();
    await use("url", "Remove this");
    await at(page, "meta.first_published_at").fill("04/09/2018");
    await findings("meta.first_published_at").getByText("Write 04/09/2018 00:00").waitFor();
    await use("meta.first_published_at");
    expect(await at(page, "meta.first_published_at").inputValue()).toBe("04/09/2018 00:00");
    await at(page, "acno").fill("X");
    await findings("acno").getByText("Write it like this: N00530").waitFor();
    expect(await button(findings("acno"), "Use this").count()).toBe(0);
    await at(page, "acno").fill("P00055");
    await save(page);
    const { url: _, ...rest } = wrong;
    expect(preview.json(WORK)).toEqual({
      ...rest,
      acno: "P00055",
      acquisitionYear: 1968,
      onDisplayAtInstitution: true,
      meta: {
        ...before["meta"],
        first_published_at: expect.stringMatching(/^2018-09-04T00:00:00/) as unknown,
      },
    });
  });

  it("keeps a text on one line, unless it may have several", async () => {
    const { page } = await preview.visit(`/?edit=${WORK_ID}`, {
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const paste = async (path: string, text: string): Promise<string> => {
      await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
      await at(page, path).fill("");
      await at(page, path).focus();
      await page.keyboard.press("ControlOrMeta+v");
      await page.keyboard.type("!");
      return at(page, path).inputValue();
    };
    for (const path of ["meta.search_description", "meta.seo_title", "master_images.0.alt_text"]) {
      expect(await paste(path, "A marsh\n")).toBe("A marsh!");
      expect(await paste(path, "\r\nA marsh \r\n with herons\r\n\r\n")).toBe("A marsh with herons!");
      await page.keyboard.press("Enter");
      expect(await at(page, path).inputValue()).toBe("A marsh with herons!");
    }
    await at(page, "meta.seo_title").fill("ab");
    await page.keyboard.press("ArrowLeft");
    await page.evaluate(`navigator.clipboard.writeText("1\\n2")`);
    await page.keyboard.press("ControlOrMeta+v");
    await page.keyboard.type("!");
    expect(await at(page, "meta.seo_title").inputValue()).toBe("a1 2!b");
    expect(await paste("dimensions", "image: 3 × 4\nframe: 5 × 6")).toBe("image: 3 × 4\nframe: 5 × 6!");
  });

  it("shows the id of an existing page, and lets a new page have another", async () => {
    const { page } = await preview.visit(`/?edit=${WORK_ID}`);
    const id = at(page, "id");
    expect(await id.inputValue()).toBe(String(WORK_ID));
    expect(await id.isEditable()).toBe(false);
    expect(await page.getByText("The id of a page never changes.").count()).toBe(1);
    const created = await preview.visit("/?new=standardpages.GeneralPage&below=10");
    expect(await at(created.page, "id").isEditable()).toBe(true);
  });

  it("finds a field by its name, empty or not", async () => {
    const { page } = await preview.visit(`/?edit=${WORK_ID}`);
    await page.getByLabel("Find a field").fill("wilton");
    await at(page, "wiltonNumber").waitFor();
    expect(await at(page, "title").isVisible()).toBe(false);
    await page.keyboard.press("Enter");
    expect(await focused(page)).toBe("wiltonNumber");
    // In a closed section, and a list whose rows are closed.
    for (const [words, path] of [
      ["detail url", "meta.detail_url"],
      ["master images", "master_images.0"],
    ] as const) {
      await page.getByLabel("Find a field").fill(words);
      await page.keyboard.press("Enter");
      expect(await focused(page)).toBe(path);
    }
    for (const words of ["expiry", "end date", "unpublish"]) {
      await page.getByLabel("Find a field").fill(words);
      await at(page, "meta.expire_at").waitFor();
      expect(await at(page, "title").isVisible()).toBe(false);
    }
    // A field in the elements of a list is found too.
    await page.getByLabel("Find a field").fill("copyright");
    await at(page, "master_images.0.copyright").waitFor();
    expect(await at(page, "title").isVisible()).toBe(false);
    await page.getByLabel("Find a field").fill("date");
    for (const field of ["go_live_at", "expire_at", "first_published_at"])
      expect(await at(page, `meta.${field}`).isVisible()).toBe(true);
    await page.getByLabel("Find a field").fill("");
    await at(page, "title").waitFor();
  });
});

const { omitted } = omittedSites();

describePreview(
  "the forms of pages that omit optional fields, alone and together",
  (content) => writeSite(content, omitted),
  (preview) => {
    it("open without a mistake of the form", async () => {
      const { page } = await preview.visit("/?edit=1");
      const pages = Object.entries(omitted).flatMap(([file, { id }]) =>
        typeof id === "number" ? [{ file, id }] : [],
      );
      // The forms differ little: a third of them is opened, and all with MORE_RUNS=3.
      for (const { file, id } of pages.filter((_, k) => k % 3 < runsOf(1))) {
        await page.evaluate(
          `history.pushState(null, "", "/?edit=${id}"); dispatchEvent(new PopStateEvent("popstate"))`,
        );
        await page.getByText(file, { exact: true }).waitFor();
      }
      await page.goto(`${preview.baseUrl}/`);
      expect(await page.evaluate("localStorage.length")).toBe(0);
    });
  },
);
