// Keeps a build open like `npm run dev`, saves pages one after another, and writes the median of their times: node
// scripts/run.mjs bench/saves CONTENT OUTPUT COUNT FILE

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { API } from "../../build/base/api.ts";
import { develop } from "../../build/dev/develop.ts";
import { freePort } from "../../build/hosting/port.ts";
import { PROGRAM_FOLDER, siteFolder } from "../../build/base/folders.ts";
import { readHeaders } from "../../build/hosting/conformance.ts";
import { evenly, siteIn } from "./site.ts";
import { median } from "./report.ts";
import type { Measurement } from "./measure.ts";
import { editTitle } from "./series.ts";

const [content = "", out = "", count = "", file = ""] = process.argv.slice(2);
const developing = await develop({
  content,
  out,
  cache: siteFolder(PROGRAM_FOLDER).cache,
  port: await freePort(3000),
  rules: readHeaders().rules,
  onBuilt: () => {},
  onTrouble: (trouble) => {
    throw trouble;
  },
});

const before = process.cpuUsage();
const walls: number[] = [];
const undo: (() => void)[] = [];
for (const [k, path] of evenly(siteIn(content).leaves, Number(count)).entries()) {
  const start = performance.now();
  const edit = editTitle(join(content, path), `, saved ${k}`);
  undo.push(edit.undo);
  for (let title = ""; title !== edit.title; await pause(2)) {
    const response = await fetch(`${developing.baseUrl}${API}${edit.id}/`);
    ({ title } = (await response.json()) as { title: string });
  }
  walls.push((performance.now() - start) / 1000);
}
const { user, system } = process.cpuUsage(before);
await developing.close();
for (const one of undo) one();
const cpu = (user + system) / 1e6 / walls.length;
const measured: Measurement = { wall: median(walls), cpu, memory: process.resourceUsage().maxRSS * 1024 };
writeFileSync(file, JSON.stringify(measured));
