import { randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { Failure } from "../base/failure.ts";
import { instantOf, type Instant } from "../base/instant.ts";
import { plural } from "../base/numbers.ts";
import { FOLDER } from "../outputs/browse/files.ts";
import { modelOf } from "../model/types.ts";
import { schemaReference } from "../outputs/contract/location.ts";
import {
  countSubpages,
  move,
  publishDraft,
  referringTo,
  retire,
  withdraw,
  type MoveOptions,
} from "../change/page-actions.ts";
import { SaveRefused, SourceChanged, sourceText } from "../change/apply.ts";
import { assertSourceName, ImageTaken, saveImage, saveSource } from "../change/save.ts";
import { Busy, whenFree } from "../source/journal.ts";
import { EDIT_PATH, MAX_APPLIED, MAX_BODY, TOKEN_HEADER, TOKEN_META } from "../editor/folder-store.ts";
import type { HostResponse } from "../hosting/responder.ts";
import { isObject, type JsonObject } from "../source/json/object.ts";
import { MAX_BYTES } from "../source/json/parse.ts";
import { SYNC, TYPES } from "../source/site-files.ts";
import { formats } from "../model/formats.ts";
import { MAX_IMAGE_BYTES } from "../source/image-kinds.ts";
import {
  changesSinceCommit,
  commitFiles,
  isUncommitted,
  NotChanged,
  sendCommits,
  unsentCommits,
} from "./commits.ts";
import { imagesWithUses } from "./image-uses.ts";
import type { SourceFolder } from "./source-folder.ts";

class Refusal extends Error {
  readonly status: 403 | 409 | 413 | 415 | 422;
  /** Members of the response in addition to the message. */
  readonly more: JsonObject;

  constructor(status: Refusal["status"], message: string, more: JsonObject = {}) {
    super(message);
    this.status = status;
    this.more = more;
  }
}

export type Editing = ReturnType<typeof editingOf>;

/**
 * The requests of the editor in a preview, the only requests that write. Each needs a token: a page of another website can
 * send requests to this machine, but cannot read the token.
 */
export function editingOf(sources: SourceFolder) {
  const token = randomBytes(32).toString("hex");
  const carryOut = async (name: string, body: JsonObject): Promise<object> => {
    const key = Object.hasOwn(OPERATIONS, name) ? name : `${name} ${textIn(body, "of")}`;
    const operation = Object.hasOwn(OPERATIONS, key) ? OPERATIONS[key] : undefined;
    if (operation === undefined) throw new Refusal(422, `There is no operation ${JSON.stringify(key)}.`);
    const result = (await operation(body, sources)) as object | undefined;
    return { ...result, ...(name === "apply" && { change: sources.change }) };
  };
  return {
    withToken: (html: string): string =>
      html.replace("</head>", `<meta name="${TOKEN_META}" content="${token}" /></head>`),
    /** The response to a request that has passed the guard; undefined if the path is not the editor's. */
    respond: async (request: IncomingMessage, path: string): Promise<HostResponse | undefined> => {
      if (!path.startsWith(EDIT_PATH)) return undefined;
      if (request.method !== "POST")
        return responseOf(405, { message: "The editor sends only POST requests here." }, { Allow: "POST" });
      try {
        assertOwn(request, token);
        const operation = path.slice(EDIT_PATH.length);
        const body = await readJson(request, operation === "apply" ? MAX_APPLIED : MAX_BODY);
        return responseOf(200, await whenFree(() => carryOut(operation, body)));
      } catch (cause) {
        const { status, message, more } = refusalOf(cause);
        return responseOf(status, { message, ...more });
      }
    },
  };
}

/** @throws Refusal unless the request is from this server's page: the browser sends its origin, and it has the token. */
function assertOwn(request: IncomingMessage, token: string): void {
  const { headersDistinct: headers } = request;
  const { origin = [], "sec-fetch-site": sites = [] } = headers;
  if (origin.length !== 1 || !isOwnOrigin(request) || !sites.every((site) => site === "same-origin"))
    throw new Refusal(
      403,
      "Only the browse UI of this preview may edit pages. Open the preview at its own address.",
    );
  const given = Buffer.from(String(request.headers[TOKEN_HEADER]));
  const own = Buffer.from(token);
  if (given.length !== own.length || !timingSafeEqual(given, own))
    throw new Refusal(
      403,
      "The preview was started again since you opened the page. Reload it; your edits are kept.",
    );
  const types = headers["content-type"] ?? [];
  if (types.length !== 1 || !/^application\/json\s*(?:;|$)/i.test(types[0] ?? ""))
    throw new Refusal(415, "Expected Content-Type: application/json.");
}

/** By the path of a request and its `of`: what it does. Each change of the sources is made all or nothing. */
const OPERATIONS: Record<string, (body: JsonObject, sources: SourceFolder) => unknown> = {
  "read source": (body, sources) => ({ source: sources.open(numberIn(body, "id")) ?? null }),
  "read site": (_, sources) => ({
    site: sources.site(),
    schema: schemaReference(sources.content, "index.json"),
  }),
  "read types": (_, { content }) => ({ types: sourceText(content, TYPES) }),
  "read sync": (_, { content }) => ({ sync: sourceText(content, SYNC) }),
  "read id": (_, sources) => ({ id: sources.id() }),

  "list things": async (body, sources) => ({
    things: await sources.findThings(textIn(body, "kind"), textIn(body, "words")),
  }),
  "list images": (_, sources) => ({ images: sources.images() }),
  "list library": async (_, sources) => {
    const { content, options } = sources;
    const [paths, site, model] = [sources.images(), sources.site(), modelOf(content, options.model)];
    return { library: await imagesWithUses({ content, paths, site, model }) };
  },
  "list subpages": (body, sources) => ({
    subpages: countSubpages(sources.content, pathIn(body, sources), sources.options),
  }),
  "list referring": (body, sources) => ({
    referring: referringTo(sources.content, pathIn(body, sources), sources.options),
  }),
  "list changes": async (_, sources) => ({
    ...(await changesSinceCommit(sources.content)),
    unsent: unsentCommits(sources.content),
    repository: sources.site()?.repository ?? null,
  }),

  "apply undo": (body, sources) => sources.undo(numberIn(body, "change")),
  "apply image": (body, { content, options }) =>
    saveImage(content, textIn(body, "path"), bytesIn(body, "bytes"), options),
  "apply save": (body, { content, options }) => {
    const [before, after] = [textOrNull(body, "before"), textOrNull(body, "after")];
    saveSource(content, { file: textIn(body, "file"), before, after }, options);
  },
  "apply remove": (body, sources) => {
    const { content, options } = sources;
    const file = sourceIn(body);
    if (!isUncommitted(content, file)) throw new Refusal(422, `${file} is committed: retire its page.`);
    const below = countSubpages(content, join(content, file), options);
    if (below > 0) throw new Refusal(422, `The page has ${plural(below, "subpage")}: remove them first.`);
    saveSource(content, { file, before: textIn(body, "before"), after: null }, options, true);
  },
  "apply move": (body, sources) => {
    const options = { ...withTranslations(body, sources), givesFolder: true };
    return move(sources.content, pathIn(body, sources), pathIn(body, sources, "to"), options);
  },
  "apply retire": (body, sources) => {
    const to = textOrNull(body, "to") ?? undefined;
    return retire(sources.content, pathIn(body, sources), to, withTranslations(body, sources));
  },
  "apply publish": (body, { content, options }) => publishDraft(content, sourceIn(body), options),
  "apply withdraw": (body, { content, options }) => withdraw(content, sourceIn(body), options),

  commit: (body, { content }) => commitFiles(content, textsIn(body, "files"), textIn(body, "message")),
  send: (_, { content }) => sendCommits(content),
};

const withTranslations = (body: JsonObject, { options }: SourceFolder): MoveOptions => ({
  ...options,
  translations: body["translations"] === true,
});

/** Whether a request comes from a page of this server, or from no page. */
export function isOwnOrigin({ headersDistinct: { origin = [], host = [] } }: IncomingMessage): boolean {
  const own = `http://${host[0] ?? ""}`;
  return origin.every((one) => URL.canParse(own) && one === new URL(own).origin);
}

const REASONS = { place: 403, size: 413, content: 422 } as const;

function refusalOf(cause: unknown): Refusal {
  if (cause instanceof Refusal) return cause;
  if (cause instanceof SourceChanged) return new Refusal(409, cause.message, { current: cause.current });
  if (cause instanceof SaveRefused) return new Refusal(REASONS[cause.reason], cause.message);
  if (cause instanceof Busy || cause instanceof NotChanged || cause instanceof ImageTaken)
    return new Refusal(409, cause.message);
  if (cause instanceof Failure) return new Refusal(422, cause.message);
  const { code, message } = cause as NodeJS.ErrnoException;
  // For example a full disk, or a folder without write permission.
  if (code === undefined) throw cause;
  return new Refusal(422, `The source was not changed: ${message}.`);
}

function responseOf(status: number, body: object, headers: Record<string, string> = {}): HostResponse {
  return {
    status,
    headers: {
      "Content-Type": "application/json",
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
      ...headers,
    },
    body: JSON.stringify(body),
  };
}

/** Reads a request. If it is too large, the rest is read but discarded, so that the sender gets the response. */
async function readJson(request: IncomingMessage, limit: number): Promise<JsonObject> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= limit) chunks.push(chunk);
  }
  if (length > limit)
    throw new Refusal(
      413,
      `A page source has at most ${MAX_BYTES / 2 ** 20} MiB, and an image ${MAX_IMAGE_BYTES / 2 ** 20} MiB. Make it smaller.`,
    );
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks)));
  } catch {
    throw new Refusal(422, "The request is not JSON.");
  }
  if (!isObject(value)) throw new Refusal(422, "The request is not a JSON object.");
  return value;
}

