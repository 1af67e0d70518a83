import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import type { GitHubSettings } from "../../../build/editor/github/store.ts";
import type { FileChange } from "../../../build/change/change.ts";
import { StoreFailure } from "../../../build/editor/store.ts";
import { listening } from "../../listening.ts";
import { changed } from "./git.ts";
import { CHANGE, NAME, openMuseum, PROPOSAL, TOKENS, type Museum } from "./museum.ts";
import type { Fault } from "./stand-in.ts";

let museum: Museum;

beforeAll(async () => {
  museum = await openMuseum();
});
afterEach(() => {
  // A later test proposes the same change, and would find the pull request.
  for (const pull of museum.github.world.pulls) pull.state = "closed";
  museum.check();
});
afterAll(() => museum.github.close());

const NOW = Date.UTC(2026, 10, 23, 9, 30);
/** A time of day in the time zone of the computer. */
const clock = (milliseconds: number) => new Date(milliseconds).toTimeString().slice(0, "09:30".length);

const said = (message: string, errors?: object[]): object => ({
  message,
  documentation_url: "https://docs.github.com/rest",
  ...(errors === undefined ? {} : { errors }),
});

/** Proposes a change with planted faults; checks that no branch is left and the change stays. @returns the message */
async function failure(token: string, ...faults: Fault[]): Promise<string> {
  const { github, repository } = museum;
  const store = museum.open(token, { now: () => NOW }, [CHANGE]);
  for (const fault of faults) github.plant(fault);
  const pulls = github.world.pulls.length;
  const branches = [...repository.git.branches.keys()];
  const thrown: unknown = await store.propose(PROPOSAL).catch((cause: unknown) => cause);
  expect(thrown).toBeInstanceOf(StoreFailure);
  expect(store.changes).toEqual([CHANGE]);
  expect(github.world.pulls).toHaveLength(pulls);
  expect([...repository.git.branches.keys()]).toEqual(branches);
  return (thrown as StoreFailure).message;
}

const REQUESTS = `users/get-authenticated repos/get git/get-ref git/get-commit repos/get-content git/get-tree
  git/create-blob git/create-tree git/create-commit git/create-ref pulls/create`.split(/\s+/);

it("leaves no branch and no pull request, whichever request fails", async () => {
  for (const operation of REQUESTS) {
    expect(await failure(TOKENS.writer, { operation, status: 502, body: "<h1>Bad gateway</h1>" })).toContain(
      "status 502",
    );
    expect(museum.github.operations).toContain(operation);
    museum.github.reset();
  }
});

it("reports a connection that is lost on the way", async () => {
  for (const operation of ["users/get-authenticated", "git/create-tree", "pulls/create"])
    expect(await failure(TOKENS.writer, { operation, isLost: true })).toBe(
      `${new URL(museum.settings.api_url).host} does not respond. Check your connection, then try again.`,
    );
});

it.each<[string, string, Partial<Fault>, Partial<GitHubSettings>]>([
  ["in the repository", TOKENS.writer, {}, {}],
  ["in the repository, and every later response too", TOKENS.writer, { isLast: true }, {}],
  ["in a fork", TOKENS.forker, {}, {}],
  ["in a fork, and every later response too", TOKENS.forker, { isLast: true }, {}],
  [
    "in a browser, which repeats the request",
    TOKENS.writer,
    {},
    { fetch: (url, init) => fetch(url, init).catch(() => fetch(url, init)) },
  ],
])("opens exactly one pull request if a response is lost %s", async (_, token, fault, own) => {
  const { github, repository } = museum;
  const { pulls } = github.world;
  const propose = (changes: readonly FileChange[]): Promise<readonly FileChange[]> => {
    const store = museum.open(token, own, changes);
    return store.propose(PROPOSAL).then(
      () => store.changes,
      () => store.changes,
    );
  };
  const first = pulls.length;
  await propose([CHANGE]);
  const requests = github.operations.filter((operation) => /create|update/.test(operation));
  expect(requests.length).toBeGreaterThan(4);
  for (const operation of [...requests, "git/delete-ref"]) {
    for (const pull of pulls) pull.state = "closed";
    const before = pulls.length;
    github.reset();
    github.plant({ operation, isLost: true, isDone: true, ...fault });
    // Only a failure makes the editor remove the branch.
    if (operation === "git/delete-ref")
      github.plant({ operation: "pulls/create", status: 403, body: said("No.") });
    const left = await propose([CHANGE]);
    expect(github.operations).toContain(operation);
    github.reset();
    // As after a reload: another store has only the collected changes.
    expect(left.length === 0 ? left : await propose(left)).toEqual([]);
    const found = pulls.slice(before);
    expect(found).toMatchObject([{ state: "open" }]);
    const head = `refs/pull/${found[0]?.number}/head`;
    expect(changed(repository.git, "main", head)).toEqual(["A 000000→100644 content/visit/cloakroom.json"]);
  }
  const branches = [...github.world.repositories.values()].flatMap(({ git }) =>
    [...git.branches.keys()].flatMap((name) => (name.startsWith("edit/") ? [{ git, name }] : [])),
  );
  const left = new Set(branches.map(({ name }) => name));
  const proposed = pulls.slice(first).map(({ head }) => head.branch);
  expect(proposed.filter((name) => !left.has(name))).toEqual([]);
  // Without a connection, a branch cannot be removed.
  const unopened = [...left].filter((name) => !proposed.includes(name));
  expect(fault.isLast === true ? [] : unopened).toEqual([]);
  for (const { git, name } of branches) git.refs.delete(`refs/heads/${name}`);
});

