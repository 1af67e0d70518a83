import { expect, it } from "vitest";
import { openR2, type R2Bucket } from "../../build/release/r2.ts";
import { Unavailable } from "../../build/release/format.ts";
import { Damaged } from "../../build/outputs/shards/format.ts";

const failing = (message: string) =>
  openR2({ get: () => Promise.reject(new Error(message)) } as unknown as R2Bucket, "site/");

it("treats an object without the requested range as damaged, and any other error as unavailable", async () => {
  // R2's response for the last bytes of an empty object.
  const short = failing("get: The requested range is not satisfiable (10039)");
  await expect(short.get("shards/a.zip", { last: 100 })).rejects.toThrow(Damaged);
  await expect(short.get("shards/a.zip", { last: 100 })).rejects.toThrow(/^shards\/a\.zip: /);
  await expect(failing("get: Internal error (10001)").get("a")).rejects.toThrow(Unavailable);
});
