import { API } from "./paths.ts";

/**
 * The content of `_redirects`. Cloudflare does not serve `index.json` for a folder, so a page's address is rewritten
 * to its file; it takes the first of these rules that matches. Pages does not know `.assetsignore`, and would serve
 * dotfiles without the last one, which leads to no file.
 */
export const redirects = (): string =>
  [
    `${API}:id/ ${API}:id/index.json 200`,
    `${API}:id ${API}:id/ 301`,
    `/.* ${API}none/index.json 200`,
    "",
  ].join("\n");