it("finds a pull request that GitHub opens some seconds after the connection was lost", async () => {
  const { github, settings } = museum;
  const arrives = async (): Promise<void> => {
    const late = github.received.find(({ operation }) => operation === "pulls/create");
    const headers = { authorization: `Bearer ${TOKENS.writer}` };
    await fetch(settings.api_url + (late?.url ?? ""), { method: "POST", headers, body: late?.body ?? "" });
  };
  const store = museum.open(TOKENS.writer, { wait: arrives }, [CHANGE]);
  github.plant({ operation: "pulls/create", isLost: true });
  const { number, head } = await store.propose(PROPOSAL);
  const pull = github.world.pulls.at(-1);
  expect(pull).toMatchObject({ number, state: "open", head: { sha: head } });
  museum.repository.git.refs.delete(`refs/heads/${pull?.head.branch}`);
});

it("names a branch that it could not remove", async () => {
  const store = museum.open(TOKENS.writer, {}, [CHANGE]);
  museum.github.plant({ operation: "pulls/create", status: 403, body: said("No.") });
  museum.github.plant({ operation: "git/delete-ref", isLost: true });
  const { message } = (await store.propose(PROPOSAL).catch((cause: unknown) => cause)) as Error;
  const branch = [...museum.repository.git.branches.keys()].find((name) => name.startsWith("edit/"));
  expect(message).toMatch(/^GitHub refuses this in aldermouth\/pages: No\. /);
  expect(message).toContain(`The branch “${branch}” may be left in ${NAME}.`);
  museum.repository.git.refs.delete(`refs/heads/${branch}`);
});

it.each<[string, Omit<Fault, "operation">, string]>([
  [
    "401",
    { status: 401, body: said("Bad credentials") },
    "GitHub does not accept the access token: it has expired, has been revoked or is incomplete. Enter another token.",
  ],
  [
    "403",
    { status: 403, body: said("Must have write access.") },
    `GitHub refuses this in ${NAME}: Must have write access. Ask an administrator of the repository for the right to write.`,
  ],
  [
    "403 for a token",
    { status: 403, body: said("Resource not accessible by personal access token") },
    `The access token may not do this in ${NAME}. Give it the permissions “Contents” and “Pull requests”, both “Read and write”, for this repository.`,
  ],
  [
    "single sign-on",
    {
      status: 403,
      body: said("Resource protected by organization SAML enforcement."),
      headers: {
        "x-github-sso": "required; url=https://github.com/orgs/aldermouth/sso?authorization_request=A1",
      },
    },
    `The organization of ${NAME} requires single sign-on. Authorize the access token at https://github.com/orgs/aldermouth/sso?authorization_request=A1, then try again.`,
  ],
  [
    "the limit of requests",
    {
      status: 403,
      body: said("API rate limit exceeded for user ID 1."),
      headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(NOW / 1000 + 1800) },
    },
    `GitHub accepts no more requests for now. Try again after ${clock(NOW + 1_800_000)}.`,
  ],
  [
    "the secondary limit, with a time",
    { status: 403, body: said("You have exceeded a secondary rate limit"), headers: { "retry-after": "90" } },
    `GitHub accepts no more requests for now. Try again after ${clock(NOW + 120_000)}.`,
  ],
  [
    "the secondary limit, without a time",
    { status: 403, body: said("You have exceeded a secondary rate limit.") },
    `GitHub accepts no more requests for now. Try again after ${clock(NOW + 60_000)}.`,
  ],
  [
    "429",
    { status: 429, body: said("Too many requests"), headers: { "retry-after": "3600" } },
    `GitHub accepts no more requests for now. Try again after ${clock(NOW + 3_600_000)}.`,
  ],
  [
    "404",
    { status: 404, body: said("Not Found") },
    `${NAME} is not on HOST, or the access token may not read it. Check the token and “repository” in _site.json.`,
  ],
  ["409", { status: 409, body: said("Conflict") }, `${NAME} has just changed: Conflict. Try again.`],
  [
    "500",
    { status: 500, body: "" },
    "GitHub has a fault (status 500). Try again in some minutes; https://www.githubstatus.com lists known faults.",
  ],
  [
    "503",
    { status: 503, body: said("Service unavailable") },
    "GitHub has a fault (status 503). Try again in some minutes; https://www.githubstatus.com lists known faults.",
  ],
  [
    "a page of a network in between",
    { status: 200, body: "<h1>Sign in to the guest network</h1>" },
    "API does not respond as GitHub's API does. Check “repository.api_url” in _site.json, and whether your network requires a sign-in.",
  ],
])("says what to do after %s", async (_, fault, expected) => {
  const { api_url } = museum.settings;
  const message = expected.replace("HOST", new URL(api_url).host).replace(/^API/, api_url);
  museum.github.plant({ operation: "git/get-commit", ...fault });
  await expect(museum.open(TOKENS.writer, { now: () => NOW }).open(17)).rejects.toThrow(message);
});

