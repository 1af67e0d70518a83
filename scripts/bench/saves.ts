// Keeps a build open like `npm run dev`, saves pages one after another, and writes the median of their times: node
// scripts/run.mjs bench/saves CONTENT OUTPUT COUNT FILE

import { writeFileSync } from "node:fs";
import { API } from "../../build/base/api.ts";
import { develop } from "../../build/dev/develop.ts";
import { reserveFreePort } from "../../build/hosting/port.ts";
import { siteFolder } from "../../build/base/folders.ts";
import { readHeaders } from "../../build/hosting/conformance.ts";
import { leavesOf } from "./input/resize.ts";
import { median } from "./report.ts";
import type { Measurement } from "./measure.ts";
import { editTitle } from "./site.ts";

const [content = "", out = "", count = "", file = ""] = process.argv.slice(2);
const { port, release } = await reserveFreePort(3000);
await release();
const developing = await develop({
  content,
  out,
  cache: siteFolder().cache,
  port,
  rules: readHeaders().rules,
  onBuilt: () => {},
  onTrouble: (trouble) => {
    throw trouble;
  },
});

/** A prime number, so that the saved pages are in all folders. */
const STEP = 7919;
const pages = leavesOf(content);
const before = process.cpuUsage();
const walls: number[] = [];
const edits: (() => void)[] = [];
for (let k = 0; k < Number(count); k++) {
  const path = pages[(k * STEP) % pages.length] ?? "";
  const start = performance.now();
  const { id, title, undo } = editTitle(`${content}/${path}`, `, saved ${k}`);
  await untilAnswered(id, title);
  walls.push((performance.now() - start) / 1000);
  edits.push(undo);
}
const { user, system } = process.cpuUsage(before);
await developing.close();
for (const undo of edits.reverse()) undo();

const measured: Measurement = {
  wall: median(walls),
  cpu: (user + system) / 1e6 / walls.length,
  memory: process.resourceUsage().maxRSS * 1024,
};
writeFileSync(file, JSON.stringify([measured]));

async function untilAnswered(id: number, title: string): Promise<void> {
  for (;;) {
    const response = await fetch(`${developing.baseUrl}${API}${id}/`);
    const page = (await response.json()) as { title: string };
    if (page.title === title) return;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
