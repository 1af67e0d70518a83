import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { PROGRAM_FOLDER } from "../../build/base/folders.ts";
import { findingsOf } from "../../build/editor/findings.ts";
import {
  clocksOf,
  correctedIn,
  exampleDate,
  inZone,
  PICKERS,
  readDate,
  shownDate,
} from "../../build/editor/form/dates.ts";
import { fieldsOf, sectionsOf, type Field, type PageField } from "../../build/editor/form/fields.ts";
import {
  beginning,
  differences,
  FormModel,
  newPage,
  NotAPage,
  pageOf,
  unknownFields,
} from "../../build/editor/form/model.ts";
import { isSlug, newFile, suggestedSlug } from "../../build/editor/form/place.ts";
import { slugOfFile } from "../../build/source/page-files.ts";
import { fits, isEmpty, newValue, onlyMember, pathText, typedValue } from "../../build/editor/form/values.ts";
import { valueAt } from "../../build/source/json/object.ts";
import { programModel } from "../../build/model/program-model.ts";
import type { PageType } from "../../build/model/page-types.ts";
import { filesBelow } from "../files.ts";
import { laid } from "../laid.ts";
import { anyValue } from "../response/valid.ts";

const ARTWORK = "artworks.ArtworkPage" as PageType;
const GENERAL = "standardpages.GeneralPage" as PageType;

it("listens to keys in one place, which leaves those of an input method to it", () => {
  const listening = ["build/browse/", "build/editor/client/"].flatMap((folder) =>
    filesBelow(join(PROGRAM_FOLDER, folder))
      .map((file) => folder + file)
      .filter((file) => readFileSync(join(PROGRAM_FOLDER, file), "utf8").includes("keydown")),
  );
  expect(listening).toEqual(["build/browse/dom.js"]);
});

it.each<[zone: string, picked: string, written: string, words: string, otherOffset?: string]>([
  // The clocks of Paris skip an hour in March and repeat one in October, those of New York in March and November.
  ["Europe/Paris", "2027-03-28T01:59", "2027-03-28T01:59:00+01:00", "01:59, Paris"],
  ["Europe/Paris", "2027-03-28T02:30", "2027-03-28T03:30:00+02:00", "The clocks skip 02:30 on that day."],
  ["Europe/London", "2027-03-28T01:30", "2027-03-28T02:30:00+01:00", "The clocks skip 01:30 on that day."],
  ["Europe/London", "2027-10-31T01:30", "2027-10-31T01:30:00+01:00", "this is the first, +01:00.", "+00:00"],
  ["Europe/London", "2027-06-01T09:00", "2027-06-01T09:00:00+01:00", "Tuesday 1 June 2027, 09:00, London"],
  ["Europe/Paris", "2027-03-28T03:00", "2027-03-28T03:00:00+02:00", "03:00, Paris"],
  ["Europe/Paris", "2027-10-31T02:30:15", "2027-10-31T02:30:15+02:00", "the first, +02:00.", "+01:00"],
  ["Europe/Paris", "2027-10-31T03:00", "2027-10-31T03:00:00+01:00", "03:00, Paris"],
  ["America/New_York", "2027-03-14T02:15", "2027-03-14T03:15:00-04:00", "The clocks skip 02:15 on that day."],
  ["America/New_York", "2027-11-07T01:15", "2027-11-07T01:15:00-04:00", "the first, -04:00.", "-05:00"],
  ["Australia/Lord_Howe", "2027-10-03T02:15", "2027-10-03T02:45:00+11:00", "The clocks skip 02:15"],
  ["Australia/Lord_Howe", "2027-04-04T01:45", "2027-04-04T01:45:00+11:00", "the first, +11:00.", "+10:30"],
  ["UTC", "2027-03-28T02:30", "2027-03-28T02:30:00+00:00", "28 March 2027, 02:30"],
])("in %s, writes the picked time %s as %s", (zone, picked, written, words, otherOffset) => {
  // On a computer in another time zone.
  vi.stubEnv("TZ", "Asia/Tokyo");
  expect(PICKERS["date-time"].written(picked, zone)).toBe(written);
  const clocks = clocksOf({ time_zone: zone });
  // A site in America has American dates.
  const own = inZone(written, { ...clocks, language: "en-GB" }, picked);
  expect(own.words).toContain(words);
  expect(own.other?.written.slice(-6)).toBe(otherOffset);
  if (own.other === undefined) return;
  // The other time is of the same clocks, and leads back.
  expect(own.other.written.slice(0, 19)).toBe(written.slice(0, 19));
  expect(inZone(own.other.written, clocks)).toMatchObject({
    words: expect.stringContaining("this is the second"),
    other: { name: `Use the first, ${written.slice(-6)}`, written },
  });
  vi.unstubAllEnvs();
});

