import { dirname, relative, resolve, sep } from "node:path";
import { isFolder } from "../build/base/file.ts";
import { CommandError } from "./command.ts";

export const importOptions = {
  "content OUT": { text: "write the sources to this folder, which is new or empty", isRequired: true },
} as const;

/** @throws CommandError if the report cannot be written to this path. */
export function refuseReport(report: string | undefined, content: string): void {
  if (report === undefined) return;
  if (!isFolder(dirname(report)))
    throw new CommandError(`${report}: the folder for the report does not exist.`);
  if (isFolder(report))
    throw new CommandError(`${report}: this is a folder; --report needs the name of a file.`);
  if (!relative(resolve(content), resolve(report)).startsWith(`..${sep}`))
    throw new CommandError(`${report}: the report would be among the sources; write it elsewhere.`);
}
