// Builds a site with the editor of the published browse UI: node scripts/run.mjs bench/edited CONTENT OUTPUT

import { writeFileSync } from "node:fs";
import { Failure } from "../../build/base/failure.ts";
import { build } from "../../build/pipeline/build.ts";
import { isError } from "../../build/findings/finding.ts";
import { headersFor } from "./site.ts";

const [content = "", out = ""] = process.argv.slice(2);
const headersFile = `${out}-headers`;
writeFileSync(headersFile, headersFor("https://api.github.com"));
const { published, findings } = await build({ content, out, headersFile, browse: true });
if (published === undefined) throw new Failure(`${content}: ${findings.find(isError)?.code}`);
