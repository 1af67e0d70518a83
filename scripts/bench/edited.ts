// Builds a site with the editor of the published browse UI: node scripts/run.mjs bench/edited CONTENT OUTPUT

import { writeFileSync } from "node:fs";
import { siteFolder } from "../../build/base/folders.ts";
import { Failure } from "../../build/base/failure.ts";
import { build } from "../../build/site/build.ts";
import { isError } from "../../build/findings/finding.ts";
import { headersFor } from "./site.ts";

const [content = "", out = ""] = process.argv.slice(2);
const headersFile = `${out}-headers`;
writeFileSync(headersFile, headersFor("https://api.github.com"));
const { published, findings } = await build({
  content,
  out,
  headersFile,
  cache: siteFolder().cache,
  browse: true,
});
if (published === undefined) throw new Failure(`${content}: ${findings.find(isError)?.code}`);