const SITES = {
  wales: clocksOf({ time_zone: "Europe/London" }),
  germany: clocksOf({ locales: { de: "Deutsch", en: "English" }, time_zone: "Europe/Berlin" }),
  america: clocksOf({ time_zone: "America/New_York" }),
  france: clocksOf({ locales: { fr: "Français" }, time_zone: "Europe/Paris" }),
  hungary: clocksOf({ locales: { hu: "Magyar" }, time_zone: "Europe/Budapest" }),
  japan: clocksOf({ locales: { ja: "日本語" }, time_zone: "Asia/Tokyo" }),
} as const;
const WINTER = "2026-12-15T18:30:00+00:00";
const SUMMER = "2026-06-15T18:30:00+01:00";

/** What the readers of a site type in a field of a format, its source text, and the same shown again and in words. */
const TYPED = `
wales, date-time: 15/12/2026 18:30 → ${WINTER} → 15/12/2026 18:30 → Tuesday 15 December 2026, 18:30, London
wales, date-time: 2026-06-15 18:30 → ${SUMMER} → 15/06/2026 18:30 → Monday 15 June 2026, 18:30, London
wales, date-time: Mon 15th June 2026, 6.30pm → ${SUMMER} → 15/06/2026 18:30 → Monday 15 June 2026, 18:30, London
wales, date-time: 15/12/2026 → 15/12/2026 → 15/12/2026 →
wales, date-time: 15/12/2026 25:30 → 15/12/2026 25:30 → 15/12/2026 25:30 →
wales, local-date-time: 15/12/2026 9:30:05 → 2026-12-15T09:30:05 → 15/12/2026 09:30:05 → Tuesday 15 December 2026, 09:30:05
wales, date: 4/9/2026 → 2026-09-04 → 04/09/2026 → Friday 4 September 2026
wales, date: 4/13/2026 → 2026-04-13 → 13/04/2026 → Monday 13 April 2026
wales, date: about 4 September 2026 → about 4 September 2026 → about 4 September 2026 →
wales, date: 31/2/2026 → 31/2/2026 → 31/2/2026 →
wales, time: 9:30 → 09:30:00 → 09:30 →
wales, time: 9.30pm → 21:30:00 → 21:30 →
wales, time: 9 → 9 → 9 →
germany, date: 4.9.2026 → 2026-09-04 → 04.09.2026 → Freitag, 4. September 2026
germany, date-time: 15. Dez. 2026, 18 Uhr → 2026-12-15T18:00:00+01:00 → 15.12.2026 18:00 → Dienstag, 15. Dezember 2026, 18:00, Berlin
america, date: 4/9/2026 → 2026-04-09 → 04/09/2026 → Thursday, April 9, 2026
america, date-time: Dec 15, 2026 6:30 PM → 2026-12-15T18:30:00-05:00 → 12/15/2026 6:30 PM → Tuesday, December 15, 2026, 6:30 PM, New York
france, date: mar. 15 décembre 2026 → 2026-12-15 → 15/12/2026 → mardi 15 décembre 2026
hungary, date: 2026. 12. 15. → 2026-12-15 → 2026. 12. 15 → 2026. december 15., kedd
japan, date-time: 2026/12/15 9:05 → 2026-12-15T09:05:00+09:00 → 2026/12/15 09:05 → 2026年12月15日火曜日, 09:05, Tokyo`;

