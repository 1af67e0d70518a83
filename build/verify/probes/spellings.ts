import { pathOf } from "../../base/api.ts";
import { forEachConcurrent } from "../../base/concurrent.ts";
import { FOLDER, INDEX, isOwnIndex } from "../../browse/files.ts";
import { NOT_FOUND_FILE } from "../../hosting/paths.ts";
import { beginning, header, statusOf, type HttpResponse } from "../../http/reply.ts";
import { probe, type ProbeContext } from "../context.ts";
import { jsonFault, MISSING } from "../contract.ts";
import { staysHere } from "./missing.ts";

/** Odd spellings of the paths of published files, which some hosts resolve after they have chosen the headers. */

const upTo = (path: string, slash: string): string => path.replace(/\/(?=[^/]*\/?$)/, slash);

const spellingsOf = (path: string): string[] =>
  [
    `/${path}`,
    upTo(path, "//"),
    upTo(path, "/%2f"),
    upTo(path, "%2F"),
    upTo(path, "%5c"),
    upTo(path, "/./"),
    upTo(path, "/%2e%2e%2f"),
    `/x/..${path}`,
    `/x/%2e%2e${path}`,
    `/%2e${path}`,
    `/%2f${path.slice(1)}`,
    `/${FOLDER}/..${path}`,
    path.replace(/[a-z](?=[^a-z]*$)/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
    path.toUpperCase(),
    ...["/", "/x", "//x", "%2fx", "%00", "%3Fx", ";x", ".", "%20", "%0d%0aX-Injected:%20yes"].map(
      (end) => path + end,
    ),
    `${path}/${"a".repeat(300)}`,
    `${path}${"/a".repeat(4000)}`,
    `${path}?${"a".repeat(4000)}`,
  ].filter((spelling) => spelling.startsWith("/"));

/** The headers that a file must have at each address that leads to it. */
const NAMES =
  "Content-Type Cache-Control Expires Vary Allow Access-Control-Allow-Origin X-Content-Type-Options Content-Security-Policy Referrer-Policy".split(
    " ",
  );

/** @param id a published page. */
export async function probeSpellings(context: ProbeContext, id: number, concurrency: number): Promise<void> {
  const paths = [pathOf(id), `${pathOf(id)}${INDEX_OF_PAGE}`];
  const browse = ["/", `/${INDEX}`, `/${FOLDER}/app.js`, "/openapi.json", "/bulk/index.json"];
  const plain: HttpResponse[] = [];
  for (const path of [...paths, ...browse]) {
    const reply = await context.client.sendAlone({ path });
    if (reply.kind === "response" && reply.status === 200) plain.push(reply);
  }
  const isOwn = plain.some(({ request, body }) => request.path === "/" && isOwnIndex(body.toString("utf8")));
  const known = isOwn ? plain : plain.filter(({ request }) => paths.includes(request.path));
  const odd = new Set(known.flatMap(({ request }) => spellingsOf(request.path)));
  if (isOwn) odd.add(`/${NOT_FOUND_FILE}`);
  await forEachConcurrent([...odd], concurrency, (path) =>
    probe(context, "spellings", { path }, (response) => faultOf(context, response, known, isOwn)),
  );
  if (!isOwn) return;
  await probe(context, "not-found-elsewhere", { path: `/${FOLDER}-none` }, (response) => {
    if (response.status !== 404) return statusOf(response);
    const type = header(response, "Content-Type") ?? "";
    return jsonFault(response, MISSING) !== undefined || type === "application/json"
      ? undefined
      : `Content-Type: ${type}`;
  });
}

const INDEX_OF_PAGE = "index.json";

/** @param isOwn whether the whole host has only files of the build, so that it may send nothing else. */
function faultOf(
  context: ProbeContext,
  response: HttpResponse,
  known: readonly HttpResponse[],
  isOwn: boolean,
): string | undefined {
  const { status, headers, body } = response;
  if (headers.has("x-injected")) return "the address injected a header";
  const file = known.find((one) => body.equals(one.body));
  if (status >= 400 && status <= 499)
    return file === undefined ? undefined : `${status} with the file of ${file.request.path}`;
  if (staysHere(context, response)) return undefined;
  if (status !== 200) return statusOf(response);
  if (file === undefined) return isOwn ? beginning(body.toString("utf8")) : undefined;
  const differs = NAMES.find((name) => valuesOf(response, name) !== valuesOf(file, name));
  return differs === undefined
    ? undefined
    : `the file of ${file.request.path} with the ${differs} “${valuesOf(response, differs)}”`;
}

const valuesOf = ({ headers }: HttpResponse, name: string): string =>
  (headers.get(name.toLowerCase()) ?? []).join(" | ");
