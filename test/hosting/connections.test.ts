import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { PROGRAM_HEADERS } from "../../build/base/folders.ts";
import { hintOf } from "../../build/findings/finding.ts";
import { checkConnections } from "../../build/hosting/connections.ts";
import { headersIn } from "../../build/hosting/conformance.ts";

const OWN = readFileSync(PROGRAM_HEADERS, "utf8");

const repository = (api_url = "https://api.github.com") => ({
  name: "aldermouth/pages",
  branch: "main",
  content: "content",
  web_url: "https://github.com",
  api_url,
});

const found = (text: string, api?: string) =>
  checkConnections(headersIn(text, "_headers").rules, { repository: repository(api) });

/** The project's file with another source in `connect-src`. */
const withSource = (source: string) => OWN.replaceAll("connect-src 'self'", `connect-src 'self' ${source}`);

describe("connect-src of a site with a repository", () => {
  it("must be the line of the finding's hint, in every block of the browse UI", () => {
    const findings = found(OWN);
    expect(findings.map(({ place: { line } }) => OWN.split("\n")[line - 1]?.trim().slice(0, 31))).toEqual(
      Array.from({ length: 3 }, () => "Content-Security-Policy: defaul"),
    );
    const lines = OWN.split("\n");
    for (const finding of findings)
      lines[finding.place.line - 1] = `  ${hintOf(finding).replace("Write: ", "")}`;
    expect(found(lines.join("\n"))).toEqual([]);
    expect(lines.join("\n")).toBe(withSource("https://api.github.com"));
  });

  it.each(["https://api.github.com", "https://api.github.com/", "HTTPS://api.github.com", "https:", "*"])(
    "may have %s",
    (source) => expect(found(withSource(source))).toEqual([]),
  );

  it.each(["http://api.github.com", "https://github.com", "https://api.github.com:8443", "http:"])(
    "needs more than %s",
    (source) => expect(found(withSource(source))).toHaveLength(3),
  );

  it("defaults to default-src, and to every source if there is no policy", () => {
    const without = OWN.replaceAll(" connect-src 'self';", "");
    const [first] = found(without);
    expect(first && hintOf(first)).toMatch(/; connect-src 'self' https:\/\/api\.github\.com$/);
    expect(found(without.replaceAll("default-src 'none'", "default-src https:"))).toEqual([]);
    expect(found(OWN.replaceAll(/^ {2}Content-Security-Policy: .*\n/gm, ""))).toEqual([]);
    const none = OWN.replaceAll("connect-src 'self'", "connect-src 'none'");
    const [other] = found(none);
    expect(other && hintOf(other)).toContain("connect-src https://api.github.com;");
  });

  it("must allow the origin of the repository's API, also on Enterprise Server", () => {
    const api = "https://git.example.org:8443/api/v3";
    expect(found(withSource("https://git.example.org:8443"), api)).toEqual([]);
    expect(found(withSource("https://git.example.org"), api)).toHaveLength(3);
  });

  it("is not checked without a repository", () => {
    expect(checkConnections(headersIn(OWN, "_headers").rules, {})).toEqual([]);
  });
});