it.each(TYPED.trim().split("\n"))("is read as its readers write it: %s", (row) => {
  const [, site = "", format, typed = "", written = "", shown, words] =
    /^(\w+), ([\w-]+): (.*?) → (.*?) → (.*?) → ?(.*)$/.exec(row) ?? [];
  const clocks = SITES[site as keyof typeof SITES];
  const field = { format, control: "date" } as unknown as Field;
  expect(readDate(typed, field, clocks)).toBe(written);
  expect(shownDate(written, field, clocks).replace("\u202f", " ")).toBe(shown);
  expect(readDate(shownDate(written, field, clocks), field, clocks)).toBe(written);
  expect(inZone(written, clocks).words.replace("\u202f", " ")).toBe(words);
});

it("shows an example of a date in the order of its readers, and exactly what they could not write so", () => {
  const expires = named(fieldsOf(programModel, GENERAL), "meta.expire_at");
  const examples = Object.values(SITES).map((clocks) => exampleDate(expires, clocks).replace("\u202f", " "));
  expect(examples).toEqual([
    "31/12/2026 09:30",
    "31.12.2026 09:30",
    "12/31/2026 9:30 AM",
    "31/12/2026 09:30",
    "2026. 12. 31 09:30",
    "2026/12/31 09:30",
  ]);
  // The first of two equal times is meant.
  for (const second of ["2027-10-31T01:30:00+00:00", "2027-06-01T09:00:00.5+01:00"])
    expect(shownDate(second, expires, SITES.wales)).toBe(second);
  expect(shownDate("2027-06-01T09:00:00Z", expires, SITES.wales)).toBe("01/06/2027 10:00");
});

it.each<[written: string, shown: string, picked?: string]>([
  ["2027-02-28T23:30:00-05:00", "2027-03-01T05:30:00"],
  ["2027-07-01T08:00:30Z", "2027-07-01T10:00:30"],
  ["2027-03-01T08", "2027-03-01T00:00:00"],
  ["soon", ""],
  // The last moment of a day.
  ["2027-03-01", "2027-03-02T00:00:00"],
  ["2027-03-27", "2027-03-28T00:00:00", "2027-03-28T00:00:00+01:00"],
  ["2027-03-28", "2027-03-29T00:00:00", "2027-03-29T00:00:00+02:00"],
])("opens the calendar for the written time %s at %s", (written, shown, picked) => {
  const expires = named(fieldsOf(programModel, GENERAL), "meta.expire_at");
  const opened = PICKERS["date-time"].picked(written, expires, "Europe/Paris");
  const again = picked && PICKERS["date-time"].written(opened, "Europe/Paris");
  expect([opened, again]).toEqual([shown, picked]);
});

it.each([
  ["1 June 2027", "2027-06-01T00:00:00Z", "2027-06-01T00:00:00+01:00"],
  ["1 December 2026", "2026-12-01T00:00:00Z", "2026-12-01T00:00:00+00:00"],
  ["1 June 2027 09:00z", "2027-06-01T09:00:00Z", "2027-06-01T09:00:00Z"],
])("completes the date %s with the offset of the time zone, if it has none", (typed, utc, zoned) => {
  expect(correctedIn(typed, utc, "Europe/London")).toBe(zoned);
});

const named = (fields: readonly PageField[], path: string): Field => {
  const found = fields.find((one) => pathText(one.path) === path);
  if (found === undefined) throw new Error(`no field ${path}`);
  return found.field;
};
const member = (field: Field, ...names: string[]): Field =>
  names.reduce((at, name) => {
    const found = name === "*" ? at.element : at.fields.find((one) => one.name === name);
    if (found === undefined) throw new Error(`no member ${name}`);
    return found;
  }, field);

const writtenIn = (fields: readonly PageField[]): string[] =>
  fields.filter(({ field }) => field.control !== "derived").map(({ path }) => pathText(path));

const SITE = join(PROGRAM_FOLDER, "test/fixtures/site");
const sources = filesBelow(SITE)
  .filter((file) => file.endsWith(".json") && !/(?:^|\/)_(?:site|history)\.json$/.test(file))
  .map((file) => ({ file, text: readFileSync(join(SITE, file), "utf8") }));

