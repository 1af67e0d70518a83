import { API } from "./paths.ts";

/**
 * The content of `_redirects`. Cloudflare does not serve `index.json` for a folder, so a page's address is rewritten
 * to its file; it matches the rules in this order, the first that fits.
 */
export const redirects = (): string =>
  [`${API}:id/ ${API}:id/index.json 200`, `${API}:id ${API}:id/ 301`, ""].join("\n");
