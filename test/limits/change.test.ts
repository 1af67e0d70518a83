import { expect, it } from "vitest";
import { unreadByCloudflare } from "../../build/change/redirects.ts";
import { retire } from "../../build/change/page-actions.ts";
import { runHere } from "../command.ts";
import { general, page, SITE, workplace, write } from "../site/site.ts";

it("redirects for Cloudflare have a warning from 2,001 rules on", () => {
  const lines = ["# gone: /x/", ...Array.from({ length: 2000 }, (_, k) => `/${k}/ / 301`)];
  expect(unreadByCloudflare(lines)).toBeUndefined();
  expect(unreadByCloudflare([...lines, "/x / 301"])).toMatch(/2,000 of these 2,001/);
});

const referring = (count: number): string => {
  const { content } = workplace("references");
  const fields = { next: { kind: "page?" } };
  write(content, "_site.json", SITE);
  write(content, "_types.json", { types: { "standardpages.GeneralPage": { fields } } });
  write(content, "index.json", page(1, "home.HomePage", "Home"));
  write(content, "visit.json", general(2, "Visit"));
  for (let k = 0; k < count; k++) write(content, `${k}.json`, { ...general(10 + k, "A"), next: 2 });
  return content;
};

it("5 places that refer to a retired page are listed", () => {
  const LISTED = /(?:\n.*refers to the page 2){5}\n/;
  expect(() => retire(referring(5), "visit", undefined)).toThrow(new RegExp(`${LISTED.source}Change`));
  expect(() => retire(referring(6), "visit", undefined)).toThrow(
    new RegExp(`${LISTED.source} {2}and 1 more place\nChange`),
  );
});

it("20 files with a renamed field are listed", async () => {
  const rename = ["--rename-field", "standardpages.GeneralPage.next", "--to", "after"];
  const printed = async (count: number): Promise<string> =>
    (await runHere("fix", ["--content", referring(count), ...rename])).stdout;
  // With _types.json.
  expect(await printed(19)).not.toContain("more files");
  expect(await printed(20)).toContain("and 1 more file");
});