function textIn(body: JsonObject, name: string): string {
  const value = body[name];
  if (typeof value !== "string") throw new Refusal(422, `Expected “${name}” as a text.`);
  return value;
}

/** @throws SaveRefused if it is not the name of a source. */
function sourceIn(body: JsonObject, name = "file"): string {
  const file = textIn(body, name);
  assertSourceName(file);
  return file;
}

/** The path of a source for a command. */
const pathIn = (body: JsonObject, { content }: SourceFolder, name = "file"): string =>
  join(content, sourceIn(body, name));

const textOrNull = (body: JsonObject, name: string): string | null =>
  body[name] === null ? null : textIn(body, name);

function bytesIn(body: JsonObject, name: string): Buffer {
  const text = textIn(body, name);
  const bytes = Buffer.from(text, "base64");
  if (bytes.toString("base64") !== text) throw new Refusal(422, `Expected “${name}” as base64.`);
  return bytes;
}

function textsIn(body: JsonObject, name: string): string[] {
  const value = body[name];
  if (!Array.isArray(value) || !value.every((one) => typeof one === "string"))
    throw new Refusal(422, `Expected “${name}” as a list of texts.`);
  return value;
}

function numberIn(body: JsonObject, name: string): number {
  const value = body[name];
  if (!Number.isSafeInteger(value)) throw new Refusal(422, `Expected “${name}” as a whole number.`);
  return value as number;
}

const AS_OF_PATH = `/${FOLDER}/as-of`;

export type AsOf = ReturnType<typeof asOfControl>;

/** The instant that a preview shows: chosen by its page or by `--at`, or the current time. */
export function asOfControl(instant: Instant | undefined, changed: () => void) {
  const chosen = {
    /** Undefined for the current time. */
    instant,
    /** The response if the preview's page chooses an instant with `?at=`; undefined for any other request. */
    respond: (request: IncomingMessage, path: string): HostResponse | undefined => {
      const { method, url = "", headersDistinct } = request;
      if (path !== AS_OF_PATH || method !== "POST") return undefined;
      const at = new URL(url, "http://localhost").searchParams.get("at") ?? "";
      // Another website must not change the preview.
      if (headersDistinct["origin"]?.length !== 1 || !isOwnOrigin(request))
        return { status: 403, headers: {} };
      if (at !== "" && !formats["date-time"].matches(at)) return { status: 422, headers: {} };
      chosen.instant = at === "" ? undefined : instantOf(at);
      changed();
      return { status: 204, headers: {} };
    },
  };
  return chosen;
}
