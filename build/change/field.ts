import { resolve } from "node:path";
import { Failure } from "../base/failure.ts";
import { checkTypes, localizedIn, modelFrom, modelOf } from "../model/types.ts";
import { hintOf, isError, messageOf } from "../findings/finding.ts";
import { editedText, type SourceOperation } from "../source/json/edit.ts";
import { nodeAt, valueOf, type Node, type Path } from "../source/json/node.ts";
import { isObject } from "../source/json/object.ts";
import { parseJson, type ParsedJson } from "../source/json/parse.ts";
import { HISTORY, SITE, TYPES } from "../source/site-files.ts";
import { SourceReader } from "../source/read.ts";
import { changeSources, sourceText, type ApplyOptions } from "./apply.ts";
import type { FileChange } from "./change.ts";
import { Declarations, type Declaration } from "./declared.ts";
import { namedSources } from "./files.ts";
import { schemaChange } from "./schema.ts";

const PROGRAM = modelOf(undefined);

/** The changed files, relative to the content folder: `_types.json` first. */
export interface ChangedField {
  files: string[];
  values: number;
}

/**
 * Renames a field or a block that `_types.json` declares, or removes it, there and in every source.
 *
 * @param field its path: `talks.TalkPage.speakers.role`
 * @param to the new name; undefined to remove it
 * @throws Failure, before any change, if it is not declared, or a file has errors
 */
export const changeField = (
  content: string,
  field: string,
  to: string | undefined,
  options: ApplyOptions = {},
): ChangedField =>
  changeSources(
    content,
    () => {
      // Throws if the declarations have errors.
      modelOf(content);
      const reader = new SourceReader();
      const parsed = (file: string): ParsedJson => reader.read(resolve(content), file).parsed();
      const read = (file: string): ReadSource => {
        const { source, root, findings } = parsed(file);
        const first = findings.find(isError);
        if (root !== undefined && first === undefined) return { text: source.text, root };
        throw new Failure(`${file} has errors; fix it first (npx page-api check lists them).`);
      };
      if (!namedSources(content, []).includes(TYPES))
        throw new Failure(`There is no ${TYPES}, so the site declares no fields.`);
      const types = read(TYPES);
      const declared = valueOf(types.root);
      const declarations = new Declarations(isObject(declared) ? declared : {});
      const target = declarations.find(field);
      if (target === undefined)
        throw new Failure(
          `${TYPES} declares no field ${field}. Write its type and its path, such as talks.TalkPage.speakers.role.`,
        );
      const [part, type = ""] = target.owner.map(String);
      const { source: own } = part === "types" && PROGRAM.has(type) ? PROGRAM.of(type) : {};
      if (target.owner.length === 3 && own?.fields.has(target.name) === true)
        throw new Failure(`${field} is a field of the program, which a site cannot rename or remove.`);
      const files = [TYPES];
      let values = 0;
      const text = changedTypes(types, declarations, target, to);
      const changes: FileChange[] = [];
      const change = (file: string, source: ReadSource, after: string): void => {
        const before = sourceText(content, file);
        // The byte order mark stays.
        const mark = before?.slice(0, before.length - source.text.length) ?? "";
        changes.push({ file, before, after: mark + after });
      };
      change(TYPES, types, text);
      for (const file of namedSources(content, [])) {
        if ([SITE, HISTORY, TYPES].includes(file) || !mayName(reader, content, file, target.name)) continue;
        const source = read(file);
        const paths = [...declarations.valuesIn(valueOf(source.root), target)];
        if (paths.length === 0) continue;
        change(file, source, changedSource(file, source, paths, target, to));
        files.push(file);
        values += paths.length;
      }
      return [
        { files: [...changes, ...schemaChange(content, modelFrom(text, localizedIn(content)))] },
        { files, values },
      ];
    },
    options,
  );

interface ReadSource {
  text: string;
  root: Node;
}

/** Most sources do not have the field, and need not be parsed. A name may be written with escapes. */
function mayName(reader: SourceReader, content: string, file: string, name: string): boolean {
  const text = reader.readBytes(resolve(content, file), file).bytes?.toString("utf8");
  return text === undefined || text.includes(JSON.stringify(name)) || text.includes("\\u");
}

function changedTypes(
  { text, root }: ReadSource,
  declarations: Declarations,
  target: Declaration,
  to: string | undefined,
): string {
  const { owner, name } = target;
  if (to !== undefined && nodeAt(root, [...owner, to]).found)
    throw new Failure(`There is a “${to}” beside “${name}” already. Choose another name.`);
  const operations: SourceOperation[] =
    to === undefined
      ? [{ kind: "remove", path: [...owner, name] }]
      : Array.from(declarations.references(target, to), ([path, value]) => ({ kind: "set", path, value }));
  // The paths of the references are those before.
  if (to !== undefined) operations.push({ kind: "rename", path: [...owner, name], to });
  const changed = editedText(text, root, operations);
  const mistake = checkTypes(parseJson(TYPES, Buffer.from(changed)), PROGRAM).findings.find(isError);
  if (mistake === undefined) return changed;
  throw new Failure(`${TYPES} would then have an error: ${messageOf(mistake)} ${hintOf(mistake)}`);
}

function changedSource(
  file: string,
  { text, root }: ReadSource,
  paths: readonly Path[],
  { isBlock }: Declaration,
  to: string | undefined,
): string {
  // From the last one, so that the places of the others stay.
  const operations = paths.toReversed().map((path): SourceOperation => {
    if (to === undefined) return { kind: "remove", path };
    if (isBlock) return { kind: "set", path: [...path, "type"], value: to };
    if (nodeAt(root, [...path.slice(0, -1), to]).found)
      throw new Failure(
        `${file} has a “${to}” beside “${String(path.at(-1))}” already. Delete one of them first.`,
      );
    return { kind: "rename", path, to };
  });
  return editedText(text, root, operations);
}
