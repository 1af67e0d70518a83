/** The work could not be done, for a reason that its message says whole; no stack helps whoever reads it. */
export class Failure extends Error {}

/** Something that is not the build's stands where the build must write; nothing is changed. */
export class Obstructed extends Failure {
  constructor(path: string, expected: string) {
    super(
      `${path}: expected ${expected}, found something that the build did not put there. It is left as it is: move it away, then build again.`,
    );
  }
}
