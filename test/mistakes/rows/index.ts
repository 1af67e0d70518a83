import { DATES } from "./dates.ts";
import { DECLARED } from "./types.ts";
import { FIELDS } from "./fields.ts";
import { FILES } from "./files.ts";
import { HTML } from "./html.ts";
import { SITES } from "./sites.ts";
import { SYNTAX } from "./syntax.ts";
import type { Row } from "../row.ts";

export const TABLE: Record<string, readonly Row[]> = { SYNTAX, FIELDS, DATES, HTML, FILES, SITES, DECLARED };
