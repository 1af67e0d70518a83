import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { NAME, openMuseum, TOKENS, type Museum } from "./museum.ts";

let museum: Museum;

beforeAll(async () => {
  museum = await openMuseum();
});
afterEach(() => museum.check());
afterAll(() => museum.github.close());

const URL = `https://github.com/${NAME}/pull/1`;
const pull = (): Parameters<ReturnType<Museum["open"]>["checks"]>[0] => ({
  number: 1,
  url: URL,
  head: museum.repository.git.resolve("main") ?? "",
});

const run = (name: string, state: string, number: number): object => ({
  name,
  state,
  url: `https://github.com/octocat/hello/actions/runs/${number}`,
});

it("lists the runs of Actions and the commit statuses of a pull request", async () => {
  museum.github.world.runs.push(
    { name: "Check", status: "completed", conclusion: "success" },
    { name: "Build", status: "in_progress", conclusion: null },
    { name: "Preview", status: "completed", conclusion: "failure" },
    { name: "Deploy", status: "completed", conclusion: "skipped" },
    { name: "Fork", status: "completed", conclusion: "action_required" },
    { name: "Slow", status: "completed", conclusion: "timed_out" },
  );
  museum.github.world.statuses.push(
    { context: "ci/host", state: "pending", target_url: "https://ci.example.org/1" },
    { context: "ci/attack", state: "error", target_url: "javascript:alert(1)" },
    { context: "ci/plain", state: "success", target_url: null },
  );
  expect(await museum.open(TOKENS.writer).checks(pull())).toEqual({
    isHidden: false,
    url: `${URL}/checks`,
    checks: [
      run("Check", "passed", 1),
      run("Build", "running", 2),
      run("Preview", "failed", 3),
      run("Deploy", "skipped", 4),
      run("Fork", "waiting", 5),
      run("Slow", "failed", 6),
      { name: "ci/host", state: "running", url: "https://ci.example.org/1" },
      { name: "ci/attack", state: "failed", url: null },
      { name: "ci/plain", state: "passed", url: null },
    ],
  });
  const [runs] = museum.github.received;
  expect(runs?.url).toContain(`head_sha=${pull().head}`);
});

it("leaves a link if the token may read neither, and a part if it may read one", async () => {
  expect(await museum.open(TOKENS.reader).checks(pull())).toEqual({
    checks: [],
    isHidden: true,
    url: `${URL}/checks`,
  });
  museum.github.world.accounts.set("github_pat_statuses", { login: "mira", permissions: ["statuses:read"] });
  const { isHidden, checks } = await museum.open("github_pat_statuses").checks(pull());
  expect(isHidden).toBe(false);
  expect(checks.map(({ name }) => name)).toEqual(["ci/host", "ci/attack", "ci/plain"]);
});

it("reports a limit or a lost connection instead of hiding the checks", async () => {
  const store = museum.open(TOKENS.writer);
  const body = { message: "You have exceeded a secondary rate limit." };
  museum.github.plant({ operation: "actions/list-workflow-runs-for-repo", status: 403, body });
  await expect(store.checks(pull())).rejects.toThrow("GitHub accepts no more requests for now.");
  museum.github.plant({ operation: "repos/get-combined-status-for-ref", isLost: true });
  await expect(store.checks(pull())).rejects.toThrow("does not respond");
});
