import { digestOf } from "./digest.mjs";
import { PROGRAM_FOLDER } from "./folders.ts";

/** In compiled code (scripts/compile.mjs): the version that the code was made from. Compiled code never changes. */
declare const COMPILED: string | undefined;
declare const IS_PACKAGE: boolean | undefined;

/** Whether this is the package, which contains compiled code and no sources. */
export const isPackage: boolean = typeof IS_PACKAGE === "boolean" && IS_PACKAGE;

const digest = (): string => (typeof COMPILED === "string" ? COMPILED : digestOf(PROGRAM_FOLDER));
const loaded = digest();

/**
 * The key of the running program, by which it recognizes its own manifests. In a clone on Node 22 and later, it is
 * computed before any other module is loaded (scripts/run.mjs), so that no loaded code is newer.
 */
export const PROGRAM = `${loaded}-${process.version}`;

/** Modules that are loaded on first use may then belong to another version of the program. */
export const hasProgramChanged = (): boolean => digest() !== loaded;
