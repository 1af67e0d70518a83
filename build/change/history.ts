import { existsSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../base/failure.ts";
import { thousands } from "../base/numbers.ts";
import { checkHistoryFile } from "../check/config.ts";
import { schemaReference } from "../outputs/contract/location.ts";
import { isError, messageOf } from "../findings/finding.ts";
import { formatJson } from "../source/json/format.ts";
import { limitsOf, type ParsedJson } from "../source/json/parse.ts";
import { HISTORY } from "../source/site-files.ts";
import type { History } from "../model/history.ts";
import { SourceReader } from "../source/read.ts";

/** `_history.json` has errors. `npm run check` reports them with their locations. */
export class HistoryError extends Failure {}

/** The entries of `_history.json`; empty if there is no such file. @throws HistoryError. */
export const readHistory = (content: string): History => readParsedHistory(content).history;

/** Like `readHistory`, with the parsed file for findings, if there is one. @throws HistoryError. */
export function readParsedHistory(content: string): { history: History; parsed?: ParsedJson } {
  if (!existsSync(join(content, HISTORY))) return { history: { retired: [], moved: [] } };
  const parsed = new SourceReader().read(content, HISTORY).parsed();
  const { history, findings } = checkHistoryFile(parsed);
  const wrong = findings.find(isError);
  if (history === undefined)
    throw new HistoryError(
      `${HISTORY} has errors: fix it first (npm run check).${wrong === undefined ? "" : `\n${messageOf(wrong)}`}`,
    );
  return { history, parsed };
}

/** The text of `_history.json`. @throws Failure if it has more entries than can be read again. */
export function historyText(content: string, { retired, moved }: History): string {
  const { values } = limitsOf(HISTORY);
  // Each entry with its values; the file itself, `$schema` and the two lists.
  if (4 + 4 * retired.length + 3 * moved.length > values)
    throw new Failure(
      `${HISTORY} would have more than ${thousands(values)} values, which no command could read again. Delete entries that are no longer needed.`,
    );
  return formatJson({
    $schema: schemaReference(content, HISTORY),
    retired: retired.map(({ to, ...entry }) => (to === null ? entry : { ...entry, to })),
    moved,
  });
}
