import { LIVE_FIELDS } from "../model/schedule.ts";
import { headOf } from "../source/head.ts";
import { isObject, objectIn } from "../source/json/object.ts";
import { translationFacts, type TranslationFacts } from "./translation-groups.ts";

/** The facts of a source that need no check of the page. */
export interface SourceFacts {
  id: number | undefined;
  dates: Partial<Record<(typeof LIVE_FIELDS)[number], string>>;
  page: TranslationFacts | undefined;
}

/** The facts of a source, which may have mistakes; none if it is too large. */
export function factsOf(bytes: Buffer | undefined): SourceFacts {
  // Most need no parsing.
  const head = bytes && headOf(bytes);
  if (head !== undefined) {
    const { id, type, of } = head;
    const title = Buffer.from(head.title, "latin1").toString().slice(1, -1);
    return { id, dates: {}, page: { id, title, type, of } };
  }
  const source = objectIn(bytes?.toString().replace(/^\ufeff/, "") ?? "");
  const { id, meta } = source ?? {};
  const given = isObject(meta) ? meta : {};
  const dates = LIVE_FIELDS.map((field) => [field, given[field]]);
  return {
    id: typeof id === "number" ? id : undefined,
    dates: Object.fromEntries(dates.filter(([, date]) => typeof date === "string")) as SourceFacts["dates"],
    page: translationFacts(source),
  };
}
