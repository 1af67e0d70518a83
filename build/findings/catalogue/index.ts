import type { CatalogueEntry } from "../entry.ts";
import { consistency } from "./consistency.ts";
import { fields } from "./fields.ts";
import { files } from "./files.ts";
import { hosting } from "./hosting.ts";
import { html } from "./html.ts";
import { json } from "./json.ts";
import { declarations } from "./declarations.ts";
import { declared } from "./declared.ts";

export const parts = { files, json, fields, html, consistency, declarations, declared, hosting };

/** All codes. A published code keeps its name and its meaning. */
export const catalogue = {
  ...files,
  ...json,
  ...fields,
  ...html,
  ...consistency,
  ...declarations,
  ...declared,
  ...hosting,
};

export type Code = keyof typeof catalogue;

export type Args<C extends Code> = (typeof catalogue)[C] extends CatalogueEntry<infer A> ? A : never;
