import { writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { readText } from "../build/base/file.ts";
import { SCHEMAS } from "../build/outputs/contract/location.ts";
import { schemaFiles } from "../build/outputs/contract/schemas.ts";
import { programModel } from "../build/model/program-model.ts";
import { command, print } from "./command.ts";

const SUMMARY = "Writes the JSON Schemas from build/model/. Run it after a change there.";

await command({ name: "generate:schema", summary: SUMMARY }, {}, () => {
  for (const [name, text] of schemaFiles(programModel)) {
    const path = join(SCHEMAS, name);
    const isSame = readText(path) === text;
    if (!isSame) writeFileSync(path, text);
    print(`${relative(process.cwd(), path)}: ${isSame ? "as it was" : "written"}\n`);
  }
});
