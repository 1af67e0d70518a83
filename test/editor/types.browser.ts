import { formatJson } from "../../build/source/json/format.ts";
import { writeFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { beforeEach, expect, it } from "vitest";
import { overhang, violationsOn } from "../browse/browser.ts";
import { describePreview } from "../browse/suite.ts";
import { textsIn } from "../fixtures.ts";
import { BODY, event, EVENT, EVENT_FILE, EVENT_ID, TYPES, writeDeclared } from "./declared.ts";
import { at, button, focused, form, save, shows } from "./form.ts";

const PHONE = { viewport: { width: 390, height: 844 } };
const DESKTOP = { viewport: { width: 1280, height: 900 } };
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const bodyOf = (text: string): string => text.slice(text.indexOf('"body"'));

const body = (page: Page) => page.locator('fieldset[data-path="body"]');
const choose = async (page: Page, path: string, words: string, title: string): Promise<void> => {
  await at(page, path).fill(words);
  await page.getByRole("option").filter({ hasText: title }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect.poll(() => at(page, path).inputValue()).toBe(title);
};

describePreview("the form of a site with page types of its own", writeDeclared, (preview) => {
  beforeEach(() => {
    preview.put("_types.json", TYPES);
    preview.put(EVENT_FILE, formatJson(event({ host: 20, body: BODY })));
  });

  const openForm = async (path = `/?edit=${EVENT_ID}`, options = {}, name = "Edit page") => {
    const visited = await preview.visit(path, options);
    await form(visited.page, name).waitFor();
    return visited;
  };
  it("has a control for a value of each kind, and writes only what was edited", async () => {
    const before = preview.source(EVENT_FILE);
    const { page } = await openForm();
    const typed = {
      subtitle: "With herons",
      day: "1 May 2026",
      doors: "9.30am",
      audience: "Families",
      code: "E-101",
      price: "7.5",
      places: "12",
      booking_link: "https://www.example.org/book",
      poster: "/posters/walk.jpg",
      extra: '{"a": [1]}',
    };
    for (const [path, text] of Object.entries(typed)) await at(page, path).fill(text);
    await at(page, "event_type").selectOption({ label: "Guided tour" });
    await at(page, "level").selectOption({ label: "2" });
    await at(page, "step_free").selectOption({ label: "No" });
    await at(page, "sold_out").check();
    expect(await at(page, "bookable").isChecked()).toBe(true);
    await at(page, "bookable").uncheck();
    const rows = page.locator('fieldset[data-path="rows"]');
    await button(rows, "Add").click();
    await button(page.locator('fieldset[data-path="rows.0"]'), "Add").click();
    await at(page, "rows.0.0").fill(" 10");
    await shows(page, "“Row 1, 1” has white space at its beginning or end.");
    await at(page, "rows.0.0").fill("10 o’clock");
    await at(page, "description").click();
    await page.keyboard.type("Two herons.");
    await save(page);
    expect(preview.json(EVENT_FILE)).toEqual({
      ...(JSON.parse(before) as object),
      ...typed,
      day: "2026-05-01",
      doors: "09:30:00",
      price: 7.5,
      places: 12,
      extra: { a: [1] },
      event_type: "tour",
      level: 2,
      rows: [["10 o’clock"]],
      step_free: false,
      sold_out: true,
      bookable: false,
      description: "<p>Two herons.</p>",
    });
    const names = Object.keys(preview.json(EVENT_FILE));
    const declared = Object.keys(TYPES.types[EVENT].fields);
    expect(names.filter((name) => declared.includes(name))).toEqual(
      declared.filter((name) => names.includes(name)),
    );
    // The fields that may be null are emptied to null, and everything else keeps its bytes.
    await page.reload();
    for (const path of ["day", "doors", "audience", "code", "price", "host"]) await at(page, path).fill("");
    for (const path of ["level", "step_free"]) await at(page, path).selectOption({ label: "None" });
    await save(page);
    const none = { day: null, doors: null, audience: null, code: null, price: null, host: null };
    expect(preview.json(EVENT_FILE)).toMatchObject({ ...none, level: null, step_free: null });
    expect(bodyOf(preview.source(EVENT_FILE))).toBe(bodyOf(before));
  });

  it("picks a page of the allowed types by its title, and a thing of the site by its name", async () => {
    const { page } = await openForm();
    await expect.poll(() => at(page, "host").inputValue()).toBe("Edward Lear");
    await choose(page, "host", "marsh", "Ada Marsh");
    // “Marsh walk” is an event.
    await at(page, "host").fill("walk");
    await page.keyboard.press("Tab");
    await expect.poll(() => at(page, "host").inputValue()).toBe("Ada Marsh");
    const related = page.locator('fieldset[data-path="related"]');
    await button(related, "Add").click();
    expect(await focused(page)).toBe("related.0");
    await choose(page, "related.0", "pier", "About the pier");
    const location = page.locator('fieldset[data-path="location"]');
    await button(location, "Add").click();
    await at(page, "location.name").fill("pier");
    await page.getByRole("option").filter({ hasText: "1 Pier Road" }).click();
    for (const { viewport } of [PHONE, DESKTOP]) {
      await page.setViewportSize(viewport);
      expect([await violationsOn(page), await overhang(page)]).toEqual([[], 0]);
    }
    await save(page);
    expect(preview.json(EVENT_FILE)).toMatchObject({
      host: 21,
      related: [10],
      location: { id: 5, name: "The pier", address: "1 Pier Road" },
    });
    await button(location, "Remove").click();
    await save(page);
    expect(preview.json(EVENT_FILE)["location"]).toBeNull();
  });

  it("adds, moves, collapses and removes blocks with the keyboard, on a phone", async () => {
    const many = Array.from({ length: 20 }, (_, k) => BODY[k % BODY.length]);
    preview.put(EVENT_FILE, event({ body: many }));
    const { page } = await openForm(undefined, PHONE);
    const summaries = body(page).locator("summary");
    expect(await summaries.count()).toBe(20);
    expect(await summaries.nth(1).innerText()).toBe(
      "Paragraph 2: Tea & cake by the pier, where the herons sleep …",
    );
    expect(await at(page, "body.0.value.heading_text").isVisible()).toBe(false);
    await summaries.nth(0).focus();
    await page.keyboard.press("Enter");
    await at(page, "body.0.value.heading_text").fill("By train");
    await summaries.nth(0).focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => summaries.nth(0).innerText()).toBe("Heading 1: By train");
    await button(page.locator("li.is-block").nth(1), "Add before").focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("q");
    await page.keyboard.press("Enter");
    expect(await focused(page)).toBe("body.1.value.text");
    await page.keyboard.type("Wide skies");
    await button(page.locator("li.is-block").nth(1), "Move up").focus();
    await page.keyboard.press("Enter");
    // The first block cannot move up.
    expect(await focused(page)).toBe("Remove");
    expect(await at(page, "body.0.value.text").isVisible()).toBe(true);
    await button(page.locator("li.is-block").nth(2), "Remove").focus();
    await page.keyboard.press("Enter");
    expect(await overhang(page)).toBe(0);
    expect(await violationsOn(page)).toEqual([]);
    await save(page);
    const saved = preview.json(EVENT_FILE)["body"] as (typeof BODY)[number][];
    expect(saved).toHaveLength(20);
    expect(saved[0]).toEqual({
      type: "quote",
      value: { text: "Wide skies" },
      id: expect.stringMatching(UUID),
    });
    expect(saved[1]).toEqual({ ...BODY[0], value: { heading_text: "By train" } });
    expect(saved.slice(2)).toEqual(many.slice(2));
  });

  it("keeps what the formatted view does not know, and shows findings in collapsed blocks", async () => {
    const cut = [
      ...BODY,
      { type: "heading", value: { heading_text: "", size: "h9" } },
      { type: "map", value: 1 },
    ];
    preview.put(EVENT_FILE, event({ body: cut }));
    const { page } = await openForm();
    await body(page).locator("summary").nth(1).click();
    const text = at(page, "body.1.value");
    await text.click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("!");
    await save(page);
    const [, paragraph] = preview.json(EVENT_FILE)["body"] as { value: string }[];
    expect(paragraph?.value).toContain('<a linktype="page" id="10">pier</a>');
    expect(paragraph?.value).toContain("!");
    await page.getByRole("link", { name: /^Texts \d errors/ }).click();
    expect(await focused(page)).toBe("body.3.value.heading_text");
    // A block of a type that the list does not have is shown as JSON.
    expect(JSON.parse(await at(page, "body.4").inputValue())).toEqual({ type: "map", value: 1 });
    // Text that is no JSON yet follows its block.
    const removeIn = (index: number) => button(body(page).locator("> ol > li").nth(index), "Remove").click();
    const undo = () => button(body(page), "Undo").click();
    await at(page, "body.4").fill('{"type": ');
    await removeIn(0);
    expect(await at(page, "body.3").inputValue()).toBe('{"type": ');
    await undo();
    expect(await at(page, "body.4").inputValue()).toBe('{"type": ');
    await removeIn(4);
    await undo();
    expect(await at(page, "body.4").inputValue()).toBe('{"type": ');
    await save(page, "Not saved: a field has text that is not JSON.");
  });

  it("shows text that is not JSON yet after a change of the type, and removes it only on demand", async () => {
    const person = { label: "Person", parents: ["home.HomePage"], fields: { extra: "json" } };
    preview.put("_types.json", { ...TYPES, types: { ...TYPES.types, "people.PersonPage": person } });
    const { page } = await openForm("/?edit=20");
    await at(page, "extra").fill('{"a": ');
    const types = at(page, "meta.type");
    await expect.poll(() => types.locator("option").allInnerTexts()).not.toContain("Artwork");
    await types.selectOption({ label: "General page" });
    await save(page, "Not saved: a field has text that is not JSON.");
    expect([await focused(page), await at(page, "extra").inputValue()]).toEqual(["extra", '{"a": ']);
    await button(at(page, "extra").locator(".."), "Remove").click();
    await shows(page, "extra was removed.");
    await save(page);
    preview.put("lear.json", textsIn("tides")["lear.json"]);
  });

  it("makes a page of a declared type, with what the type requires", async () => {
    const { page } = await openForm("/?new=tide&below=30", {}, "New page");
    await at(page, "title").fill("Night tour");
    await at(page, "start_date").fill("2026-06-01T21:00:00+01:00");
    await at(page, "event_type").selectOption({ label: "Guided tour" });
    await save(page);
    expect(preview.json("whats-on/night-tour.json")).toMatchObject({
      meta: { type: EVENT },
      title: "Night tour",
      start_date: "2026-06-01T21:00:00+01:00",
      event_type: "tour",
    });
  });

  it("follows a saved _types.json, and keeps the edits of an open form", async () => {
    const { page } = await openForm();
    await at(page, "title").fill("Edited");
    const { fields, ...rest } = TYPES.types[EVENT];
    const types = { ...TYPES.types, [EVENT]: { ...rest, fields: { ...fields, teacher: "text!" } } };
    preview.put("_types.json", { ...TYPES, types });
    await button(page, "Load the form again").click();
    await at(page, "teacher").waitFor();
    expect(await at(page, "title").inputValue()).toBe("Edited");
    await at(page, "teacher").fill("Ada Marsh");
    await save(page);
    expect(preview.json(EVENT_FILE)).toMatchObject({ title: "Edited", teacher: "Ada Marsh" });
    writeFileSync(preview.file("_types.json"), '{"types": 1}');
    await page.reload();
    await page.getByText("_types.json has mistakes").waitFor();
    preview.put("_types.json", { ...TYPES, types });
    await button(page, "Try again").click();
    await at(page, "teacher").waitFor();
  });
});