it("repeats what GitHub finds wrong with a change", async () => {
  const body = said("Validation Failed", [
    { resource: "Blob", code: "custom", message: "content is not valid" },
  ]);
  expect(await failure(TOKENS.writer, { operation: "git/create-blob", status: 422, body })).toBe(
    `GitHub refuses the change: Validation Failed. content is not valid. Open the file on GitHub, or ask an administrator of ${NAME}.`,
  );
});

it.each([
  ["a rule", said("Repository rule violations found\n\nCannot create ref due to creations being restricted")],
  ["a protected branch", said("Cannot create a protected branch.")],
])("names the branches to allow if %s refuses the branch", async (_, body) => {
  const message = await failure(TOKENS.writer, { operation: "git/create-ref", status: 422, body });
  expect(message).toMatch(
    /^The rules of aldermouth\/pages refuse the change: .* Ask an administrator to allow branches with names that begin with “edit\/”\.$/,
  );
});

it("removes the branch if the pull request is refused", async () => {
  const refused = said("Validation Failed", [
    {
      resource: "PullRequest",
      code: "custom",
      message: "Draft pull requests are not supported in this repository.",
    },
  ]);
  const message = await failure(TOKENS.writer, { operation: "pulls/create", status: 422, body: refused });
  expect(message).toBe(
    `${NAME} has no draft pull requests. Correct the errors of the pages, then propose them again.`,
  );
});

it("names a repository, a branch or a folder that is not there, and an empty repository", async () => {
  const { settings, github } = museum;
  const open = (own: object, token?: string): Promise<unknown> =>
    museum.open(token, { repository: { ...settings, ...own } }).open(17);
  github.world.create("aldermouth/empty");
  github.world.create("aldermouth/secret", { isPrivate: true });
  const refused: [own: object, message: string, token?: string][] = [
    [{ name: "aldermouth/none" }, "or the access token may not read it", TOKENS.writer],
    [{ name: "aldermouth/secret" }, "or it can be read only with an access token"],
    [{ branch: "none" }, `${NAME} has no branch “none”. Check “repository.branch”`],
    [{ content: "pages" }, `${NAME} has no folder “pages”. Check “repository.content”`],
    [{ name: "aldermouth/empty" }, "aldermouth/empty has no commits. Push the project"],
  ];
  for (const [own, message, token] of refused) await expect(open(own, token)).rejects.toThrow(message);
  // The same failures if the published data contain the file.
  const live = (own: object) => museum.open(undefined, { repository: { ...settings, ...own } }).open(12);
  await expect(live({ name: "aldermouth/none" })).rejects.toThrow("is not on");
  await expect(live({ branch: "none" })).rejects.toThrow("has no branch “none”");
  await expect(live({ name: "aldermouth/empty" })).rejects.toThrow("has no commits");
});

it("reads without a token, shows that a token allows more requests, and proposes only with one", async () => {
  const store = museum.open(undefined, { now: () => NOW });
  expect((await store.open(12))?.file).toBe("visit/access.json");
  expect(museum.github.received.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  await store.save(CHANGE);
  await expect(store.propose(PROPOSAL)).rejects.toThrow("Enter an access token first.");
  const limit = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(NOW / 1000) };
  museum.github.plant({
    operation: "repos/get-content",
    status: 403,
    body: said("API rate limit exceeded"),
    headers: limit,
  });
  await expect(store.open(12)).rejects.toThrow("With an access token, it accepts more requests.");
});

