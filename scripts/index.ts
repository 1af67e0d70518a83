import { relative, resolve } from "node:path";
import { siteFolder } from "../build/base/folders.ts";
import { instantAt } from "../build/base/instant.ts";
import { diagnosticOf } from "../build/findings/reporters.ts";
import { build as buildSite } from "../build/site/build.ts";
import { check as checkSite } from "../build/site/check.ts";
import { checkBaseUrl } from "../build/model/formats.ts";
import type * as api from "./api.d.ts";
import type { CheckedSources, CheckSiteOptions } from "./api.d.ts";
import type { CheckedSite } from "../build/site/outcome.ts";

/* The module of `import … from "static-page-api"`. */

export const check: typeof api.check = async (options = {}) => {
  const given = optionsOf(options);
  return checkedOf(given.content, await checkSite(given));
};

export const build: typeof api.build = async (options = {}) => {
  const { out, baseUrl, browse = true, full } = options;
  const given = optionsOf(options);
  const url = baseUrl === undefined ? undefined : checkBaseUrl(baseUrl);
  const built = await buildSite({ ...given, out: out ?? given.out, baseUrl: url, browse, full });
  const { published } = built;
  return { ...checkedOf(given.content, built), ...(published && { published }) };
};

function optionsOf({ site, content, at, strict }: CheckSiteOptions) {
  const { site: _, ...folders } = siteFolder(site);
  const own = content === undefined ? {} : { content };
  return { ...folders, ...own, at: at && instantAt(at.getTime()), strict };
}

const checkedOf = (content: string, { pages, findings }: CheckedSite): CheckedSources => ({
  pages,
  diagnostics: findings.map((finding) => {
    const diagnostic = diagnosticOf(finding);
    return Object.assign(diagnostic, { file: relative("", resolve(content, diagnostic.file)) });
  }),
});
