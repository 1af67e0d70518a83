import { describe, expect, it } from "vitest";
import { findingsOf } from "../../build/editor/findings.ts";
import { fieldsOf, type Field } from "../../build/editor/form/fields.ts";
import { FormModel, newPage } from "../../build/editor/form/model.ts";
import { blockField, fits, newValue, pathText, typedValue } from "../../build/editor/form/values.ts";
import { modelFrom } from "../../build/model/types.ts";
import { SITE } from "../site/site.ts";
import { BODY, event, EVENT, EVENT_FILE, TYPES } from "./declared.ts";

const model = modelFrom(JSON.stringify(TYPES));
const fields = new Map(fieldsOf(model, EVENT).map(({ path, field }) => [pathText(path), field]));
const named = (name: string): Field => {
  const found = fields.get(name);
  if (found === undefined) throw new Error(`no field ${name}`);
  return found;
};

describe("the fields that a site declares", () => {
  it("have a control for their kind", () => {
    const declared = Object.keys(TYPES.types[EVENT].fields);
    expect(Object.fromEntries(declared.map((name) => [name, named(name).control]))).toEqual({
      subtitle: "long-text",
      start_date: "date-time",
      day: "date",
      doors: "time",
      event_type: "choice",
      audience: "choice",
      level: "choice",
      code: "text",
      price: "number",
      places: "number",
      sold_out: "checkbox",
      bookable: "checkbox",
      step_free: "choice",
      booking_link: "text",
      poster: "text",
      description: "html",
      notes: "html",
      widget: "raw-html",
      host: "page",
      related: "list",
      rows: "list",
      location: "group",
      extra: "json",
      body: "list",
    });
    expect(named("subtitle")).toMatchObject({ isOneLine: true, help: "At most 200 characters." });
    expect(named("price").help).toBe("In pounds. At least 0.");
    expect(named("code").example).toBe("E-101");
    expect(named("host").reference?.types).toEqual(["people.PersonPage"]);
    expect(named("event_type").choices.map(({ label }) => label)).toEqual(["Talk", "Guided tour"]);
    expect(named("step_free").choices.map(({ value }) => value)).toEqual([null, true, false]);
    // Another kind than the “venue” of the program's exhibitions.
    expect(named("location").identity?.kind).toBe("Venue");
  });

  it("can be emptied to null if they may be null, and stay omitted if they were", () => {
    for (const name of ["day", "doors", "audience", "code", "price"]) {
      expect([name, typedValue(named(name), "", true)]).toEqual([name, null]);
      expect([name, typedValue(named(name), "", false)]).toEqual([name, undefined]);
    }
    expect(typedValue(named("places"), "", true)).toBeUndefined();
  });

  it("show a value that another kind of block or field would have as JSON", () => {
    const element = named("body").element as Field;
    expect(fits(element, BODY[0])).toBe(true);
    for (const other of [{ type: "map", value: 1 }, { value: 1 }, "text", null])
      expect(fits(element, other)).toBe(false);
    expect(fits(named("host"), "20")).toBe(false);
    expect(fits(named("step_free"), true)).toBe(true);
    expect(fits(named("step_free"), "yes")).toBe(true);
  });
});

describe("the blocks of a form", () => {
  it("are added, moved and removed, and the other blocks keep their bytes", () => {
    const text = JSON.stringify(event({ body: BODY }), undefined, 2);
    const form = new FormModel(model, text);
    const quote = blockField(named("body").element as Field, { type: "quote" }) as Field;
    // Written in the order of the declaration.
    form.add(["body"], { value: newValue(quote), id: "x", type: "quote" });
    form.set(["body", 3, "value", "attribution"], "Lear");
    form.set(["body", 3, "value", "text"], "Skies");
    form.move(["body"], 3, -1);
    form.remove(["body"], 0);
    const [, paragraph, related] = BODY;
    const added = { type: "quote", value: { text: "Skies", attribution: "Lear" }, id: "x" };
    const after = JSON.stringify(event({ body: [paragraph, added, related] }), undefined, 2);
    expect(JSON.parse(form.text)).toEqual(JSON.parse(after));
    expect(
      Object.keys((JSON.parse(form.text) as { body: { value: object }[] }).body[1]?.value ?? {}),
    ).toEqual(["text", "attribution"]);
    expect(form.text).toContain(JSON.stringify(paragraph?.value));
  });

  it("have findings with the names that the form shows", () => {
    const body = [...BODY, { type: "heading", value: { heading_text: "", size: "h9" } }];
    const found = findingsOf(model, EVENT_FILE, JSON.stringify(event({ body })), SITE);
    expect(found.map(({ path, message }) => [path, message])).toEqual([
      ["body.3.value.heading_text", "“Heading 4, heading text” must not be empty."],
      ["body.3.value.size", "“Heading 4, size” cannot be “h9”."],
    ]);
  });

  it("report references to pages of another type, as far as these are known", () => {
    const types = new Map([[10, "standardpages.GeneralPage"]]);
    const found = (host: number) =>
      findingsOf(model, EVENT_FILE, JSON.stringify(event({ host })), SITE, false, (id) => types.get(id));
    expect(found(11)).toEqual([]);
    expect(found(10)).toMatchObject([
      {
        code: "dead-reference",
        path: "host",
        message: "The page 10 is of the type “General page”.",
        hint: "Choose a page of the type “Person”.",
      },
    ]);
  });
});

it("begins a page with empty texts for what its type requires", () => {
  expect(newPage(model, EVENT, 7)).toEqual({ id: 7, meta: { type: EVENT }, title: "", event_type: "" });
});
