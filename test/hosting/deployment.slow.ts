import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runDeployment } from "../../build/hosting/cloudflare/wrangler.ts";
import { scratch } from "../scratch.ts";

/** Longer than a busy machine takes to start a process, in milliseconds. */
const PATIENCE = 10_000;

/** Runs a script in place of wrangler. The script gets the path of a file for its state. */
async function deploy(source: string, patience = PATIENCE) {
  const folder = scratch("deployment");
  const program = join(folder, "program.mjs");
  writeFileSync(program, source);
  let printed = "";
  const stalls: number[] = [];
  const ended = await runDeployment(
    {
      site: folder,
      args: [join(folder, "state")],
      print: (text) => void (printed += text),
      patience,
      attempts: 3,
      program,
    },
    (attempt) => void stalls.push(attempt),
  );
  return { ended, printed, stalls };
}

describe("publishing with wrangler", () => {
  it("prints wrangler's output, and returns its exit status", async () => {
    expect(await deploy('console.log("Uploaded"); console.error("Failed"); process.exit(3);')).toMatchObject({
      ended: 3,
      printed: expect.stringMatching(/Uploaded[^]*Failed|Failed[^]*Uploaded/) as string,
      stalls: [],
    });
  });

  it("starts wrangler again if it stalls, and gives up after the last attempt", async () => {
    expect(await deploy("setInterval(() => {}, 1000);", 1000)).toMatchObject({
      ended: "stalled",
      stalls: [1, 2, 3],
    });
  });

  it("continues if the next attempt succeeds", async () => {
    const source = `
      import { existsSync, writeFileSync } from "node:fs";
      if (!existsSync(process.argv[2])) { writeFileSync(process.argv[2], ""); setInterval(() => {}, 1000); }
      else console.log("Published");`;
    expect(await deploy(source)).toMatchObject({ ended: 0, printed: "Published\n", stalls: [1] });
  });
});
