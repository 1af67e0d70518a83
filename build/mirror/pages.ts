import { isUtf8 } from "node:buffer";
import { pathOf } from "../base/api.ts";
import { forEachConcurrent } from "../base/concurrent.ts";
import { countIds, idsIn, type IdRange } from "../base/ids.ts";
import { objectIn } from "../json/object.ts";
import type { MirrorWork } from "./work.ts";

/** Requests pages one by one, for a host without a bulk download. Pages outside of the ranges stay unchanged. */
export async function mirrorPages(work: MirrorWork, ranges: readonly IdRange[]): Promise<void> {
  const { folder, options } = work;
  const local = new Set(folder.ids());
  const of = countIds(ranges);
  let done = 0;
  await forEachConcurrent(idsIn(ranges), options.concurrency, async (id) => {
    await mirrorPage(work, id, local.has(id));
    options.progress?.(++done, of);
  });
}

async function mirrorPage(
  { host, folder, options, report }: MirrorWork,
  id: number,
  isLocal: boolean,
): Promise<void> {
  const path = pathOf(id);
  const fetched = await host.fetch(path);
  if (fetched.kind === "unusable") report.damaged.push(`${path}: ${fetched.reason}`);
  // A 404 without JSON is not from the API, so the page may still exist.
  else if (fetched.kind === "missing" && !fetched.isJson)
    report.damaged.push(`${path}: a 404 that is not JSON, so it is not a response of the API`);
  else if (fetched.kind === "missing") {
    if (!isLocal) return;
    report.removed.push(id);
    if (options.isCheck !== true) folder.remove(id);
  } else if (!isUtf8(fetched.bytes)) report.damaged.push(`${path}: the response is not UTF-8`);
  else if (objectIn(fetched.bytes.toString())?.["id"] !== id)
    report.damaged.push(`${path}: the response is not the page ${id}`);
  else {
    report.pages++;
    if (folder.isSame(id, fetched.bytes)) return;
    report.written.push(id);
    if (options.isCheck !== true) folder.write(id, fetched.bytes);
  }
}
