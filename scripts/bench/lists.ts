// Builds a site with an index, and writes the time of its slowest list on the Worker, at the median: node scripts/run.mjs
// bench/lists CONTENT OUTPUT FILE

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { API } from "../../build/base/api.ts";
import { siteFolder } from "../../build/base/folders.ts";
import worker from "../../build/hosting/cloudflare/worker.ts";
import { build } from "../../build/site/build.ts";
import { median } from "./report.ts";
import type { Measurement } from "./measure.ts";

const WORKS = "type=artworks.ArtworkPage";
const LISTS = [
  "fields=*",
  "order=title&fields=*",
  "show_in_menus=false&order=-first_published_at,slug",
  "child_of=root",
  "descendant_of=root&order=-title&fields=*",
  `${WORKS}&classificationId=2&order=slug,-title&fields=*`,
];
const REQUESTS_OF_EACH = 25;

const [content = "", out = "", file = ""] = process.argv.slice(2);
await build({ content, out, cache: siteFolder().cache }, () => Promise.resolve());

/** The files in memory, because a host's time for reading is not the Worker's. */
const files = new Map<string, Buffer | undefined>();
function fetchAsset({ url }: Request): Promise<Response> {
  const path = new URL(url).pathname.replace(/\d\/$/, "$&index.json");
  if (!files.has(path))
    files.set(path, path !== API && existsSync(join(out, path)) ? readFileSync(join(out, path)) : undefined);
  const body = files.get(path);
  return Promise.resolve(new Response(body ?? null, { status: body === undefined ? 404 : 200 }));
}

const medians: { wall: number; cpu: number }[] = [];
for (const query of LISTS) {
  const times: { wall: number; cpu: number }[] = [];
  for (let k = 0; k < REQUESTS_OF_EACH; k++) {
    const [start, before] = [performance.now(), process.cpuUsage()];
    const request = new Request(`https://api.example.org${API}?${query}`);
    const response = await worker.fetch(request, { ASSETS: { fetch: fetchAsset } });
    await response.arrayBuffer();
    // A site of more than 10,000 pages refuses most lists.
    if (response.status !== 200) break;
    const { user, system } = process.cpuUsage(before);
    times.push({ wall: (performance.now() - start) / 1000, cpu: (user + system) / 1e6 });
  }
  if (times.length > 0)
    medians.push({ wall: median(times.map(({ wall }) => wall)), cpu: median(times.map(({ cpu }) => cpu)) });
}
const measured: Measurement = {
  wall: Math.max(...medians.map(({ wall }) => wall)),
  cpu: Math.max(...medians.map(({ cpu }) => cpu)),
  memory: process.resourceUsage().maxRSS * 1024,
};
writeFileSync(file, JSON.stringify(measured));
