import type { Comparison } from "../comparison.ts";
import { human } from "./human.ts";
import { json } from "./json.ts";
import { markdown, type ReportOptions } from "./markdown.ts";

export const reporters: Record<string, (comparison: Comparison, options: ReportOptions) => string> = {
  human,
  json,
  markdown,
};
