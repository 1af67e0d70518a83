import { join } from "node:path";
import { forEachConcurrent } from "../../base/concurrent.ts";
import { readBytes } from "../../base/file.ts";
import { plural } from "../../base/numbers.ts";
import {
  isTemporary,
  openFollowingClient,
  requestWithRetry,
  type Retries,
} from "../../hosting/http/client.ts";
import { decoded } from "../../hosting/http/reply.ts";
import * as own from "../../source/image-kinds.ts";
import { encodedPath, hasImages, ownImage, ownImagesOf } from "../../model/media.ts";
import type { Site } from "../../model/site.ts";
import type { Progress } from "../report.ts";
import type { SourceWriter } from "../writer.ts";
import type { ImportReport } from "./report.ts";
import { shown } from "./values.ts";

interface ImageImport {
  /** The addresses of the images of all written pages. */
  addresses: ReadonlySet<string>;
  site: Site;
  /** The folder of the responses, or the address of the API. */
  source: URL | string;
  writer: SourceWriter;
  report: ImportReport;
  concurrency: number;
  progress: Progress;
  wait?: Retries["wait"];
}

/** Maximum number of requests for an image. */
const MAX_ATTEMPTS = 3;
/** Milliseconds before the second request; the pause before the third is twice as long. */
const PAUSE_MS = 500;
/** Maximum milliseconds for an image. */
const MAX_RESPONSE_MS = 120_000;

/**
 * Copies images into `_media/` if the API's own host publishes them, because the build requires them there:
 * from the folder of the responses, or else from the host. Reports the images that it cannot copy.
 */
export async function importImages(options: ImageImport): Promise<void> {
  const { addresses, source, writer, report, concurrency, progress } = options;
  const site = { ...options.site, images: ownImagesOf(options.site, []) };
  if (!hasImages(site) || addresses.size === 0) return;
  const host = openImageHost(options);
  const missing: string[] = [];
  let done = 0;
  await forEachConcurrent(addresses, concurrency, async (address) => {
    const path = ownImage(address, site);
    const fault = isPublishable(path)
      ? await copy(path)
      : `not the address of an image below ${site.images.base}`;
    if (fault !== undefined) missing.push(`${shown(address, 200)}: ${fault}`);
    progress(++done, addresses.size);
  }).finally(() => host.close());
  const counted = `${plural(addresses.size, "image")} of the API's own host`;
  if (missing.length < addresses.size)
    report.notes.push(`${counted}: ${addresses.size - missing.length} copied into ${own.MEDIA_FOLDER}/.`);
  const [first] = missing.sort();
  if (first !== undefined)
    report.notes.push(
      `${counted}: ${missing.length} not copied, such as ${first}. The build needs each of them: copy the image at ${site.images.base}a/b.jpg to ${own.MEDIA_FOLDER}/a/b.jpg, or change media_url in _site.json to another host that has the images.`,
    );

  /** Returns the reason if the image is not copied. */
  async function copy(path: string): Promise<string | undefined> {
    const file = typeof source === "string" ? join(source, own.MEDIA, path) : undefined;
    const bytes = (file && readBytes(file, own.MAX_IMAGE_BYTES + 1)) ?? (await host.fetch(path));
    if (typeof bytes === "string") return bytes;
    const { ending, name } = own.kindOf(bytes.subarray(0, own.IMAGE_HEAD_BYTES));
    if (bytes.length > own.MAX_IMAGE_BYTES) return "it is larger than 25 MiB";
    if (ending !== own.endingOf(path)) return `it is ${name}`;
    return writer.writeImage(path, bytes) ? undefined : "another image has this name";
  }
}

const isPublishable = (path: string | undefined): path is string =>
  path !== undefined && own.imagePath(`${own.MEDIA_FOLDER}/${path}`) !== undefined;

function openImageHost({ site, source, concurrency, wait }: ImageImport) {
  const client = openFollowingClient(new URL(typeof source === "string" ? site.base_url : source), {
    concurrency,
    timeout: MAX_RESPONSE_MS,
    bodyLimit: own.MAX_IMAGE_BYTES,
    secondTry: false,
  });
  const retries = { attempts: MAX_ATTEMPTS, firstPauseMs: PAUSE_MS, ...(wait && { wait }) };
  /** The reason why no image can be requested. */
  let trouble: string | undefined;

  /** The bytes of an image, or the reason why there are none. */
  async function fetch(path: string): Promise<Buffer | string> {
    if (trouble !== undefined) return trouble;
    const request = { path: `/${own.MEDIA}/${encodedPath(path)}`, headers: HEADERS };
    const reply = await requestWithRetry(
      retries,
      () => client.send(request),
      (found) =>
        found.kind === "no-reply" ? ["timeout", "closed"].includes(found.trouble) : isTemporary(found),
    );
    if (reply.kind === "response")
      return reply.status === 200 ? decoded(reply) : `the host responds with ${reply.status}`;
    if (reply.trouble === "unreachable" || reply.trouble === "tls") trouble = reply.message;
    return reply.message;
  }
  return { fetch, close: client.close };
}

const HEADERS = { "User-Agent": "static-page-api-import" };
