import { hashClaim, type ClaimCollector } from "../check/claims.ts";
import type { Identity } from "../page/field.ts";
import type { JsonObject } from "../json/object.ts";

/** Maximum number of objects of one kind that are kept in memory to recognise them on later pages. */
export const MAX_KNOWN_OBJECTS = 1 << 14;

/**
 * Returns a function that records an object's claim about the thing that it identifies. The function returns the number
 * of the claim, or -1 if the object makes none. A claim that many pages make is hashed once.
 */
export function claimsOf(
  identity: Identity,
  claims: ClaimCollector,
  decode: (text: string) => string,
): (object: JsonObject) => number {
  const { kind, key, values } = identity;
  const textOf = (value: unknown): string => {
    if (typeof value === "string") return JSON.stringify(decode(value)).slice(1, -1);
    return typeof value === "number" ? String(value) : "";
  };
  const known = new Map<unknown, { values: unknown[]; claim: number }>();
  return (object) => {
    if (textOf(object[key]) === "") return -1;
    const before = known.get(object[key]);
    if (before !== undefined && values.every((field, k) => object[field] === before.values[k])) {
      claims.again(before.claim);
      return before.claim;
    }
    const hashes = hashClaim(identity, (field) => textOf(object[field]));
    const claim = claims.add(hashes.key, hashes.hash);
    if (claims.lacksText(claim))
      claims.note([kind, ...[...values, key].map((field) => textOf(object[field]))]);
    if (known.size < MAX_KNOWN_OBJECTS)
      known.set(object[key], { values: values.map((field) => object[field]), claim });
    return claim;
  };
}
