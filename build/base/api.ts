/** The path of the pages below the API's base URL and below the served folder. */
export const API = "/api/v2/pages/";

export const PAGES = "api/v2/pages";

/** The bulk download, as paths in the output and below the API's base URL: its index, and the folder of its shards. */
export const BULK_INDEX = "bulk/index.json";
export const BULK_SHARDS = "bulk/shards";

export const shardPath = (name: string): string => `${BULK_SHARDS}/${name}.zip`;

export const pathOf = (id: number | string): string => `${API}${id}/`;

/** The files of an output that hosts read, and do not publish. */
export const [HEADERS_NAME, REDIRECTS_NAME] = ["_headers", "_redirects"] as const;
