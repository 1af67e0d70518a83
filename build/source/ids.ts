import { isObject, jsonIn } from "./json/object.ts";

/** The possible ids of a source: one, or all ids in the text if it is not valid JSON, as it is a page once it is fixed. */
export function idsIn(text: string): number[] {
  const page = jsonIn(text.replace(/^\ufeff/, ""));
  if (page === undefined) return [...text.matchAll(/"id"\s*:\s*(\d+)/g)].map(([, digits]) => Number(digits));
  return isObject(page) && typeof page["id"] === "number" ? [page["id"]] : [];
}

/**
 * A random id. It is one of ninety million, so that another branch is unlikely to choose it too, but has only eight
 * digits, so that it can be read aloud.
 */
export const drawnId = (random: () => number = Math.random): number =>
  10_000_000 + Math.floor(random() * 90_000_000);
