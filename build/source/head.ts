export interface SourceHead {
  id: number;
  type: string;
  /** As JSON in UTF-8, with a character for each byte. */
  title: string;
  /** `meta.translation_of`; 0 if there is none. */
  of: number;
}

/** Maximum bytes of the beginning of a source that mostly has these facts. */
const MAX_HEAD = 2048;

/**
 * The beginning of a source in the layout that the program writes, with a `meta` of simple values and a title that is
 * written as in a response. It has a character for each byte.
 */
const HEAD =
  /^\{\s*(?:"\$schema":\s*"[^"\\]*",\s*)?"id":\s*([1-9]\d*),\s*"meta":\s*(\{\s*"type":\s*"([^"\\]+)"[^{}]*\}),\s*"title":\s*("[ !#-[\]-\xff]*")/;

/** Whether `meta` may have `go_live_at` or `expire_at`, as they are or with escapes. */
const MORE = /(?<!published)_at"|\\/;
/** Of a repeated key, the last counts. */
const TRANSLATION_OF = /.*"translation_of":\s*([1-9]\d*)\s*[,}]/s;

/**
 * The facts of a source, without parsing it; undefined if it must be parsed for them, as it has another layout, or dates at
 * which it goes live or expires. The rest of the source may have mistakes.
 */
export function headOf(bytes: Buffer): SourceHead | undefined {
  const [, id, meta, type, title] = HEAD.exec(bytes.toString("latin1", 0, MAX_HEAD)) ?? [];
  if (meta === undefined || type === undefined || title === undefined || MORE.test(meta)) return undefined;
  const of = meta.includes('"translation_of"') ? Number(TRANSLATION_OF.exec(meta)?.[1]) : 0;
  return Number.isNaN(of) ? undefined : { id: Number(id), type, title, of };
}
