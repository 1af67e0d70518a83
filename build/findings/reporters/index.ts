import { github } from "./github.ts";
import { human } from "./human.ts";
import { json } from "./json.ts";
import { markdown } from "./markdown.ts";
import type { Reporter } from "./report.ts";

export const reporters: Record<string, Reporter> = { human, github, json, markdown };
