import { digestOf } from "./digest.mjs";
import { PROJECT } from "./project.ts";

/** In a bundle: the digest of what it was made of. A bundle never changes. */
declare const BUNDLED: string | undefined;

/**
 * The digest of the program that this process runs, by which it knows the memories that are its own. It is taken before
 * any other module is loaded (scripts/run.mjs), so that no code is younger.
 */
export const PROGRAM: string = typeof BUNDLED === "string" ? BUNDLED : digestOf(PROJECT);

/** Whether what would be loaded now may be another program's: modules are loaded when they are first needed. */
export const hasProgramChanged = (): boolean => typeof BUNDLED !== "string" && digestOf(PROJECT) !== PROGRAM;
