/** Verification could not be done: its message is for the person who asked for it. */
export class CannotVerify extends Error {}
