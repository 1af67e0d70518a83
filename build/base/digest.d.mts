/** A digest of all that decides what a build finds and writes, besides the sources and the options. */
export function digestOf(project: string): string;
