import { Failure } from "../base/failure.ts";
import { Damaged } from "../shards/format.ts";

/** Reports each trouble of a bucket to the operator when it begins and when it ends, not with every request. */
export class Troubles {
  private readonly report: (line: string) => void;
  /** Keys of damaged objects, and `STORE`. */
  private readonly known = new Set<string>();

  constructor(report: (line: string) => void) {
    this.report = report;
  }

  begin(cause: unknown): void {
    const about = cause instanceof Damaged ? cause.key : STORE;
    if (this.known.has(about)) return;
    if (this.known.size === MAX_TROUBLES) this.known.clear();
    this.known.add(about);
    // Any other error is a mistake in the program, so its stack is reported.
    const { message, stack = message } = cause as Error;
    const status = cause instanceof Damaged ? 502 : 503;
    this.report(`${cause instanceof Failure ? message : stack} The affected requests get status ${status}.`);
  }

  /** @param about the key of an object that was read; by default the store as a whole. */
  end(about = STORE): void {
    if (!this.known.delete(about)) return;
    this.report(`${about === STORE ? "The bucket" : about} can be read again.`);
  }
}

const STORE = "";
/** Maximum number of troubles that are remembered. */
const MAX_TROUBLES = 1000;
