import { join, resolve } from "node:path";
import { Failure } from "../base/failure.ts";
import { parseJson } from "../json/parse.ts";
import { schemaReference } from "../contract/location.ts";
import { Reader } from "../sources/read.ts";
import { namedSources, replaceFile } from "./files.ts";
import { mend, type Mend } from "./mend.ts";

/** Nobody wrote a larger file by hand, and mending it would take many times its size in memory: it is left as it is. */
const MOST_BYTES = 4 * 2 ** 20;

export interface FixOptions {
  content: string;
  /** Files, folders or patterns; all sources where there are none. */
  names: readonly string[];
  /** Lays out the files as the project's sources are. */
  format: boolean;
  /** Only says what it would do. */
  dryRun: boolean;
}

export interface FixedFile {
  /** Relative to the content folder. */
  file: string;
  mends: Mend[];
}

/** Mends sources one by one, and gives for each what was done to it. */
export function* fix({ content, names, format, dryRun }: FixOptions): Generator<FixedFile> {
  const reader = new Reader();
  for (const file of namedSources(content, names)) {
    const path = join(resolve(content), file);
    const read = reader.readBytes(path, file).bytes;
    if (read === undefined || read.length > MOST_BYTES) continue;
    const bytes = Buffer.from(read);
    const isSite = file === "_site.json";
    const mended = mend(parseJson(file, bytes), { reference: schemaReference(path, file), isSite, format });
    const mends = mended?.mends ?? [];
    if (mended !== undefined && mends.length > 0 && !dryRun) {
      // Somebody may be writing in it at this moment.
      if (reader.readBytes(path, file).bytes?.equals(bytes) !== true)
        throw new Failure(`${file} changed while it was being mended; run it again.`);
      replaceFile(path, mended.text);
    }
    yield { file, mends };
  }
}
