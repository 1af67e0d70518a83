import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { METHOD_NOT_ALLOWED, NOT_FOUND } from "../../build/hosting/paths.ts";
import { parseHeaders, type HeaderRule } from "../../build/hosting/headers.ts";
import { configuredHosts } from "../../build/hosting/config/index.ts";
import { UNQUOTABLE } from "../../build/hosting/config/host.ts";
import { parseListen, printListen } from "../../build/hosting/listen.ts";
import { PROGRAM_HEADERS } from "../../build/base/folders.ts";

/** Not `serve`, whose instructions contain its address, and which serves only the pages. */
const servers = configuredHosts.filter(({ configuration }) => configuration.instructions === undefined);
const { rules } = parseHeaders(readFileSync(PROGRAM_HEADERS, "utf8"), "_headers");
const [api] = rules;
const options = (given: HeaderRule[]) => ({
  root: "/srv/a b/public",
  listen: { address: "127.0.0.1", port: 8123 },
  rules: given,
});

describe.each(configuredHosts)("the configuration of $title", ({ name, configuration: { print } }) => {
  it("contains every header of _headers, and no other", () => {
    const text = print(options(rules));
    for (const { name: header, value } of api?.headers ?? []) {
      expect(text).toContain(header);
      expect(text).toContain(value);
    }
    const other = print(
      options([{ ...rules[0]!, headers: [{ ...rules[0]!.headers[0]!, name: "X-Only", value: "one" }] }]),
    );
    expect(other).toContain("X-Only");
    for (const { value } of (api?.headers ?? []).filter(
      ({ value: of }) => of.length > 6 && of !== "application/json",
    ))
      expect(other).not.toContain(value);
  });

  it("quotes the folder", () => {
    const text = print(options(rules));
    expect(text).toMatch(/"\/srv\/a b\/public(\/api\/v2\/pages\/)?"/);
  });

  it("escapes quotes and percent signs", () => {
    const value = `say "hi" 100%`;
    const odd = { ...rules[0]!, headers: [{ ...rules[0]!.headers[0]!, name: "X-Odd", value }] };
    const percent = name === "apache" ? "%%" : "%";
    expect(print(options([odd]))).toContain(`say \\"hi\\" 100${percent}`);
  });
});

describe.each(servers)("the configuration of $title, a server", ({ configuration: { print } }) => {
  it("listens on the given port", () => {
    expect(print(options(rules))).toContain("8123");
    const six = print({ ...options(rules), listen: { address: "::1", port: 80 } });
    expect(six).toContain("::1");
  });
});

describe("the facts that the configurations contain", () => {
  it("include the exact bodies of the errors", () => {
    expect(NOT_FOUND).toBe('{"message": "No Page matches the given query."}');
    expect(METHOD_NOT_ALLOWED).toBe('{"detail": "Method not allowed."}');
  });

  it.each(["127.0.0.1:1", "0.0.0.0:65535", "[::1]:8080", "[2001:db8::7]:443", "[::ffff:1.2.3.4]:80"])(
    "listens at %s",
    (text) => {
      const listen = parseListen(text);
      expect(listen && printListen(listen)).toBe(text);
    },
  );

  it.each([
    ..." :80 80 localhost:80 127.0.0.1 127.0.0.1:0 127.0.0.1:65536 127.0.0.1:08080x 127.0.0.1:-1 256.0.0.1:80".split(
      " ",
    ),
    ..."::1:80 [::1] [fe80::1%eth0]:80 [127.0.0.1]:80 127.0.0.1:80; 127.0.0.1:1e3 1.2.3:80 \uff11.1.1.1:80".split(
      " ",
    ),
    "127.0.0.1:80\n",
  ])("does not listen at %j", (text) => {
    expect(parseListen(text)).toBeUndefined();
  });

  it.each(['"', "\\", "$", "`", "{", "}", "*", "?", "[", "]", "\n", "\r", "\t", "\0", "\u007f", "\u0085"])(
    "refuses %j in the name of a folder",
    (character) => expect(UNQUOTABLE.test(`/srv/${character}/public`)).toBe(true),
  );

  it.each([" ", "'", "#", ";", "%", "é", "(", "~", ",", "&", "|", "<", "^", ":", "@"])(
    "accepts %j in the name of a folder",
    (character) => expect(UNQUOTABLE.test(`/srv/${character}/public`)).toBe(false),
  );
});
