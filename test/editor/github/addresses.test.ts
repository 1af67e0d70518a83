import { expect, it } from "vitest";
import { MAX_ADDRESS_BYTES, openOnGitHub, tokenAddress } from "../../../build/editor/github/client.ts";
import { branchName } from "../../../build/editor/github/propose.ts";

const REPOSITORY = {
  name: "aldermouth/pages",
  branch: "main",
  content: "content",
  web_url: "https://github.com",
  api_url: "https://api.github.com",
};
const now = (): number => Date.UTC(2026, 0, 5, 23, 59);
const WEB = "https://github.com/aldermouth/pages";

it("opens a new file with its name and text", () => {
  const after = '{\n  "title": "Ä & B + 100 % #1?"\n}\n';
  const { url, clipboard } = openOnGitHub(REPOSITORY, { file: "visit/new page.json", before: null, after });
  expect(clipboard).toBeNull();
  expect(url.startsWith(`${WEB}/new/main/content/visit?filename=new%20page.json&value=%7B%0A`)).toBe(true);
  const { searchParams } = new URL(url);
  expect([...searchParams]).toEqual([
    ["filename", "new page.json"],
    ["value", after],
  ]);
});

it("opens an existing file with its new text on the clipboard", () => {
  const change = { file: "visit/_Grüße #1.json", before: "{}", after: '{"id": 1}' };
  expect(openOnGitHub(REPOSITORY, change)).toEqual({
    url: `${WEB}/edit/main/content/visit/_Gr%C3%BC%C3%9Fe%20%231.json`,
    clipboard: '{"id": 1}',
  });
  expect(openOnGitHub(REPOSITORY, { ...change, after: null })).toEqual({
    url: `${WEB}/delete/main/content/visit/_Gr%C3%BC%C3%9Fe%20%231.json`,
    clipboard: null,
  });
});

it("puts a text that is too long for an address on the clipboard", () => {
  expect(MAX_ADDRESS_BYTES).toBe(8000);
  const open = (length: number): ReturnType<typeof openOnGitHub> =>
    openOnGitHub(REPOSITORY, { file: "a.json", before: null, after: "x".repeat(length) });
  const room = 8000 - `${WEB}/new/main/content?filename=a.json&value=`.length;
  expect(open(room)).toMatchObject({ clipboard: null });
  expect(open(room).url).toHaveLength(8000);
  expect(open(room + 1)).toEqual({
    url: `${WEB}/new/main/content?filename=a.json`,
    clipboard: "x".repeat(room + 1),
  });
  const half = openOnGitHub(REPOSITORY, { file: "a.json", before: null, after: "\ud800" });
  expect(half.clipboard).toBe("\ud800");
});

it.each([
  ["release/2026", "content", "release/2026/content"],
  ["a#b%c?d", "site/our pages", "a%23b%25c%3Fd/site/our%20pages"],
  ["main", "", "main"],
  ["main", ".", "main"],
  ["main", "./content/", "main/content"],
])("encodes the branch %s and the content folder %j", (branch, content, path) => {
  const repository = { ...REPOSITORY, branch, content };
  expect(openOnGitHub(repository, { file: "a.json", before: "", after: "" }).url).toBe(
    `${WEB}/edit/${path}/a.json`,
  );
  const { url } = openOnGitHub(repository, { file: "a.json", before: null, after: "" });
  expect(url).toBe(`${WEB}/new/${path}?filename=a.json&value=`);
});

it("names the permissions of a new token", () => {
  const enterprise = { ...REPOSITORY, web_url: "https://git.example.org" };
  expect(tokenAddress(enterprise, "fine-grained")).toBe(
    "https://git.example.org/settings/personal-access-tokens/new?name=Edit+aldermouth+pages&target_name=aldermouth&contents=write&pull_requests=write",
  );
  expect(tokenAddress(REPOSITORY, "classic")).toBe(
    "https://github.com/settings/tokens/new?description=Edit+aldermouth%2Fpages&scopes=public_repo",
  );
});

it.each([
  ["visit/access.json", "access"],
  ["visit/index.json", "visit"],
  ["index.json", "home"],
  ["_index.json", "home"],
  ["visit/_index.json", "visit"],
  ["_cafe.json", "cafe"],
  ["visit/_Grüße & 100 %.json", "gr-e-100"],
  ["_北斎.json", "page"],
  [`${"long-".repeat(20)}.json`, "long-long-long-long-long-long-long-long"],
])("names the branch of %s", (file, slug) => {
  const name = branchName(file, { now, random: (below) => below - 1, wait: () => Promise.resolve() });
  expect(name).toBe(`edit/2026-01-05-${slug}-zzzz`);
});