describe("the fields of a form", () => {
  const fields = fieldsOf(programModel, ARTWORK);

  it("are those of the type, in the order of the API contract", () => {
    const names = fields.map(({ path }) => pathText(path));
    expect(names.slice(0, 3)).toEqual(["id", "meta.type", "meta.detail_url"]);
    expect([...new Set(names.map((name) => name.split(".")[0]))]).toEqual([
      ...programModel.of(ARTWORK).source.fields.keys(),
    ]);
  });

  it("have labels in words, and help from their descriptions", () => {
    const labels = ["acquisitionYear", "acno", "meta.seo_title", "start_year", "iiif_info"].map(
      (path) => named(fields, path).label,
    );
    expect(labels).toEqual(["Acquisition year", "Accession number", "SEO title", "Start year", "IIIF info"]);
    expect(named(fields, "acquisitionYear").help).toBe("The year in which the work was acquired.");
    expect(member(named(fields, "master_images"), "*", "alt_text").label).toBe("Alternative text");
  });

  it("have a control that fits their values", () => {
    const controls = Object.fromEntries(fields.map(({ path, field }) => [pathText(path), field.control]));
    expect(controls).toMatchObject({
      id: "number",
      "meta.type": "choice",
      "meta.show_in_menus": "checkbox",
      "meta.first_published_at": "date-time",
      "meta.parent": "derived",
      title: "text",
      medium: "long-text",
      description: "html",
      acquisitionYear: "year",
      classification: "group",
      subjects: "list",
      iiif_info: "json",
      map_spaces: "json",
      subject_tags: "derived",
    });
    const exhibition = member(named(fields, "exhibitions"), "*");
    expect(member(exhibition, "startDate").control).toBe("date");
    expect(member(exhibition, "type")).toMatchObject({ control: "choice", isOpen: true, isRequired: true });
    const image = member(named(fields, "master_images"), "*");
    expect(member(image, "sizes", "*").fields.map((one) => one.label)).toEqual(["Width", "Range", "Address"]);
    expect(member(named(fields, "resources"), "*", "publication_date").control).toBe("local-date-time");
  });

  it("leave out the type of a classification, which is the same everywhere, unless a page has another one", () => {
    const classification = named(fields, "classification");
    const type = "artworks.Classification";
    for (const value of [undefined, { id: 2 }, { id: 2, meta: {} }, { id: 2, meta: { type } }])
      expect(onlyMember(classification, value)?.name).toBe("id");
    for (const meta of [{ type: "Drawing" }, { type, more: 1 }, null])
      expect(onlyMember(classification, { id: 2, meta })).toBeUndefined();
    expect(newValue(classification)).toEqual({ meta: { type } });
    expect(onlyMember(named(fields, "catalogue_group"), {})).toBeUndefined();
  });

  it("show every valid value of every type", () => {
    const check = (field: Field, value: unknown): void => {
      expect([field.label, value, fits(field, value)]).toEqual([field.label, value, true]);
      for (const one of field.fields) check(one, valueAt(value, [one.name]));
      if (field.element !== undefined && Array.isArray(value))
        for (const element of value) check(field.element, element);
    };
    for (const type of programModel.names)
      fc.assert(
        fc.property(anyValue(programModel.of(type).source), (page) => {
          for (const { path, field } of fieldsOf(programModel, type)) check(field, valueAt(page, path));
        }),
        { numRuns: 60, seed: 7 },
      );
  });
});

