/** The work could not be done, for a reason that its message says whole; no stack helps whoever reads it. */
export class Failure extends Error {}
