import { wordsOfHtml } from "../../browse/own-fields.js";
import { isObject } from "../../source/json/object.ts";
import type { Card } from "../../model/item.ts";
import type { PageType, PageTypes } from "../../model/page-types.ts";

/** What lists show and the search finds of a page, besides its title. */
export interface ListedFacts {
  line: string;
  date: string;
  image: string;
  /** Another text that the search finds. */
  searched: string;
}

type Read = (page: object) => string;

const nothing: Read = () => "";

/** The words of a text, of HTML too; none of an address. */
function wordsIn(text: string): string {
  // Almost no text has any of these, and each of many pages has a text.
  if (!/[<&]|^\/|^http/.test(text)) return text;
  if (/^(?:\/|https?:\/\/)\S+$/.test(text)) return "";
  return wordsOfHtml(text);
}

/**
 * Adds all texts in a value, or those at a path in it: through every element of a list, and into blocks by their type.
 *
 * @param at the number of steps of the path that lead to the value.
 */
function addTexts(texts: string[], value: unknown, path: readonly string[], at = 0): void {
  const step = path[at];
  if (Array.isArray(value)) {
    if (step !== undefined && /^\d+$/.test(step)) addTexts(texts, value[Number(step)], path, at + 1);
    else for (const one of value) addTexts(texts, one, path, at);
  } else if (typeof value === "string" || typeof value === "number") {
    if (step === undefined) texts.push(typeof value === "string" ? wordsIn(value) : String(value));
  } else if (!isObject(value)) return;
  else if (typeof value["type"] === "string" && Object.hasOwn(value, "value")) {
    if (step === undefined || value["type"] === step) addTexts(texts, value["value"], path, at + 1);
  } else if (step !== undefined) addTexts(texts, value[step], path, at + 1);
  else for (const one of Object.values(value)) addTexts(texts, one, path, at);
}

/** Reads all texts at the paths. */
function readingAll(paths: readonly string[] | undefined): Read {
  const all = paths?.map((path) => path.split("."));
  if (all === undefined) return nothing;
  return (page) => {
    const texts: string[] = [];
    for (const path of all) addTexts(texts, page, path);
    return texts.join(" ");
  };
}

/** Reads the text at a path with dots, such as `image.meta.download_url`; of a list without an index, the first element. */
function reading(path: string | undefined): Read {
  if (path === undefined) return nothing;
  const steps = path.split(".");
  return (page) => {
    let value: unknown = page;
    for (const step of steps) {
      if (Array.isArray(value) && !/^\d+$/.test(step)) value = value[0];
      value = (value as Record<string, unknown> | null | undefined)?.[step];
    }
    if (Array.isArray(value)) value = value[0];
    return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
  };
}

/** Reads a value, and its label if it is a choice with one. */
function labelled(value: Read, labels: Readonly<Record<string, string>> | undefined): Read {
  if (labels === undefined) return value;
  const names = new Map(Object.entries(labels));
  return (page) => names.get(value(page)) ?? value(page);
}

/**
 * A function that reads what the type's own `shown` in `_types.json` names, for lists of websites; undefined if it
 * names nothing.
 */
export function cardOf(types: PageTypes, type: PageType): ((page: object) => Card) | undefined {
  // Only declarations have labels: the lists of websites show a type of the program as Wagtail's do.
  const { labels, ...shown } = types.of(type).shown ?? {};
  const names = labels === undefined ? [] : CARD.filter((name) => shown[name] !== undefined);
  if (names.length === 0) return undefined;
  const reads = names.map((name) => {
    const read = reading(shown[name]);
    return [name, name === "image" ? read : labelled(read, labels?.[name])] as const;
  });
  return (page) => Object.fromEntries(reads.map(([name, read]) => [name, read(page)]));
}

const CARD = ["line", "date", "image"] as const;

/** A function that reads what lists show, from a page as it is written or from its response. */
export function listedFacts(types: PageTypes): (type: PageType, page: object) => ListedFacts {
  const byType = new Map(
    types.names.map((name) => {
      const { labels = {}, ...shown } = types.of(name).shown ?? {};
      const [line, date, image] = [reading(shown.line), reading(shown.date), reading(shown.image)];
      // A value is found too, although lists show its label.
      const values = (["line", "date"] as const)
        .filter((key) => labels[key])
        .map((key) => reading(shown[key]));
      const searched = [readingAll(shown.searched), ...values];
      const all =
        values.length === 0 ? searched[0] : (page: object) => searched.map((read) => read(page)).join(" ");
      return [
        name,
        [labelled(line, labels.line), labelled(date, labels.date), image, all ?? nothing] as const,
      ];
    }),
  );
  return (type, page) => {
    const [line = nothing, date = nothing, image = nothing, searched = nothing] = byType.get(type) ?? [];
    return { line: line(page), date: date(page), image: image(page), searched: searched(page) };
  };
}