describe("typed text", () => {
  const fields = fieldsOf(programModel, ARTWORK);
  const year = named(fields, "acquisitionYear");

  it("is a number only if a source can have it so", () => {
    expect(typedValue(year, " 1968 ", true)).toBe(1968);
    expect(typedValue(year, "about 1968", true)).toBe("about 1968");
    expect(typedValue(year, "1e400", true)).toBe("1e400");
    expect(typedValue(year, "12345678901234567890", true)).toBe("12345678901234567890");
    expect(typedValue(year, "-0", true)).toBe("-0");
    expect(typedValue(year, "", true)).toBeUndefined();
    const level = member(named(fields, "subjects"), "*", "level");
    expect(typedValue(level, "2", false)).toBe(2);
  });

  it("that is empty omits a field, or keeps its empty value where it was written", () => {
    const medium = named(fields, "medium");
    expect(typedValue(medium, "", false)).toBeUndefined();
    expect(typedValue(medium, "", true)).toBe("");
    expect(typedValue(named(fields, "acno"), "", false)).toBe("");
    expect(typedValue(named(fields, "meta.first_published_at"), "", true)).toBeNull();
  });
});

describe("a form", () => {
  it("opens every source of the site, and writes nothing without an edit", () => {
    expect(sources.length).toBeGreaterThan(50);
    for (const { text } of sources) {
      const model = new FormModel(programModel, text);
      expect(model.isEdited).toBe(false);
      expect(model.text).toBe(text);
      expect(unknownFields(model.page, model.fields)).toEqual([]);
    }
  });

  it("changes only what is edited, and gives the same text if the edit is taken back", () => {
    const text = `{\n  "id": 12,\r\n  "meta": {"type": "${GENERAL}"},\n  "title": "Caf\\u00e9"  }`;
    const model = new FormModel(programModel, text);
    model.set(["title"], "Tea");
    model.set(["meta", "seo_title"], "Tea room");
    expect(pageOf(model.text)).toMatchObject({ title: "Tea", meta: { seo_title: "Tea room" } });
    model.set(["title"], "Café");
    model.set(["meta", "seo_title"], undefined);
    expect(model.isEdited).toBe(false);
    expect(model.text).toBe(text);
  });

  it("continues from kept operations, of which one field has one", () => {
    const text = '{"id": 1, "subjects": [{"id": 1.0}, {"id": 2}], "groups": ["a"]}';
    const model = new FormModel(programModel, text);
    for (const typed of ["S", "Se", "Sea"]) model.set(["subjects", 0, "name"], typed);
    model.set(["groups", 0], undefined);
    model.move(["subjects"], 0, 1);
    expect(model.operations.map(({ kind }) => kind)).toEqual(["set", "set", "move"]);
    const again = new FormModel(
      programModel,
      text,
      JSON.parse(JSON.stringify(model.operations)) as typeof model.operations,
    );
    expect(again.text).toBe(
      laid('{"id": 1, "subjects": [{"id": 2}, {"id": 1.0, "name": "Sea"}], "groups": [null]}'),
    );
  });

  it("keeps what was edited while it was saved, also if everything was discarded", () => {
    const text = '{"id": 1, "title": "A", "extra": 1.0}';
    for (const [title, edit] of [
      ["C", (model: FormModel) => model.set(["title"], "C")],
      ["A", (model: FormModel) => model.begin(text)],
    ] as const) {
      const model = new FormModel(programModel, text);
      model.set(["title"], "B");
      const saved = [model.text, model.page] as const;
      edit(model);
      model.saved(...saved);
      expect([model.opened, model.text, model.isEdited]).toEqual([
        laid(text.replace("A", "B")),
        laid(text.replace("A", title)),
        true,
      ]);
    }
  });

  it("removes a field with any name", () => {
    for (const name of ["a.b", "", "\\", "\\-", ".", "a\\.b", "0", "-", "__proto__"]) {
      const page = `{\n  "id": 1,\n  "meta": { "type": "${GENERAL}" },\n  "title": "A"\n}\n`;
      const text = page.replace('"title"', `${JSON.stringify(name)}: 1,\n  "title"`);
      const found = findingsOf(programModel, "visit.json", text, undefined).find(
        ({ code }) => code === "unknown-field",
      );
      const model = new FormModel(programModel, text);
      model.set([name], undefined);
      expect([found?.path, model.text]).toEqual([pathText([name]), page]);
    }
  });

  it("writes a value of JSON as it was typed, and shows it so again", () => {
    const model = new FormModel(programModel, '{"id": 1, "extra": {"b": 1.50}}');
    expect(model.written(["extra"])).toBe('{\n  "b": 1.50\n}');
    model.set(["extra"], { b: 1.5, a: 1 }, '{"b":1.50,\n"a":1e0}');
    expect(model.text).toBe(laid('{"id": 1, "extra": {"b": 1.50, "a": 1e0}}'));
    const again = new FormModel(programModel, model.opened, model.operations);
    expect(again.text).toBe(model.text);
  });

  it("writes a new page as npx page-api new does, also if the file was removed", () => {
    const page = { title: "Visit", meta: { type: GENERAL }, id: 7 };
    const model = new FormModel(programModel, null, [
      ...beginning(page),
      { kind: "set", path: ["$schema"], value: "s" },
    ]);
    expect(model.text).toBe(
      `{\n  "$schema": "s",\n  "id": 7,\n  "meta": { "type": "${GENERAL}" },\n  "title": "Visit"\n}\n`,
    );
  });

  it("shows fields in their sections: the title first, then what the type puts first, then the order of the contract", () => {
    const sections = sectionsOf(programModel, ARTWORK);
    expect(sections.map(({ title }) => title).join()).toBe(
      "Identification,Texts,Images,Subjects and groups,Display and location,Acquisition and credit,Publishing,Technical",
    );
    const first = writtenIn(sections[0]?.fields ?? []).slice(0, 6);
    expect(first.join()).toBe("title,contributors,acno,start_year,end_year,classification");
    const all = sections.flatMap(({ fields }) => writtenIn(fields));
    expect(all.toSorted()).toEqual(writtenIn(fieldsOf(programModel, ARTWORK)).toSorted());
    const technical = writtenIn(sections.at(-1)?.fields ?? []);
    expect(technical).toEqual(expect.arrayContaining(["id", "mltYear", "location_card"]));
    for (const type of programModel.names)
      expect(writtenIn(sectionsOf(programModel, type)[0]?.fields ?? [])[0]).toBe("title");
  });

  it("writes values that follow from others, until a person writes another value", () => {
    const model = new FormModel(programModel, JSON.stringify({ id: 1, meta: { type: ARTWORK }, title: "A" }));
    model.set(["start_year"], 18);
    model.set(["start_year"], 1848);
    expect(model.page).toMatchObject({ end_year: 1848, mltYear: 1848 });
    model.set(["end_year"], 1850);
    model.set(["start_year"], 1849);
    expect(model.page).toMatchObject({ end_year: 1850, mltYear: 1849 });
    model.add(["contributors"], { fc: "Ada <Marsh>", url: "https://www.example.org/art/ada/" });
    model.add(["contributors"], { fc: "Ben & Co" });
    expect(model.page).toMatchObject({
      allArtists: "Ada <Marsh>, Ben & Co",
      all_artists_links: '<a href="/art/ada/">Ada &lt;Marsh></a>, Ben &amp; Co',
    });
    model.set(["allArtists"], "Marsh and Co");
    model.remove(["contributors"], 1);
    expect(model.page).toMatchObject({ allArtists: "Marsh and Co" });
    expect(model.value(["all_artists_links"])).not.toContain("Ben");
  });

  it("counts a group as empty if nothing is written in it", () => {
    const card = named(fieldsOf(programModel, ARTWORK), "location_card");
    expect(isEmpty(card, { data: { title: "" }, card_rules: {} })).toBe(true);
    expect(isEmpty(card, { data: { title: "Room 3" } })).toBe(false);
  });

  it("of a text that is no page is refused", () => {
    for (const text of ["", "[]", '{"id": 1', "null"])
      expect(() => new FormModel(programModel, text)).toThrow(NotAPage);
  });

  it("of a new page has only findings that a person must clear", () => {
    for (const type of programModel.names) {
      const model = new FormModel(programModel, null, beginning(newPage(programModel, type, 55_000_000)));
      expect(model.isEdited).toBe(true);
      const codes = findingsOf(programModel, "new.json", model.text, undefined).map(({ code }) => code);
      expect(codes.filter((code) => code !== "missing-field" && code !== "empty-field")).toEqual([]);
    }
  });
});

