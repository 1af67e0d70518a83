import { join } from "node:path";

/** GitHub's published descriptions of its API: of github.com, and of a version of Enterprise Server. */
export const NAMES = ["api.github.com", "ghes-3.19"] as const;

export const fileOf = (name: (typeof NAMES)[number]): string => join(import.meta.dirname, `${name}.json`);
