import { formatJson } from "../../build/source/json/format.ts";
import { textsIn } from "../fixtures.ts";
import * as site from "../site/site.ts";

export const ACCESS = "visit/access.json";
export const WORK = "art/works/_d/marsh-d00001.json";

/** The text of a page in the layout of sources. */
export const general = (id: number, title: string): string => formatJson(site.general(id, title));

/** A small valid site with every page type, in editors' layout. Each mistake is made in one of its files. */
export const VALID = textsIn("mistakes");
