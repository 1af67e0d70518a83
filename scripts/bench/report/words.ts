import { plural, thousands as count } from "../../../build/base/numbers.ts";

export { count, plural };

/** Three significant digits; the measurements are not more exact. */
export function figure(n: number): string {
  if (n >= 100) return n.toFixed(0);
  if (n >= 10) return n.toFixed(1);
  return n.toFixed(n >= 1 ? 2 : 3);
}

export const seconds = (n: number): string => (n >= 1 || n < 0.1 ? figure(n) : n.toFixed(2));

export const memory = (bytes: number): string =>
  bytes >= 2 ** 30 ? `${(bytes / 2 ** 30).toFixed(1)} GiB` : `${(bytes / 2 ** 20).toFixed(0)} MiB`;
