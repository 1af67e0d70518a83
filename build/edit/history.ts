import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { Failure } from "../base/failure.ts";
import { checkHistoryFile } from "../check/config.ts";
import { schemaReference } from "../contract/location.ts";
import { isError, messageOf } from "../findings/finding.ts";
import { formatJson } from "../json/format.ts";
import { HISTORY } from "../page/files.ts";
import type { History } from "../page/history.ts";
import { Reader } from "../sources/read.ts";
import { createFile, replaceFile } from "./files.ts";

/** `_history.json` has errors, which `npm run check` shows at their places. */
export class HistoryError extends Failure {}

/** What `_history.json` keeps; nothing where there is none. @throws HistoryError. */
export function readHistory(content: string): History {
  if (!existsSync(join(content, HISTORY))) return { retired: [], moved: [] };
  const { history, findings } = checkHistoryFile(new Reader().read(content, HISTORY).parsed);
  const wrong = findings.find(isError);
  if (history === undefined)
    throw new HistoryError(
      `${HISTORY} has errors: mend it first (npm run check).${wrong === undefined ? "" : `\n${messageOf(wrong)}`}`,
    );
  return history;
}

export function writeHistory(content: string, { retired, moved }: History): void {
  const path = join(resolve(content), HISTORY);
  const text = formatJson({
    $schema: schemaReference(path, HISTORY),
    retired: retired.map(({ to, ...entry }) => (to === null ? entry : { ...entry, to })),
    moved,
  });
  if (existsSync(path)) replaceFile(path, text);
  else createFile(path, text);
}
