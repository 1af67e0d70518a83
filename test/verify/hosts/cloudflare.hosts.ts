import { describe, expect, it } from "vitest";
import { hosts } from "../../../build/hosting/config/index.ts";
import { runSync } from "../../command.ts";
import { REQUESTS, shownIn, SOURCES, wanted } from "../../hosting/front-end-requests.ts";
import { bucketHosts, bucketWorker } from "../../release/hosts.ts";
import { placeWith } from "../../site/site.ts";
import { whileServed } from "./host-test.ts";
import { testHosts } from "./proven.ts";
import { FIXTURE_SITE } from "../../fixtures.ts";

/* Wrangler runs only once at a time, because it follows the files that another one writes in the project. */

const emulated = hosts.filter(({ configuration }) => configuration === undefined);
testHosts([...emulated, bucketWorker], 18_180);

describe("the lists of public front ends", () => {
  it.each([...emulated.filter(({ title }) => title === "Workers"), ...bucketHosts])(
    "are answered by $title",
    async (host) => {
      const { content } = placeWith(`front-ends-${host.name}`, SOURCES);
      const answers = await whileServed(host, { first: 18_580, content }, async (base) => {
        const found: object[] = [];
        for (const [target] of REQUESTS)
          found.push(shownIn((await (await fetch(new URL(target, base))).json()) as object));
        const tower = await fetch(new URL("/api/v2/pages/find/?html_path=/t%C5%B5r/", base));
        expect(await tower.json()).toMatchObject({ id: 61, meta: { slug: "tŵr" } });
        return found;
      });
      expect(answers).toEqual(REQUESTS.map(([, ids, fields]) => wanted(ids, fields)));
    },
  );
});

/** The fixture's own URLs are reserved for examples, so deploy would refuse them. */
const SITE = ["--content", FIXTURE_SITE, "--base-url", "https://api.aldermouth.museum"];

const deploy = (...args: string[]) => runSync("deploy", ["--dry-run", ...SITE, ...args]);

describe("npm run deploy -- --dry-run", () => {
  it("does everything except publish, with the Worker", () => {
    const { status, stdout } = deploy("--plan", "paid");
    expect(status).toBe(0);
    expect(stdout).toMatch(/^Would publish \d+ files \(100,000 on the paid plan\)$/m);
    expect(stdout).toContain("env.ASSETS");
    expect(stdout).toContain("--dry-run: exiting now.");
  });

  it("reports the limits without the Worker", () => {
    const { status, stdout } = deploy("--no-worker");
    expect(status).toBe(0);
    expect(stdout).toContain("OPTIONS gets 405");
    expect(stdout).toContain("No bindings found.");
  });
});
