import type { IncomingMessage } from "node:http";
import { instantOf, type Instant } from "../base/instant.ts";
import { FOLDER } from "../browse/files.ts";
import type { HostResponse } from "../hosting/responder.ts";
import { formats } from "../page/formats.ts";
import { isOwnOrigin } from "./editing.ts";

const PATH = `/${FOLDER}/as-of`;

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
    if (path !== PATH || method !== "POST") return undefined;
    const at = new URL(url, "http://localhost").searchParams.get("at") ?? "";
    // Another website must not change the preview.
    if (headersDistinct["origin"]?.length !== 1 || !isOwnOrigin(request)) return { status: 403, headers: {} };
    if (at !== "" && !formats["date-time"].matches(at)) return { status: 422, headers: {} };
    this.instant = at === "" ? undefined : instantOf(at);
    this.changed();
    return { status: 204, headers: {} };
  }
}
