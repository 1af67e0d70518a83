import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { forEachConcurrent } from "../../base/concurrent.ts";
import { statusOf, type HttpResponse } from "../../http/reply.ts";
import { isObject, objectIn } from "../../json/object.ts";
import { endingOf, IMAGE_ENDINGS, IMAGE_KINDS, kindOf, MEDIA } from "../../page/images.ts";
import { check, type PlainPage, type ProbeContext } from "../context.ts";
import { headerChecks } from "../contract.ts";

/** The images that a site keeps with its pages, which only some sites do. */

/** Requests the images of the pages, and with a build one of each kind. */
export async function probeMedia(
  context: ProbeContext,
  pages: readonly PlainPage[],
  out: string | undefined,
  concurrency: number,
): Promise<void> {
  const folder = out === undefined ? undefined : join(out, MEDIA);
  const built = folder !== undefined && existsSync(folder) ? folder : undefined;
  const paths = new Set([...pages.flatMap(imagesOf), ...(built === undefined ? [] : oneOfEachKind(built))]);
  await forEachConcurrent([...paths], concurrency, (path) => probeImage(context, path, built));
}

async function probeImage(context: ProbeContext, path: string, folder: string | undefined): Promise<void> {
  const reply = await context.client.sendAlone({ path: `/${MEDIA}/${path}` });
  const ending = endingOf(path);
  check(context, "media-images", reply, (response) => {
    if (response.status !== 200) return statusOf(response);
    const kind = kindOf(response.body.subarray(0, 256));
    if (kind.ending !== ending) return `a body that is ${kind.name}`;
    return isAsBuilt(response, path, folder) ? undefined : "other bytes than the build's";
  });
  if (reply.kind !== "response" || reply.status !== 200) return;
  check(context, "media-headers", reply, (response) => hasType(response, ending) ?? isOpen(response));
}

function isAsBuilt(response: HttpResponse, path: string, folder: string | undefined): boolean {
  const file = folder === undefined ? undefined : join(folder, decodeURIComponent(path));
  return file === undefined || !existsSync(file) || readFileSync(file).equals(response.body);
}

function hasType(response: HttpResponse, ending: string): string | undefined {
  const found = (response.headers.get("content-type") ?? []).join(", ");
  return found === IMAGE_KINDS[ending]?.contentType ? undefined : `Content-Type: ${found}`;
}

const isOpen = (response: HttpResponse): string | undefined =>
  headerChecks.cors(response) ?? headerChecks.nosniff(response);

/** The paths of a page's images that are published below its own host's address. */
function imagesOf({ body }: PlainPage): string[] {
  const page = objectIn(body.toString("utf8"));
  const [meta, images] = [page?.["meta"], page?.["master_images"]];
  const detail = isObject(meta) ? meta["detail_url"] : undefined;
  if (typeof detail !== "string" || !URL.canParse(detail) || !Array.isArray(images)) return [];
  const base = new URL(`${detail.replace(/\/api\/v2\/pages\/\d+\/$/, "")}/${MEDIA}/`).href;
  return images
    .flatMap((image): unknown[] => {
      const sizes: unknown = isObject(image) ? image["sizes"] : undefined;
      return Array.isArray(sizes)
        ? sizes.map((size: unknown) => (Array.isArray(size) ? size[2] : undefined))
        : [];
    })
    .flatMap((url) => (typeof url === "string" && URL.canParse(url) ? new URL(url).href : []))
    .flatMap((url) => (url.startsWith(base) ? url.slice(base.length) : []))
    .map((path) => path.replace(/[?#].*$/s, ""))
    .filter((path) => IMAGE_ENDINGS.includes(endingOf(path)));
}

/** The first image of each kind, as an address spells its path. */
function oneOfEachKind(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  return IMAGE_ENDINGS.flatMap((ending) => files.find((file) => endingOf(file) === ending) ?? []).map(
    (file) => file.split(/[\\/]/).map(encodeURIComponent).join("/"),
  );
}
