import { expect, it, vi } from "vitest";
import { programModel } from "../../build/model/program-model.ts";

// Tests do not depend on the set of types: they hold for a program with one more type, with a body on general pages, and
// with accession numbers of its own, as the recipes of CONTRIBUTING.md add them.

vi.mock("../../build/model/program-types.ts", async (original) => {
  const { programTypes } = await original<typeof import("../../build/model/program-types.ts")>();
  const { PageTypes } = await import("../../build/model/page-types.ts");
  const rows = programTypes.names.map((name) => [name, programTypes.of(name)] as const);
  const event = { label: "Event", shortName: "event", parents: ["standardpages.GeneralPage"] };
  return { programTypes: new PageTypes(new Map([...rows, ["events.EventPage", event]])) };
});

vi.mock("../../build/model/program-model.ts", async (original) => {
  const { programFields } = await original<typeof import("../../build/model/program-model.ts")>();
  const { text } = await import("../../build/model/field.ts");
  const { PageModel } = await import("../../build/model/page.ts");
  const { programTypes } = await import("../../build/model/program-types.ts");
  const added = {
    ...programFields,
    "standardpages.GeneralPage": { fields: { body: text("The text of the page.", { isHtml: true }) } },
    "events.EventPage": { fields: { strapline: text("What the event is about.") } },
  };
  return { programFields: added, programModel: new PageModel(programTypes, added) };
});

vi.mock("../../build/model/formats.ts", async (original) => {
  const module = await original<typeof import("../../build/model/formats.ts")>();
  const ours = /^KM \d{4}\.\d{1,5}$/;
  const { acno } = module.formats;
  const matches = (value: string): boolean => ours.test(value) || acno.matches(value);
  return { ...module, formats: { ...module.formats, acno: { ...acno, matches } } };
});

await import("../cases.test.ts");
await import("../change/diff/types.test.ts");
await import("../change/declared.test.ts");
await import("../change/field.test.ts");
await import("../limits/model.test.ts");
await import("../mistakes/mistakes.test.ts");
await import("./page-types.test.ts");

it("the program of these tests has one more type, a field and a format", async () => {
  const { formats } = await import("../../build/model/formats.ts");
  expect(programModel.names).toContain("events.EventPage");
  expect(programModel.of("standardpages.GeneralPage").own).toEqual(["body"]);
  expect(formats.acno.matches("KM 1987.42")).toBe(true);
});
