import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { PROGRAM_FOLDER } from "../../../build/base/folders.ts";

/* Third-party validators of everything that is generated. */

export const ofResponses = (schema: unknown): ValidateFunction =>
  new Ajv2020({ allowUnionTypes: true }).compile(schema as object);

export function ofSources(schema: unknown): ValidateFunction {
  const ajv = new Ajv({ strict: true, strictTypes: false, allowUnionTypes: true });
  // Only VS Code reads these.
  for (const keyword of ["enumDescriptions", "patternErrorMessage", "errorMessage"]) ajv.addKeyword(keyword);
  return ajv.compile(schema as object);
}

/** The errors and the value; empty if the value is valid. */
export const problems = (validate: ValidateFunction, value: unknown): unknown[] =>
  validate(value) ? [] : [...(validate.errors ?? []), value];

/** Whether it is valid OpenAPI 3.1; the errors if it is not. */
export async function isOpenApi(description: object): Promise<unknown> {
  const validator = new Validator();
  const { valid, errors } = await validator.validate({ ...structuredClone(description) });
  return errors ?? (valid && validator.version === "3.1");
}

/** Options of the compiler for a module in a folder without a configuration. */
export const STRICT =
  "--ignoreConfig --strict --noEmit --target es2022 --module nodenext --allowImportingTsExtensions".split(
    " ",
  );

/** What the TypeScript compiler prints in a folder. */
export const tsc = (cwd: string, ...args: string[]): string =>
  spawnSync(process.execPath, [join(PROGRAM_FOLDER, "node_modules/typescript/bin/tsc"), ...args], {
    cwd,
    encoding: "utf8",
  }).stdout;