it("follows no redirect, and sends the token to the API only", async () => {
  const other = vi.fn<() => void>();
  const { url: elsewhere, close } = await listening((_, response) => {
    other();
    response.end("{}");
  });
  for (const location of [elsewhere.href, `${museum.settings.api_url}/repositories/1`]) {
    museum.github.plant({
      operation: "repos/get-content",
      status: 301,
      body: said("Moved Permanently"),
      headers: { location },
    });
    await expect(museum.open(TOKENS.writer).open(12)).rejects.toThrow(
      `redirects requests for ${NAME}, which has probably been renamed. Change “repository” in _site.json.`,
    );
  }
  expect(museum.github.received).toHaveLength(2);
  expect(other).not.toHaveBeenCalled();
  // A name that contains another host stays part of the path.
  const name = "..%2f..@127.0.0.1/x?y#z";
  await museum
    .open(TOKENS.writer, { repository: { ...museum.settings, name } })
    .open(12)
    .catch(() => undefined);
  expect(museum.github.received.at(-1)?.url).toBe("/repos/..%252f..%40127.0.0.1/x%3Fy%23z");
  await close();
});

it("keeps the token out of addresses, bodies, messages and logs", async () => {
  const logged = (["log", "info", "warn", "error", "debug"] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation(() => undefined),
  );
  const token = TOKENS.writer;
  const store = museum.open(token, {}, [CHANGE]);
  await store.propose(PROPOSAL);
  museum.repository.git.refs.delete(`refs/heads/${museum.github.world.pulls.at(-1)?.head.branch}`);
  for (const { url, body, headers } of museum.github.received) {
    expect(url + body).not.toContain(token);
    const { authorization, ...others } = headers;
    expect(authorization).toBe(`Bearer ${token}`);
    expect(JSON.stringify(others)).not.toContain(token);
  }
  const echo = said(`You sent ${token}`);
  const deprecated = {
    deprecation: "true",
    sunset: "2027-01-01",
    link: `<https://example.org/?${token}>; rel="deprecation"`,
  };
  await store.save({ ...CHANGE, after: `${CHANGE.after}\n` });
  for (const fault of [
    { status: 403, body: echo },
    { status: 422, body: echo },
    { status: 500, body: token },
    { isLost: true },
  ]) {
    museum.github.plant({ operation: "git/create-blob", headers: deprecated, ...fault });
    const thrown = (await store.propose(PROPOSAL).catch((cause: unknown) => cause)) as Error;
    expect(thrown).toBeInstanceOf(StoreFailure);
    expect(thrown.message + thrown.stack + JSON.stringify(thrown) + String(thrown.cause)).not.toContain(
      token,
    );
  }
  expect(logged.flatMap(({ mock }) => mock.calls)).toEqual([]);
  for (const spy of logged) spy.mockRestore();
  expect(JSON.stringify(store)).not.toContain(token);
});

it("refuses a token that no header can contain, and removes spaces around one", async () => {
  for (const token of ["ghp_ä", "ghp_one ghp_two"])
    await expect(museum.open(token).client.access()).rejects.toThrow(
      "This is not an access token of GitHub.",
    );
  expect(museum.github.received).toEqual([]);
  const store = museum.open(` ${TOKENS.writer}\n`);
  expect(store.client.hasToken).toBe(true);
  expect(await store.client.access()).toEqual({ login: "mira", may: "push" });
  store.client.setToken(undefined);
  expect(store.client.hasToken).toBe(false);
  await expect(store.client.access()).rejects.toThrow("Enter an access token first.");
  store.client.setToken("ghp_unknown");
  await expect(store.client.access()).rejects.toThrow("GitHub does not accept the access token");
});

it("asks for the current file each time, although browsers may reuse a response", async () => {
  const caches: unknown[] = [];
  const spy: typeof fetch = (url, init) => {
    caches.push((init as { cache?: unknown }).cache);
    return fetch(url, init);
  };
  await museum.open(TOKENS.writer, { fetch: spy }).open(17);
  expect(new Set(caches)).toEqual(new Set(["no-store"]));
});

it("gives up a request after a minute", async () => {
  const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(AbortSignal.abort());
  await expect(museum.open(TOKENS.writer).open(12)).rejects.toThrow("does not respond");
  expect(timeout.mock.calls).toEqual([[60_000]]);
  timeout.mockRestore();
});
