/** The path of the pages below the address of the service, and below the folder that is served. */
export const API = "/api/v2/pages/";

/** The folder of the pages in the output. */
export const PAGES = "api/v2/pages";

/** The bulk download in the output and below the address of the service: its index, and the folder of its shards. */
export const BULK_INDEX = "bulk/index.json";
export const BULK_SHARDS = "bulk/shards";

/** The path of a page's response. */
export const pathOf = (id: number | string): string => `${API}${id}/`;