describe("a new page's place", () => {
  it("has a slug from the title", () => {
    expect(suggestedSlug("Über die Brücke: Größe & Maß")).toBe("ueber-die-bruecke-groesse-mass");
    expect(suggestedSlug("L’été à Łódź, 1905")).toBe("lete-a-lodz-1905");
    expect(suggestedSlug("  –  ")).toBe("");
    expect(suggestedSlug("Cafe\u0301 Işık, U\u0308ber Ħal\u00ad")).toBe("cafe-isik-ueber-hal");
    expect(suggestedSlug("Con")).toBe("con-page");
    expect(["con", "COM1", "lpt9", "Nul"].filter(isSlug)).toEqual([]);
    expect(["cone", "com", "com10", "con-page"].filter(isSlug)).toHaveLength(4);
  });

  it("has a file below the page above", () => {
    const at = { slug: "cafe", type: GENERAL, isDraft: false };
    const fileIn = (parentFile: string, isDraft = false) =>
      newFile(programModel, { ...at, parentFile, isDraft });
    expect(fileIn("index.json")).toBe("cafe.json");
    expect(fileIn("visit/index.json")).toBe("visit/cafe.json");
    expect(fileIn("visit/index.json", true)).toBe("visit/_cafe.json");
    expect(fileIn("visit/access.json")).toBe("visit/access/cafe.json");
    const underscore = { ...at, slug: "_new", parentFile: "index.json", isDraft: true };
    expect(newFile(programModel, underscore)).toBe("_%5Fnew.json");
    expect([isSlug("_new"), slugOfFile("%5Fnew/index.json"), slugOfFile("_%5Fnew.json")]).toEqual([
      true,
      "_new",
      "_new",
    ]);
    const index = "projects.ProjectIndexPage" as PageType;
    expect(newFile(programModel, { ...at, parentFile: "index.json", type: index })).toBe("cafe/index.json");
  });
});

