import { describe, expect, it } from "vitest";
import { requestWithRetry } from "../../../build/hosting/http/client.ts";

async function run(attempts: number, results: number[], again: (result: number) => boolean | number) {
  const waits: number[] = [];
  const left = [...results];
  const wait = async (milliseconds: number): Promise<void> => void waits.push(milliseconds);
  const attempt = async (): Promise<number> => left.shift() ?? Number.NaN;
  const result = await requestWithRetry({ attempts, firstPauseMs: 10, wait }, attempt, again);
  return { result, waits, left };
}

describe("attempts", () => {
  it("end with the first result that needs no other attempt", async () => {
    expect(await run(5, [1, 2, 3, 4], (result) => result < 3)).toEqual({
      result: 3,
      waits: [10, 20],
      left: [4],
    });
  });

  it("end with the last attempt, without a pause after it", async () => {
    expect(await run(3, [1, 2, 3, 4], () => true)).toEqual({ result: 3, waits: [10, 20], left: [4] });
  });

  it("wait as long as a result requires, or not at all", async () => {
    expect(await run(4, [7, 0, 5, 9], (result) => result)).toMatchObject({ result: 9, waits: [7, 0, 5] });
  });
});
