import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { PROJECT } from "../../build/base/project.ts";
import { runHere } from "../command.ts";
import { openBucket } from "./s3.ts";
import { site } from "./site.ts";

it("deploy publishes and warns if its notice is refused three times", async () => {
  const bucket = await openBucket();
  const place = site("notify");
  let attempts = 0;
  const server = createServer((request, response) => {
    attempts++;
    request.resume();
    response.writeHead(500).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const hook = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const options = { cwd: PROJECT, env: bucket.environment };
  const args = ["--bucket", bucket.address, "--content", place.content, "--out", place.out];
  const deploy = () => runHere("deploy", [...args, "--notify", hook, "--reporter", "json"], options);
  try {
    const { status, stdout, stderr } = await deploy();
    expect(status).toBe(0);
    expect(stderr).toContain(`Warning: ${hook} was not notified: status 500`);
    expect(attempts).toBe(3);
    const { release } = JSON.parse(stdout) as { release: string };
    const listed = await runHere("releases", ["--bucket", bucket.address], options);
    expect(listed.stdout).toContain(release);
    // The second deploy changes nothing, so it sends no notice.
    expect((await deploy()).stderr).not.toContain("notified");
    expect(attempts).toBe(3);
  } finally {
    server.close();
    await bucket.close();
    place.remove();
  }
});
