/** Where the description of the service is published, below its address. */
export const OPENAPI = "openapi.json";

/** The same of the schema of a response. */
export const PAGE_SCHEMA = "schema/page.json";

export const CONTRACT_FILES: readonly string[] = [OPENAPI, PAGE_SCHEMA];
