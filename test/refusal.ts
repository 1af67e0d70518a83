import { expect } from "vitest";

const isReason = (text: string): boolean => /\S/.test(text) && !/^\s+at /m.test(text);

/** How a command ends that refuses its arguments: with a reason, and without a stack. */
export const refusal = (reason = "") => ({
  status: 2,
  stdout: "",
  stderr: expect.toSatisfy((text: string) => isReason(text) && text.includes(reason), reason) as string,
});
