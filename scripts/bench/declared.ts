import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../../build/source/json/object.ts";
import { modelOf } from "../../build/model/types.ts";
import { TYPES } from "../../build/source/site-files.ts";
import type { ObjectValue, ValueModel } from "../../build/model/model.ts";
import type { PageModel } from "../../build/model/page.ts";
import type { PageType } from "../../build/model/page-types.ts";
import { sourcePaths } from "./input/resize.ts";

/** The app of the declared types, which have the class names of the program's types. */
const APP = "declared.";

/** Writes a copy of the pages in which each type with fields of its own is one that the site declares, with the same fields. */
export function declareTypes(content: string, to: string): void {
  cpSync(content, to, { recursive: true });
  const program = modelOf(undefined);
  const types = program.names.filter((type) => program.of(type).own.length > 0);
  writeFileSync(
    join(to, TYPES),
    JSON.stringify({
      types: Object.fromEntries(types.map((type) => [declaredName(type), declared(program, type)])),
    }),
  );
  for (const path of sourcePaths(to)) {
    const file = join(to, path);
    const text = readFileSync(file, "utf8");
    const type = types.find((one) => text.includes(`"${one}"`));
    if (type !== undefined) writeFileSync(file, text.replace(`"${type}"`, `"${declaredName(type)}"`));
  }
}

const declaredName = (type: PageType): PageType => type.replace(/^.*\./, APP);

function declared(program: PageModel, type: PageType): JsonObject {
  const { label, shortName, parents, source, own } = program.of(type);
  const fields = fieldsOf({
    ...source,
    fields: new Map([...source.fields].filter(([name]) => own.includes(name))),
  });
  return { label: `Declared ${label}`, short: `declared-${shortName}`, parents, fields };
}

const fieldsOf = ({ fields }: ObjectValue): JsonObject =>
  Object.fromEntries(
    Array.from(fields, ([name, field]) => [name, fieldOf(field)] as const).filter(
      ([, field]) => field !== undefined,
    ),
  );

/** A declaration of the same form, without the program's formats. */
function fieldOf(model: ValueModel): unknown {
  const mark = model.isNullable ? "?" : "";
  switch (model.kind) {
    case "text":
      return model.isHtml ? "html" : model.format === "date" ? `date${mark || "!"}` : `text${mark}`;
    case "number": {
      const kind = model.isInteger ? "integer" : "number";
      return typeof model.empty === "number" ? { kind, default: model.empty } : `${kind}${mark}`;
    }
    case "boolean":
      return "boolean";
    case "list":
      return [fieldOf(model.element)];
    case "object":
      return { fields: fieldsOf(model) };
    case "derived":
      return undefined;
    default:
      return "json";
  }
}