describe("a conflict", () => {
  const before = { id: 1, meta: { type: GENERAL }, title: "A", extra: 1 };

  it("lists the fields that differ, and who changed them", () => {
    const model = new FormModel(programModel, JSON.stringify(before));
    model.set(["title"], "B");
    model.set(["meta", "seo_title"], "S");
    const theirs = { ...before, title: "C", extra: 2 };
    const found = differences(programModel, model.before, model.page, theirs);
    expect(found.map(({ path, by }) => [pathText(path), by])).toEqual([
      ["meta.seo_title", "me"],
      ["title", "both"],
      ["extra", "them"],
    ]);
    expect(found.map(({ label }) => label)).toEqual(["SEO title", "Title", "extra"]);
    const chosen = found.filter(({ by }) => by !== "them");
    const now = new FormModel(programModel, JSON.stringify(theirs), model.operationsOn(chosen));
    expect(now.page).toEqual({ ...model.page, extra: 2 });
  });

  it("of a new page, whose file another program has written, keeps the other fields of the file", () => {
    const model = new FormModel(programModel, null, beginning(before));
    const theirs = { $schema: "s", ...before, title: "B" };
    const chosen = differences(programModel, model.before, model.page, theirs);
    const now = new FormModel(programModel, JSON.stringify(theirs), model.operationsOn(chosen));
    expect(now.page).toEqual({ ...theirs, title: "A" });
  });

  it("is none if only the form changed what differs: its operations move the same elements of the changed file", () => {
    const text = JSON.stringify({ ...before, subjects: [{ id: 1 }, { id: 2 }] });
    const model = new FormModel(programModel, text);
    model.move(["subjects"], 1, -1);
    model.set(["subjects", 0, "name"], "sea");
    const changed = text.replace('"extra":1', '"extra": 2').replace('{"id":1}', '{ "id": 1.0 }');
    expect(model.onto(pageOf(changed) ?? {})).toBeUndefined();
    model.set(["extra"], 2);
    const now = new FormModel(programModel, changed, model.onto(pageOf(changed) ?? {})).text;
    expect(now).toBe(laid(changed.replace('{ "id": 1.0 },{"id":2}', '{"id":2,"name":"sea"},{ "id": 1.0 }')));
  });
});
