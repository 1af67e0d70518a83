import { digestOf } from "./digest.mjs";
import { PROGRAM_FOLDER } from "./folders.ts";

/** In a bundle: the digest of its parts. A bundle never changes. */
declare const BUNDLED: string | undefined;

/**
 * The digest of the running program, by which it recognizes its own manifests. It is computed before any other module
 * is loaded (scripts/run.mjs), so that no loaded code is newer than the digest.
 */
export const PROGRAM: string = typeof BUNDLED === "string" ? BUNDLED : digestOf(PROGRAM_FOLDER);

/** Modules that are loaded on first use may then belong to another version of the program. */
export const hasProgramChanged = (): boolean =>
  typeof BUNDLED !== "string" && digestOf(PROGRAM_FOLDER) !== PROGRAM;
