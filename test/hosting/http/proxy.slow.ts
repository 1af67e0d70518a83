import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { run } from "../../command.ts";
import { serveFolder } from "../../exchange/mirror/host.ts";
import { built, place, type Place } from "../../exchange/api/site.ts";
import { SMALL_SITE, writeSite } from "../../site/site.ts";
import { openBucket } from "../../release/s3.ts";
import { runHost } from "../../verify/good-host.ts";
import { cert } from "../../verify/self-signed.ts";
import { runProxy, type TestProxy } from "./proxy.ts";

/** Commands behind a proxy: only the proxy knows the host name. */
describe.each(["http", "https"])("a host with %s behind a proxy", (protocol) => {
  const address = `${protocol}://pages.museum.example`;
  let at: Place;
  let out = "";
  let proxy: TestProxy | undefined;
  const closing: (() => Promise<void>)[] = [];
  beforeEach(async () => {
    at = place();
    writeFileSync(join(at.folder, "cert.pem"), cert);
    writeSite(join(at.folder, "sources"), SMALL_SITE);
    out = await built(at, join(at.folder, "sources"), join(at.folder, "public"));
  });
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
    at.remove();
  });

  const behind = async (url: string | URL, close: () => Promise<void>): Promise<NodeJS.ProcessEnv> => {
    closing.push(close);
    proxy = await runProxy(Number(new URL(url).port));
    closing.push(proxy.close);
    const name = `${protocol.toUpperCase()}_PROXY`;
    return { [name]: proxy.url, NODE_EXTRA_CA_CERTS: join(at.folder, "cert.pem"), NO_PROXY: "other.example" };
  };
  const served = async (): Promise<NodeJS.ProcessEnv> => {
    const host = await serveFolder(out);
    return behind(host.url, host.close);
  };
  const expectProxied = (path: string): void =>
    expect(proxy?.requested).toContain(
      protocol === "http" ? `GET ${address}${path}` : "CONNECT pages.museum.example:443",
    );

  it("is imported", async () => {
    const env = await served();
    const args = [address, "--content", at.content, "--ids", "1-40"];
    expect(await run("import", args, { env })).toMatchObject({ stderr: "", status: 0 });
    expect(existsSync(join(at.content, "index.json"))).toBe(true);
    expectProxied("/api/v2/pages/1/");
  });

  it("is verified, also with bare requests", async () => {
    const host = await runHost();
    const env = await behind(host.url, host.close);
    const args = [address, "--site", at.folder, "--id", "2", "--accept", "detail-url"];
    const { status, stdout } = await run("verify", args, { env });
    expect(stdout).not.toContain("FAILED");
    expect(status).toBe(0);
    expectProxied("/api/v2/pages/2/");
  });

  it("has a bucket that is published to", async () => {
    const bucket = await openBucket();
    const env = { ...bucket.environment, ...(await behind(bucket.endpoint, bucket.close)) };
    const args = ["--bucket", bucket.address, "--content", join(at.folder, "sources"), "--endpoint", address];
    const more = [
      "--out",
      join(at.folder, "deployed"),
      "--base-url",
      "https://api.pages.org",
      "--notify",
      `${address}/hook`,
    ];
    const ended = await run("deploy", [...args, ...more], { env });
    expect(ended).toMatchObject({
      status: 0,
      stderr: expect.stringContaining("was not notified: status") as string,
    });
    expect(bucket.requests.some(({ key }) => key === "current.json")).toBe(true);
    expectProxied("/pages/current.json");
  });

  it("is not reached with wrong credentials: exit status 2, and the message names the proxy", async () => {
    const env = await served();
    const name = `${protocol.toUpperCase()}_PROXY`;
    const wrong = { ...env, [name]: env[name]?.replace("museum:", "other:") };
    const args = [address, "--content", at.content, "--ids", "1"];
    const ended = await run("import", args, { env: wrong });
    expect(ended).toMatchObject({ status: 2, stdout: "" });
    expect(ended.stderr).toContain("407");
    expect(ended.stderr).toMatch(/proxy/);
  });
});
