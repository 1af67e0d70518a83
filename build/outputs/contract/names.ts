/* Without imports, because most commands need no schemas. */

/** The path of the OpenAPI description, below the URL of the API. */
export const OPENAPI = "openapi.json";

/** The path of the schema of a response, below the URL of the API. */
export const PAGE_SCHEMA = "schema/page.json";

export const CONTRACT_FILES: readonly string[] = [OPENAPI, PAGE_SCHEMA];
