import { fieldsIn, modelsIn, type ValueModel } from "../../build/model/model.ts";
import type { PageModel } from "../../build/model/page.ts";
import type { DeclaredPaths } from "./oracle.ts";

/** The paths of the fields that a site declares in addition to the program's. */
export function declaredPaths(model: PageModel, program: PageModel): DeclaredPaths {
  const paths = {
    all: new Set<string>(),
    derived: new Set<string>(),
    media: new Set<string>(),
    passed: new Set<string>(),
    shown: new Set<string>(),
  };
  const add = (field: ValueModel, path: string): void => {
    paths.all.add(path);
    const isDefault = ["text", "number", "boolean"].includes(field.kind) && Boolean(field.empty);
    if (field.kind === "derived" || isDefault) paths.derived.add(path);
    if (field.kind === "text" && field.format === "media-url") paths.media.add(path);
    if (field.kind === "number" && field.reference?.shows !== undefined) paths.shown.add(path);
    if (field.kind === "open") paths.passed.add(path);
  };
  const addNew = (field: ValueModel | undefined, known: ValueModel | undefined, ...owner: string[]): void => {
    for (const [name, own] of fieldsIn(field))
      if (!fieldsIn(known).has(name))
        for (const [one, path] of modelsIn(own, [...owner, name]))
          add(one, `.${path.join(".")}`.replaceAll(".*", "[]"));
  };
  for (const type of model.names) {
    const { source } = model.of(type);
    const known = program.has(type) ? program.of(type).source : program.common;
    addNew(source, known);
    addNew(source.fields.get("meta"), known.fields.get("meta"), "meta");
  }
  return paths;
}
