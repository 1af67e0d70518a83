import { github } from "./github.ts";
import { human } from "./human.ts";
import { json } from "./json.ts";
import type { Reporter } from "./report.ts";

export const reporters: Record<string, Reporter> = { human, github, json };
