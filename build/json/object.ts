export type JsonObject = Record<string, unknown>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The value of a JSON text; undefined if the text is not JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The object in a JSON text; undefined if the text is not JSON, or another value. */
export function objectIn(text: string): JsonObject | undefined {
  const value = jsonIn(text);
  return isObject(value) ? value : undefined;
}

export type JsonValue = string | number | boolean | null | JsonValue[] | JsonRecord;
export type JsonRecord = { [key: string]: JsonValue };
