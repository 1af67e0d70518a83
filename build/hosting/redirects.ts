import { API } from "../base/api.ts";

/**
 * The content of `_redirects`. Cloudflare does not serve `index.json` for a folder, so a page's address is rewritten to
 * its file. The first matching rule counts. Cloudflare Pages ignores `.assetsignore`: the last rule, which leads to no
 * file, prevents it from serving dotfiles.
 */
export const redirects = (): string =>
  [
    "/ /index.html 200",
    `${API}:id/ ${API}:id/index.json 200`,
    `${API}:id ${API}:id/ 301`,
    `/.* ${API}none/index.json 200`,
    "",
  ].join("\n");
