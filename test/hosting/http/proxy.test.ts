import { expect, it } from "vitest";
import { Failure } from "../../../build/base/failure.ts";
import { proxyFor } from "../../../build/hosting/http/proxy.ts";

const PROXY = "http://proxy.example:3128";

it.each([
  ["http://pages.example/", { http_proxy: PROXY }, PROXY],
  ["http://pages.example/", { HTTP_PROXY: PROXY }, PROXY],
  ["https://pages.example/", { HTTP_PROXY: PROXY }, undefined],
  ["https://pages.example/", { HTTPS_PROXY: PROXY, ALL_PROXY: "http://other.example" }, PROXY],
  ["https://pages.example/", { all_proxy: PROXY }, PROXY],
  ["https://pages.example/", { https_proxy: "", HTTPS_PROXY: PROXY }, PROXY],
  ["https://pages.example/", { https_proxy: "proxy.example:3128" }, PROXY],
  ["https://pages.example/", { https_proxy: "https://proxy.example" }, "https://proxy.example"],
  ["http://localhost:3000/", { http_proxy: PROXY }, undefined],
  ["http://pages.localhost/", { http_proxy: PROXY }, undefined],
  ["http://127.0.0.2/", { http_proxy: PROXY }, undefined],
  ["http://[::1]:3000/", { http_proxy: PROXY }, undefined],
  ["http://0.0.0.0:3000/", { http_proxy: PROXY }, undefined],
])("the proxy for %s with %j is %s", (url, environment, proxy) => {
  expect(proxyFor(new URL(url), environment)?.origin).toBe(proxy);
});

it.each([
  ["*", "http://pages.example/", true],
  ["other.example, pages.example", "http://pages.example/", true],
  ["other.example pages.example", "http://pages.example/", true],
  ["EXAMPLE", "http://pages.example/", true],
  [".example", "http://pages.example/", true],
  ["*.pages.example", "http://api.pages.example/", true],
  ["ages.example", "http://pages.example/", false],
  ["pages.example.org", "http://pages.example/", false],
  ["pages.example:8080", "http://pages.example:8080/", true],
  ["pages.example:8080", "http://pages.example/", false],
  ["pages.example:80", "http://pages.example/", true],
  ["pages.example:443", "https://pages.example/", true],
  ["10.1.2.3", "http://10.1.2.3/", true],
  ["2.3", "http://10.1.2.3/", false],
  ["10.0.0.0/8", "http://10.1.2.3/", true],
  ["10.0.0.0/8", "http://11.1.2.3/", false],
  ["10.0.0.0/99, fd00::/8", "http://10.1.2.3/", false],
  ["fd00::/8", "http://[fd00::1]/", true],
  ["[fd00::1]", "http://[fd00::1]/", true],
  ["fd00::1", "http://[fd00::1]:8080/", true],
  [" , ", "http://pages.example/", false],
])("NO_PROXY=%j excepts %s: %s", (no_proxy, url, isExcepted) => {
  const environment = { all_proxy: PROXY, no_proxy };
  expect(proxyFor(new URL(url), environment) === undefined).toBe(isExcepted);
});

it.each(["socks5://proxy.example:1080", "http://", "no proxy"])("refuses the proxy %s", (HTTPS_PROXY) => {
  const refused = (): unknown => proxyFor(new URL("https://pages.example/"), { HTTPS_PROXY });
  expect(refused).toThrow(Failure);
  expect(refused).toThrow("HTTPS_PROXY");
});
