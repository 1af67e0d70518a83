import { expect, it } from "vitest";
import { openMirrorHost } from "../../build/exchange/mirror.ts";
import { served } from "./served.ts";

const downloaded = (bytes: number) =>
  served(
    (_, response) => void response.end(Buffer.alloc(bytes)),
    async (address) => {
      const host = openMirrorHost(address, 1, () => Promise.resolve());
      return host.fetch("/").finally(() => host.close());
    },
  );

it("a mirror downloads a file of up to 25 MiB", async () => {
  expect((await downloaded(25 * 2 ** 20)).outcome).toMatchObject({ kind: "found" });
  expect((await downloaded(25 * 2 ** 20 + 1)).outcome).toMatchObject({ kind: "unusable" });
});
