import type { FieldEntry } from "../../browse/own-fields.js";
import { fieldsIn, nameIn, type ValueModel } from "../../model/model.ts";
import { inWords } from "../../model/names.ts";
import type { PageModel } from "../../model/page.ts";

/** The fields that a site declares: a list of different ones, as many types have the same, and those of each type. */
export function describedFields(model: PageModel) {
  const entries: FieldEntry[] = [];
  const places = new Map<string, number>();
  const placeOf = (one: ValueModel, name: string): number => {
    const { choices } = { choices: undefined, ...one };
    const members = [...fieldsIn(one)].map(([key, field]): [string, number] => [key, placeOf(field, key)]);
    const variants = one.kind === "block" ? [...one.variants] : [];
    const blocks = variants.map(([type, { fields }]): [string, number] => [
      type,
      placeOf(fields.get("value") as ValueModel, type),
    ]);
    const entry: FieldEntry = {
      label: one.label ?? inWords(name),
      control: controlOf(one),
      choices: choices?.values.map((value, k) => ({ value, label: choices.labels?.[k] ?? String(value) })),
      naming: one.kind === "object" ? nameIn(one) : undefined,
      picture: one.kind === "text" ? one.picture : undefined,
      fields: members.length === 0 ? undefined : members,
      element: one.kind === "list" ? placeOf(one.element, "") : undefined,
      blocks: blocks.length === 0 ? undefined : blocks,
    };
    const text = JSON.stringify(entry);
    const place = places.get(text) ?? entries.push(entry) - 1;
    places.set(text, place);
    return place;
  };
  const types = model.names.map((type) =>
    [...model.of(type).declared].map(([name, field]): [string, number] => [name, placeOf(field, name)]),
  );
  return { entries, types };
}

function controlOf(model: ValueModel): FieldEntry["control"] {
  if (model.kind === "derived") return "derived";
  if (model.kind === "text" && model.isHtml === true) return "html";
  return model.kind === "number" && model.reference !== undefined ? "page" : undefined;
}
