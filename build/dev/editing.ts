import { randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { Failure } from "../base/failure.ts";
import { instantOf, type Instant } from "../base/instant.ts";
import { plural } from "../base/numbers.ts";
import { FOLDER } from "../outputs/browse/files.ts";
import { modelOf } from "../model/types.ts";
import { schemaReference } from "../outputs/contract/location.ts";
import { countSubpages, move, publishDraft, referringTo, retire, withdraw } from "../change/move.ts";
import { SaveRefused, SourceChanged, sourceText } from "../change/apply.ts";
import { ImageTaken, saveImage, saveSource } from "../change/save.ts";
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

/**
 * The requests of the editor in a preview, the only requests that write. Each needs a token: a page of another website can
 * send requests to this machine, but cannot read the token.
 */
export class Editing {
  private readonly token = randomBytes(32).toString("hex");
  private readonly sources: SourceFolder;

  constructor(sources: SourceFolder) {
    this.sources = sources;
  }

  withToken(html: string): string {
    return html.replace("</head>", `<meta name="${TOKEN_META}" content="${this.token}" /></head>`);
  }

  /** The response to a request that has passed the guard; undefined if the path is not the editor's. */
  async respond(request: IncomingMessage, path: string): Promise<HostResponse | undefined> {
    if (!path.startsWith(EDIT_PATH)) return undefined;
    if (request.method !== "POST")
      return responseOf(405, { message: "The editor sends only POST requests here." }, { Allow: "POST" });
    try {
      this.assertOwn(request);
      const operation = path.slice(EDIT_PATH.length);
      const body = await readJson(request, operation === "apply" ? MAX_APPLIED : MAX_BODY);
      return responseOf(200, await whenFree(() => this.carryOut(operation, body)));
    } catch (cause) {
      const { status, message, more } = refusalOf(cause);
      return responseOf(status, { message, ...more });
    }
  }

  /** @throws Refusal unless the request is from this server's page: the browser sends its origin, and it has the token. */
  private assertOwn(request: IncomingMessage): void {
    const {
      origin = [],
      [TOKEN_HEADER]: tokens = [],
      "sec-fetch-site": sites = [],
    } = request.headersDistinct;
    if (origin.length !== 1 || !isOwnOrigin(request) || !sites.every((site) => site === "same-origin"))
      throw new Refusal(
        403,
        "Only the browse UI of this preview may edit pages. Open the preview at its own address.",
      );
    if (tokens.length !== 1 || !this.isToken(tokens[0] ?? ""))
      throw new Refusal(
        403,
        "The preview was started again since you opened the page. Reload it; your edits are kept.",
      );
    const types = request.headersDistinct["content-type"] ?? [];
    if (types.length !== 1 || !/^application\/json\s*(?:;|$)/i.test(types[0] ?? ""))
      throw new Refusal(415, "Expected Content-Type: application/json.");
  }

  private isToken(given: string): boolean {
    const [a, b] = [Buffer.from(given), Buffer.from(this.token)];
    return a.length === b.length && timingSafeEqual(a, b);
  }

  private async carryOut(operation: string, body: JsonObject): Promise<object> {
    const { content } = this.sources;
    switch (operation) {
      case "read":
        return this.read(textIn(body, "of"), body);
      case "list":
        return this.list(textIn(body, "of"), body);
      case "apply":
        return { ...this.apply(textIn(body, "of"), body), change: this.sources.change };
      case "commit":
        await commitFiles(content, textsIn(body, "files"), textIn(body, "message"));
        return {};
      case "send":
        await sendCommits(content);
        return {};
      default:
        throw unknown(operation);
    }
  }

  private read(of: string, body: JsonObject): object {
    const { sources } = this;
    switch (of) {
      case "source":
        return { source: sources.open(numberIn(body, "id")) ?? null };
      case "site":
        return { site: sources.site(), schema: schemaReference(sources.content, "index.json") };
      case "types":
        return { types: sourceText(sources.content, TYPES) };
      case "sync":
        return { sync: sourceText(sources.content, SYNC) };
      case "id":
        return { id: sources.id() };
      default:
        throw unknown(of);
    }
  }

  private async list(of: string, body: JsonObject): Promise<object> {
    const { sources } = this;
    const { content, options } = sources;
    switch (of) {
      case "things":
        return { things: await sources.findThings(textIn(body, "kind"), textIn(body, "words")) };
      case "images":
        return { images: sources.images() };
      case "library": {
        const [paths, site, model] = [sources.images(), sources.site(), modelOf(content, options.model)];
        return { library: await imagesWithUses({ content, paths, site, model }) };
      }
      case "subpages": {
        const path = sources.named(textIn(body, "file"));
        return { subpages: countSubpages(content, path, options) };
      }
      case "referring": {
        const path = sources.named(textIn(body, "file"));
        return { referring: referringTo(content, path, options) };
      }
      case "changes":
        return {
          ...(await changesSinceCommit(content)),
          unsent: unsentCommits(content),
          repository: sources.site()?.repository ?? null,
        };
      default:
        throw unknown(of);
    }
  }

  /** Changes the sources, all or nothing. */
  private apply(of: string, body: JsonObject): object {
    const { sources } = this;
    const { content } = sources;
    const options = { ...sources.options, translations: body["translations"] === true };
    if (of === "undo") {
      sources.undo(numberIn(body, "change"));
      return {};
    }
    if (of === "image") {
      saveImage(content, textIn(body, "path"), bytesIn(body, "bytes"), options);
      return {};
    }
    const file = textIn(body, "file");
    const path = sources.named(file);
    switch (of) {
      case "save":
        saveSource(
          content,
          { file, before: textOrNull(body, "before"), after: textOrNull(body, "after") },
          options,
        );
        return {};
      case "remove": {
        if (!isUncommitted(content, file)) throw new Refusal(422, `${file} is committed: retire its page.`);
        const below = countSubpages(content, path, options);
        if (below > 0) throw new Refusal(422, `The page has ${plural(below, "subpage")}: remove them first.`);
        saveSource(content, { file, before: textIn(body, "before"), after: null }, options, true);
        return {};
      }
      case "move":
        return move(content, path, sources.named(textIn(body, "to")), options);
      case "retire":
        return retire(content, path, textOrNull(body, "to") ?? undefined, options);
      case "publish":
        return publishDraft(content, file, options);
      case "withdraw":
        return withdraw(content, file, options);
      default:
        throw unknown(of);
    }
  }
}

const unknown = (operation: string): Refusal =>
  new Refusal(422, `There is no operation ${JSON.stringify(operation)}.`);

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

/** The instant that a preview shows: chosen by its page or by `--at`, or the current time. */
export class AsOf {
  /** Undefined for the current time. */
  instant: Instant | undefined;
  private readonly changed: () => void;

  constructor(instant: Instant | undefined, changed: () => void) {
    this.instant = instant;
    this.changed = changed;
  }

  /** The response if the preview's page chooses an instant with `?at=`; undefined for any other request. */
  respond(request: IncomingMessage, path: string): HostResponse | undefined {
    const { method, url = "", headersDistinct } = request;
    if (path !== AS_OF_PATH || method !== "POST") return undefined;
    const at = new URL(url, "http://localhost").searchParams.get("at") ?? "";
    // Another website must not change the preview.
    if (headersDistinct["origin"]?.length !== 1 || !isOwnOrigin(request)) return { status: 403, headers: {} };
    if (at !== "" && !formats["date-time"].matches(at)) return { status: 422, headers: {} };
    this.instant = at === "" ? undefined : instantOf(at);
    this.changed();
    return { status: 204, headers: {} };
  }
}
