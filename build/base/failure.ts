/** An expected failure of a command. Its message is complete, so no stack is printed. */
export class Failure extends Error {}

/** The message of anything that was thrown, such as by a module of a site. */
export const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

/** A file or folder that the build did not create is in the build's way. The build leaves it as it is. */
export class Obstructed extends Failure {
  constructor(path: string, expected: string) {
    super(
      `${path}: expected ${expected}, found something that the build did not write. The build leaves it as it is: move it away, then build again.`,
    );
  }
}
