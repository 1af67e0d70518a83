import { expect, it } from "vitest";
import { searchedThing, searchThings } from "../../build/editor/form/things.ts";
import { branchName } from "../../build/editor/github/propose.ts";
import { programModel } from "../../build/page/program-model.ts";

const identityOf = (kind: string) => {
  const identity = programModel.entities.find((one) => one.identity.kind === kind)?.identity;
  if (identity === undefined) throw new Error(`no kind ${kind}`);
  return identity;
};

it("the editor suggests 12 things at most", () => {
  const ponds = Array.from({ length: 13 }, (_, k) =>
    searchedThing(identityOf("group"), [k + 1, "Pond"], 1, ""),
  );
  expect(searchThings(ponds, "pond")).toHaveLength(12);
  expect(searchThings(ponds.slice(1), "pond")).toHaveLength(12);
});

it("the name of a branch has up to 40 characters of the slug", () => {
  const environment = { now: () => 0, random: () => 0, wait: () => Promise.resolve() };
  const named = (length: number): string => branchName(`${"x".repeat(length)}.json`, environment);
  expect([40, 41].map(named)).toEqual(Array(2).fill(`edit/1970-01-01-${"x".repeat(40)}-aaaa`));
});
