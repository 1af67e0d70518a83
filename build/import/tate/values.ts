import { isObject, type JsonObject } from "../../json/object.ts";
import type { LeftOut } from "./reasons.ts";

/** A JSON object of the data, with unchecked members. */
export type Data = Readonly<JsonObject>;

/** Whether a value is a text that a JSON source can contain: UTF-8 cannot encode half of a surrogate pair. */
export const isText = (value: unknown): value is string =>
  typeof value === "string" && value !== "" && !/\p{Surrogate}/u.test(value);

/** An integer, even if the data has it as digits in a text. */
export function integerOf(value: unknown): number | undefined {
  const number = typeof value === "string" && /^-?\d+$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) ? (number as number) : undefined;
}

const hasValue = (value: unknown): boolean => value !== undefined && value !== null && value !== "";

/** Reads the members of one object, and lists every value with an unexpected format, so that each loss is reported. */
export class MemberReader {
  readonly data: Data;
  readonly path: string;
  readonly leftOut: LeftOut[];

  constructor(data: Data, path: string, leftOut: LeftOut[]) {
    this.data = data;
    this.path = path;
    this.leftOut = leftOut;
  }

  text(key: string): string | undefined {
    return this.take(key, isText);
  }

  objects(key: string): MemberReader[] {
    const items = this.take(key, Array.isArray) ?? [];
    return items.flatMap((item: unknown, i) => {
      const path = `${this.path}${key}[${i}]`;
      if (isObject(item)) return [new MemberReader(item, `${path}.`, this.leftOut)];
      this.leftOut.push({ field: path, found: item });
      return [];
    });
  }

  object(key: string): MemberReader | undefined {
    const data = this.take(key, isObject);
    return data && new MemberReader(data, `${this.path}${key}.`, this.leftOut);
  }

  take<T>(key: string, isForm: (value: unknown) => value is T): T | undefined {
    const value = this.data[key];
    if (isForm(value)) return value;
    if (hasValue(value)) this.leftOut.push({ field: `${this.path}${key}`, found: value });
    return undefined;
  }
}

/** The fields that have a value: a source leaves out empty ones. */
export function present(fields: Data): Data {
  const kept: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(fields)) {
    if (hasValue(value) && !(Array.isArray(value) && value.length === 0)) kept[key] = value;
  }
  return kept;
}
