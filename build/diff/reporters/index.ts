import type { Comparison } from "../comparison.ts";
import { human } from "./human.ts";
import { json } from "./json.ts";
import { markdown, type MarkdownOptions } from "./markdown.ts";

export const reporters: Record<string, (comparison: Comparison, options: MarkdownOptions) => string> = {
  human,
  json,
  markdown,
};
