import { expect, it } from "vitest";
import { MAX_FORK_ATTEMPTS } from "../../../build/editor/github/propose.ts";
import { CHANGE, NAME, PROPOSAL, TOKENS, museumOfEachTest } from "./museum.ts";

const museum = museumOfEachTest();

const FORK = "otto/pages";

it("reports that the token's owner may not write, and offers a classic token", async () => {
  const store = museum.open(TOKENS.stranger);
  const message = `otto may not write to ${NAME}. Ask an administrator of the repository for the right to write, or enter a classic token with the scope “public_repo”: then the proposal is made through a fork of otto.`;
  expect(await store.client.access()).toEqual({ login: "otto", may: "read", message });
  await store.save(CHANGE);
  await expect(store.propose(PROPOSAL)).rejects.toThrow(message);
  expect(store.changes).toEqual([CHANGE]);
  expect(museum.github.operations.filter((id) => id.includes("create"))).toEqual([]);

  store.client.setToken(TOKENS.forker);
  expect(await store.client.access()).toEqual({ login: "otto", may: "fork" });
  const pull = await store.propose(PROPOSAL);
  expect(pull).toMatchObject({ number: 1, url: `https://github.com/${NAME}/pull/1` });
  const { git } = museum.repository;
  expect([...git.branches.keys()]).toEqual(["main"]);
  expect(git.resolve("refs/pull/1/head")).toBe(pull.head);
  expect(git.commit(pull.head).parents).toEqual([git.resolve("refs/heads/main")]);
  const fork = museum.github.world.repositories.get(FORK)?.git;
  const [made] = museum.github.world.pulls;
  expect([...(fork?.branches ?? [])]).toContainEqual([made?.head.branch, pull.head]);
  expect(made).toMatchObject({ head: { repository: FORK } });
});

it("waits until a new fork is ready", async () => {
  museum.github.world.forkDelay = 3;
  const pauses: number[] = [];
  const wait = (milliseconds: number): Promise<void> => {
    pauses.push(milliseconds);
    return Promise.resolve();
  };
  const store = museum.open(TOKENS.forker, { wait }, [CHANGE]);
  await store.propose(PROPOSAL);
  expect(pauses).toEqual([2000, 2000, 2000]);
});

it("ends after a minute if a new fork is not ready", async () => {
  expect(MAX_FORK_ATTEMPTS).toBe(30);
  museum.github.world.forkDelay = 30;
  const store = museum.open(TOKENS.forker, {}, [CHANGE]);
  await expect(store.propose(PROPOSAL)).rejects.toThrow(
    `GitHub is still making the fork ${FORK}. Try again in some minutes.`,
  );
  await store.propose(PROPOSAL);
  expect(museum.github.world.pulls).toHaveLength(1);
});

it.each([404, 422])("brings a fork that is behind up to date, if GitHub responds with %i", async (status) => {
  const store = museum.open(TOKENS.forker, {}, [CHANGE]);
  await store.propose(PROPOSAL);
  const head = museum.repository.git.change("main", { "content/visit/later.json": "{}" });
  await store.save({ ...CHANGE, after: "{ }" });
  const body = { message: "Not Found", documentation_url: "https://docs.github.com/rest" };
  museum.github.plant({ operation: "git/create-tree", status, body });
  const pull = await store.propose(PROPOSAL);
  expect(museum.github.operations).toContain("repos/merge-upstream");
  expect(museum.repository.git.commit(pull.head).parents).toEqual([head]);
});

it("shows how to bring a fork up to date that GitHub cannot", async () => {
  const store = museum.open(TOKENS.forker, {}, [CHANGE]);
  await store.propose(PROPOSAL);
  const fork = museum.github.world.repositories.get(FORK)?.git;
  const branches = [...(fork?.branches.keys() ?? [])];
  fork?.change("main", { "content/visit/own.json": "{}" });
  museum.repository.git.change("main", { "content/visit/later.json": "{}" });
  await store.save({ ...CHANGE, after: "{ }" });
  await expect(store.propose(PROPOSAL)).rejects.toThrow(
    `The fork ${FORK} is not up to date. Open https://github.com/${FORK}, press “Sync fork”, then try again.`,
  );
  expect([...(fork?.branches.keys() ?? [])]).toEqual(branches);
  expect(store.changes).toEqual([{ ...CHANGE, after: "{ }" }]);
});

it("removes the branch from the fork if a later request fails", async () => {
  const store = museum.open(TOKENS.forker, {}, [CHANGE]);
  const requests = "git/create-blob git/create-tree git/create-commit git/create-ref pulls/create".split(" ");
  for (const operation of requests) {
    museum.github.plant({ operation, status: 500, body: "" });
    await expect(store.propose(PROPOSAL)).rejects.toThrow("status 500");
  }
  expect([...(museum.github.world.repositories.get(FORK)?.git.branches.keys() ?? [])]).toEqual(["main"]);
});

it("distinguishes the reasons why a token may only read", async () => {
  const { repository } = museum;
  const why = async (token: string) => (await museum.open(token).client.access()).message;
  expect(await why(TOKENS.classicWriter)).toBeUndefined();
  museum.github.world.accounts.set("ghp_none", { login: "mira", scopes: [] });
  expect(await why("ghp_none")).toContain("This classic token lacks the scope “public_repo”.");
  repository.mayFork = false;
  expect(await why(TOKENS.forker)).toContain("which allows no forks. Ask an administrator");
  repository.mayFork = true;
  repository.isPrivate = true;
  await expect(why(TOKENS.forker)).rejects.toThrow("or the access token may not read it");
  repository.isPrivate = false;
  repository.isArchived = true;
  expect(await why(TOKENS.writer)).toBe(
    `${NAME} is archived, so GitHub accepts no changes. Ask an administrator of the repository.`,
  );
});
