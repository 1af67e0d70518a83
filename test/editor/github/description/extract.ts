import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileOf, NAMES } from "../description.ts";
import { ENDPOINTS } from "../endpoints.ts";

/*
 * Extracts the JSON files in this folder from GitHub's published descriptions, which have 385 MB: the stand-in's
 * operations and everything that they refer to, unchanged. For another version, or after adding an operation, run:
 *
 *   npm pack @octokit/openapi@VERSION
 *   tar -xzf octokit-openapi-VERSION.tgz
 *   npx tsx test/editor/github/description/extract.ts package
 */

interface Extract {
  openapi: string;
  /** The version is that of the package. */
  info: { version: string };
  paths: Record<string, Record<string, { operationId: string }>>;
  components: Record<string, Record<string, unknown>>;
}

function extract({ openapi, info, paths, components }: Extract, ids: readonly string[]): Extract {
  const part: Extract = { openapi, info, paths: {}, components: {} };
  const add = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const member of Object.values(value)) add(member);
    const { $ref } = value as { $ref?: unknown };
    if (typeof $ref !== "string") return;
    const [kind = "", name = ""] = $ref.replace("#/components/", "").split("/");
    const known = (part.components[kind] ??= {});
    if (name in known) return;
    known[name] = components[kind]?.[name];
    add(known[name]);
  };
  for (const [template, operations] of Object.entries(paths))
    for (const [method, described] of Object.entries(operations)) {
      if (!ids.includes(described.operationId)) continue;
      (part.paths[template] ??= {})[method] = described;
      add(described);
    }
  // The body of any refusal.
  add({ $ref: "#/components/schemas/basic-error" });
  return part;
}

const lines = (members: object): string =>
  `{\n${Object.entries(members)
    .map(([name, member]) => `${JSON.stringify(name)}: ${JSON.stringify(member)}`)
    .join(",\n")}\n}`;

/** One line for each path and component, so that versions can be compared. */
function print({ openapi, info, paths, components }: Extract): string {
  const kinds = Object.entries(components).map(
    ([kind, members]) => `${JSON.stringify(kind)}: ${lines(members)}`,
  );
  return `{\n"openapi": ${JSON.stringify(openapi)},\n"info": ${JSON.stringify(info)},\n"paths": ${lines(paths)},\n"components": {\n${kinds.join(",\n")}\n}\n}\n`;
}

const [, , folder = "package"] = process.argv;
for (const name of NAMES) {
  const whole = JSON.parse(readFileSync(join(folder, "generated", `${name}.json`), "utf8")) as Extract;
  writeFileSync(fileOf(name), print(extract(whole, Object.keys(ENDPOINTS))));
}
