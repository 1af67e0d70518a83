import { laidOut } from "../build/source/json/edit.ts";
import { parseJson } from "../build/source/json/parse.ts";

/** A source in the layout of sources. */
export function laid(text: string): string {
  const { source, root } = parseJson("", Buffer.from(text));
  if (root === undefined) throw new Error(`no JSON: ${text}`);
  return laidOut(source.text, root);
}
