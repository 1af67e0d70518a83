import { expect, it } from "vitest";
import { ClaimCollector } from "../../build/check/claims.ts";
import { openFastPath } from "../../build/response/fast-path.ts";
import { site } from "../response/place.ts";

it("the fast path takes sources with fewer bytes than 100,000 values need", () => {
  const source = '{ "id": 1, "meta": { "type": "home.HomePage" }, "title": "Home" }';
  const isTaken = (bytes: number): boolean =>
    openFastPath(site, new ClaimCollector()).take(Buffer.from(source.padEnd(bytes)), "root", "") !==
    undefined;
  expect(isTaken(199_999)).toBe(true);
  expect(isTaken(200_000)).toBe(false);
});
