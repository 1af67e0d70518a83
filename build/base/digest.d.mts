/** A digest of everything that determines a build's findings and output, except for the sources and the options. */
export function digestOf(project: string): string;
