import { MAX_BYTES } from "../json/parse.ts";

/*
 * The requests of the folder store to its server: POST with a JSON object, at URLs that only `npm run dev` serves.
 */

/** Precedes the name of an operation. */
export const EDIT_PATH = "/edit/";

/** The header of the token that the served page contains, in lowercase. */
export const TOKEN_HEADER = "x-edit-token";

/** The name of the `meta` element that contains the token. */
export const TOKEN_META = "edit-token";

/** Maximum bytes of a request: the text before and the text after a change, both printed as JSON. */
export const MAX_BODY = 4 * MAX_BYTES + 2 ** 16;
