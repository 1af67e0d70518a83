import { isAscii, isUtf8 } from "node:buffer";
import { MAX_VALUES, parseJson, tooLarge } from "../json/parse.ts";
import type { ClaimCollector } from "./claims.ts";
import { PageChecker, type CheckedPage, type CheckerOptions, type PagePosition } from "./page.ts";
import { scan, type Scan } from "./scan.ts";

/** A source as it was read; `bytes` is missing if it is larger than a source may be. */
export interface SourceBytes {
  file: string;
  bytes: Buffer | undefined;
  size: number;
}

/** Maximum bytes of a source: with fewer, it cannot exceed `MAX_VALUES`, so values need not be counted. */
const MAX_BYTES = 2 * MAX_VALUES;

/** Maximum length of a response that is encoded into a buffer that is used again. */
const MAX_KEPT = 1 << 17;

interface ParsedText extends Scan {
  bytes: Buffer;
  text: string;
  value: unknown;
}

/**
 * Checks sources by their bytes. JSON.parse reads most of them; the strict parser reads those with mistakes that
 * JSON.parse would not report or would report without a place.
 */
export class SourceChecker {
  private readonly claims: ClaimCollector | undefined;
  private readonly checker: PageChecker;
  /** Kept because two sites may have the same source. */
  private last: ParsedText | undefined;
  private readonly out = Buffer.allocUnsafeSlow(3 * MAX_KEPT);

  /** @param options `claims` receives the claims of the page that was checked last. */
  constructor(options: CheckerOptions & { claims?: ClaimCollector }) {
    this.claims = options.claims;
    this.checker = new PageChecker(options);
  }

  /** @param source if its bytes are the same buffer as before, they are not parsed again. */
  check({ file, bytes, size }: SourceBytes, at?: PagePosition): CheckedPage {
    this.claims?.rollBack();
    if (bytes === undefined) return this.checker.check(tooLarge(file, size));
    const parsed = this.parse(bytes);
    const checked = parsed && this.checker.checkQuickly({ ...parsed, file }, at);
    if (checked !== undefined) return checked;
    this.claims?.rollBack();
    return this.checker.check(parseJson(file, bytes), at);
  }

  private parse(bytes: Buffer): ParsedText | undefined {
    if (this.last?.bytes === bytes) return this.last;
    if (bytes.length >= MAX_BYTES) return undefined;
    if (!isUtf8(bytes)) return undefined;
    const latin1 = bytes.toString("latin1");
    const scanned = scan(bytes, latin1);
    if (scanned === undefined) return undefined;
    const text = isAscii(bytes) ? latin1 : bytes.toString();
    try {
      return (this.last = { bytes, text, value: JSON.parse(text), ...scanned });
    } catch {
      return undefined;
    }
  }

  /** The bytes of a response, valid until the next call. */
  encode(response: string): Buffer {
    if (response.length > MAX_KEPT) return Buffer.from(response);
    return this.out.subarray(0, this.out.write(response));
  }
}
