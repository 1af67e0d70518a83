import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { PublishConflict } from "../../build/release/publish.ts";
import { readRelease, releaseKey, type Pointer, Unavailable } from "../../build/release/format.ts";
import { checkRelease, downloadRelease } from "../../build/release/releases.ts";
import { shardKey } from "../../build/outputs/shards/format.ts";
import { treeOf } from "../files.ts";
import type { Workplace } from "../site/site.ts";
import { openBucket, refused, type TestBucket } from "./s3.ts";
import { beforePointer, requestFor, deploy, open, reader, site, titleIn, writePage } from "./site.ts";

let bucket: TestBucket;
let place: Workplace;

beforeAll(() => {
  place = site("publish");
});

beforeEach(async () => {
  bucket = await openBucket();
  return () => bucket.close();
});

const count = (method: string, key = /./): number =>
  bucket.requests.filter((one) => one.method === method && key.test(one.key)).length;

const pointer = (): Promise<Pointer> => bucket.pointer();

/** The title of a page in the bucket, by the current pointer. */
const titleOf = (id: number): Promise<unknown> => titleIn(bucket.store, id);

describe("publishing to a bucket", () => {
  it("uploads shards, files, the release and the pointer, and then the pages are served byte for byte", async () => {
    const { release, pages, put, kept } = await deploy(place, bucket);
    expect(await pointer()).toEqual({ format: 2, release, former: [], then: [] });
    // Two more requests try the store's conditional writes on the release, and the store refuses them.
    expect({ put, kept }).toEqual({ put: count("PUT") - 2, kept: 0 });
    expect(count("PUT", /^releases/)).toBe(3);
    expect(bucket.requests.findLast(({ method }) => method === "PUT")?.key).toBe("current.json");
    expect(count("PUT", /^shards\//)).toBe(4);
    expect(pages).toBeGreaterThan(400);
    const { store } = bucket;
    for (const id of [1, 31, 1000, 1399]) {
      const { body } = await reader(store).respond(requestFor(`/api/v2/pages/${id}/`));
      expect(Buffer.from(body as Uint8Array)).toEqual(
        readFileSync(join(place.out, `api/v2/pages/${id}/index.json`)),
      );
    }
  });

  it("uploads only the shards of changed pages, reads only the pointer and its release, and lists no objects", async () => {
    const first = await deploy(place, bucket);
    writePage(place, 1004, "Changed");
    bucket.requests.length = 0;
    const { put, release } = await deploy(place, bucket);
    expect(put).toBe(3);
    expect(bucket.requests.map(({ method, key }) => `${method} ${key.split("/")[0]}`).sort()).toEqual([
      "GET current.json",
      "GET releases",
      "PUT current.json",
      "PUT releases",
      "PUT shards",
    ]);
    expect(await pointer()).toEqual({ format: 2, release, former: [first.release], then: [] });
    expect(await titleOf(1004)).toBe("Changed");
    expect(await titleOf(1005)).toBe("Page 1005");
  });

  it("includes the changes of builds in between", async () => {
    const { build } = await import("../../build/site/build.ts");
    await deploy(place, bucket);
    writePage(place, 1010, "Between");
    await build(place);
    await build(place);
    expect((await deploy(place, bucket)).put).toBe(3);
    expect(await titleOf(1010)).toBe("Between");
  });

  it("uploads only the other files that changed, and the release has all of them", async () => {
    const browsed = { ...place, out: `${place.out}-browsed`, browse: true };
    await deploy(browsed, bucket);
    for (const title of ["Once more", "And again"]) {
      writePage(place, 1012, title);
      bucket.requests.length = 0;
      await deploy(browsed, bucket);
      const changed = count("PUT", /^files\//);
      expect(changed).toBeGreaterThan(0);
      expect(changed).toBeLessThan(10);
    }
    const { store } = bucket;
    const back = join(place.folder, "browsed-back");
    await downloadRelease(store, back, 4);
    const published = treeOf(browsed.out);
    for (const path of Object.keys(published)) if (path.startsWith(".")) delete published[path];
    expect(treeOf(back)).toEqual(published);
  });

  it("repairs a damaged release; with full, it uploads every object", async () => {
    const { release } = await deploy(place, bucket);
    const { store } = bucket;
    const { shards } = await readRelease(store, release);
    const keys = shards.flatMap((shard) => (shard === null ? [] : [shardKey(shard[0])]));
    await store.put(releaseKey(release), Buffer.from("{}"));
    await store.put(keys[0] ?? "", Buffer.from("PK"));
    await store.remove(keys[1] ?? "");
    expect(await deploy(place, bucket)).toMatchObject({ release, put: 2 });
    expect((await checkRelease(store, 4)).problems).toHaveLength(1);
    bucket.requests.length = 0;
    const { put } = await deploy({ ...place, full: true }, bucket);
    expect({ put, pointed: count("PUT", /^current/) }).toEqual({ put: count("PUT"), pointed: 0 });
    expect((await checkRelease(store, 4)).problems).toEqual([]);
  });

  it("makes the same release on another machine, and uploads none of it again", async () => {
    const { release } = await deploy(place, bucket);
    const other = { ...place, out: `${place.out}-other`, cache: `${place.cache}-other` };
    expect(await deploy(other, bucket)).toMatchObject({ release, put: 0 });
  });

  it("reports an error to the second of two simultaneous publishers, and leaves the first one's release", async () => {
    await deploy(place, bucket);
    const other = { ...place, out: `${place.out}-two`, cache: `${place.cache}-two` };
    let first: string | undefined;
    writePage(place, 1020, "Second");
    beforePointer(bucket, async () => {
      writePage(place, 1020, "First");
      first = (await deploy(other, bucket)).release;
    });
    await expect(deploy(place, bucket)).rejects.toThrow(PublishConflict);
    expect((await pointer()).release).toBe(first);
    expect(await titleOf(1020)).toBe("First");
  });

  it("succeeds if only the response was lost", async () => {
    let isLost = false;
    bucket.faults.after = ({ method, key }) => {
      if (method !== "PUT" || key !== "current.json" || isLost) return undefined;
      isLost = true;
      return "cut";
    };
    const { release } = await deploy(place, bucket);
    expect(await pointer()).toEqual({ format: 2, release, former: [], then: [] });
  });

  it.each([
    ["429", () => refused(429, "SlowDown")],
    ["500", () => refused(500, "InternalError")],
    ["a cut connection", () => "cut" as const],
    ["a transfer that stalls", () => "hang" as const],
    ["a body damaged in transit", () => refused(400, "XAmzContentSHA256Mismatch")],
  ])("continues after %s", async (_, fault) => {
    let number = 0;
    bucket.faults.before = ({ method }) => (method === "PUT" && number++ % 4 === 0 ? fault() : undefined);
    await deploy(place, bucket, open(bucket, { patience: 1000 }));
    expect(number).toBeGreaterThan(6);
    expect(await titleOf(1001)).toBe("Page 1001");
  });

  it("leaves the current release wherever it fails, and the next publisher uploads only missing objects", async () => {
    const first = await deploy(place, bucket);
    for (const id of [1000, 1001, 1002, 1003]) writePage(place, id, `New ${id}`);
    bucket.requests.length = 0;
    // Four shards and then the release; the pointer is never uploaded.
    for (let run = 0; run < 5; run++) {
      let puts = 0;
      bucket.faults.before = ({ method }) =>
        method === "PUT" && puts++ >= 1 ? refused(403, "AccessDenied") : undefined;
      await expect(deploy(place, bucket)).rejects.toThrow(Unavailable);
      expect((await pointer()).release).toBe(first.release);
      expect(await titleOf(1001)).not.toBe("New 1001");
    }
    bucket.faults = {};
    bucket.requests.length = 0;
    await deploy(place, bucket);
    expect(count("PUT", /^shards\//)).toBe(0);
    expect(await titleOf(1001)).toBe("New 1001");
  });

  it.each(["shards/", "files/", "releases/"])(
    "fails if the store refuses uploads to %s with 412",
    async (kind) => {
      const first = await deploy(place, bucket);
      writePage(place, 1030, `Refused ${kind}`);
      bucket.faults.before = ({ method, key }) =>
        method === "PUT" && key.startsWith(kind) ? refused(412, "PreconditionFailed") : undefined;
      const browsed = { ...place, browse: true };
      await expect(deploy(browsed, bucket)).rejects.toThrow(/responds to PUT .* with 412/);
      expect((await pointer()).release).toBe(first.release);
    },
  );

  it.each(["if-match", "if-none-match"])(
    "is refused if the store ignores %s, before the pointer changes",
    async (name) => {
      bucket.faults.before = ({ headers }) => void delete headers[name];
      await expect(deploy(place, bucket)).rejects.toThrow(/ignores If-Match/);
      expect(count("PUT", /^current/)).toBe(0);
      bucket.faults = {};
      await deploy(place, bucket);
      // There is only one attempt.
      bucket.requests.length = 0;
      writePage(place, 1031, `Tried ${name}`);
      await deploy(place, bucket);
      expect(count("PUT", /^releases/)).toBe(1);
    },
  );

  const damages: [string, (text: string) => string][] = [
    ["empty", () => ""],
    ["cut short", (text) => text.slice(0, -20)],
    ["not JSON", () => "<html>"],
    ["another value", () => "[]"],
    ["of another shape", (text) => text.replace('"release":"', '"release":"z')],
    ["without former releases", (text) => text.replace('"former"', '"farmer"')],
  ];
  it.each(damages)("repairs a pointer that is %s, and keeps the existing releases", async (_, damage) => {
    const first = await deploy(place, bucket);
    writePage(place, 1032, `Second ${Math.random()}`);
    const second = await deploy(place, bucket);
    const { store } = bucket;
    const found = await store.get("current.json");
    await store.put("current.json", Buffer.from(damage(Buffer.from(found?.bytes ?? []).toString())));
    writePage(place, 1032, `Third ${Math.random()}`);
    const warnings: string[] = [];
    const { release } = await deploy({ ...place, warn: (line) => warnings.push(line) }, bucket);
    expect(warnings).toEqual([expect.stringMatching(/^current\.json: .* It was replaced\./)]);
    const now = await pointer();
    expect(now.release).toBe(release);
    expect(now.former.sort()).toEqual([first.release, second.release].sort());
    expect((await checkRelease(store, 4)).problems).toEqual([]);
  });

  it("replaces the pointer of a newer version only with force", async () => {
    await deploy(place, bucket);
    const { store } = bucket;
    await store.put("current.json", Buffer.from('{"format": 3, "release": "", "then": []}'));
    await expect(deploy(place, bucket)).rejects.toThrow(/newer version/);
    const { release } = await deploy({ ...place, full: true }, bucket);
    expect((await pointer()).release).toBe(release);
  });

  const FRANCE = { "x-amz-bucket-region": "eu-west-3" };

  it.each([
    ["GET", refused(403, "AccessDenied"), /read current\.json, or has no such object .* s3:ListBucket\)\.$/],
    ["PUT", refused(403, "AccessDenied"), /does not let the key .* write .* s3:PutObject\)\.$/],
    ["GET", refused(403, "InvalidAccessKeyId"), /does not have the key in AWS_ACCESS_KEY_ID\. Set /],
    ["GET", refused(403, "SignatureDoesNotMatch"), /AWS_SECRET_ACCESS_KEY does not belong to .* Set both/],
    ["GET", refused(400, "ExpiredToken"), /token in AWS_SESSION_TOKEN: it has expired.* Get new credentials/],
    ["GET", refused(403, "RequestTimeTooSkewed"), /clock is wrong .* Set the clock\.$/],
    [
      "GET",
      refused(400, "AuthorizationHeaderMalformed", "<Region>eu-west-3</Region>"),
      /is in the region eu-west-3, not us-east-1\. Set AWS_REGION=eu-west-3/,
    ],
    ["GET", refused(301, "PermanentRedirect", "", FRANCE), /is in the region eu-west-3, not us-east-1\. Set/],
    [
      "GET",
      refused(301, "PermanentRedirect", "<Endpoint>pages.s3.example.org</Endpoint>"),
      /at another address, pages\.s3\.example\.org\. Set it in AWS_ENDPOINT_URL/,
    ],
    ["GET", refused(400, "InvalidRegionName"), /refuses the region us-east-1 .* Set AWS_REGION/],
    ["GET", refused(400, "toString"), /responds to GET current\.json with 400 toString\.$/],
  ])("words the store's reason for a refusal of %s: %j", async (method, answered, expected) => {
    bucket.faults.before = (one) => (one.method === method ? answered : undefined);
    await expect(deploy(place, bucket)).rejects.toThrow(expected);
  });

  it.each([
    [501, "", /has no conditional requests \(If-Match, If-None-Match: 501\), .* Use a store/],
    [501, "<Error><Code>NotImplemented</Code></Error>", /has no conditional requests/],
  ])("words that the store has no conditional requests: %j %j", async (status, text, expected) => {
    bucket.faults.before = ({ headers }) =>
      "if-none-match" in headers || "if-match" in headers
        ? { status, headers: {}, body: Buffer.from(text) }
        : undefined;
    await expect(deploy(place, bucket)).rejects.toThrow(expected);
  });

  it.each([200, 404, 405])("words that its address is a web page, which responds with %j", async (status) => {
    const headers = { "Content-Type": "text/html; charset=utf-8" };
    bucket.faults.before = () => ({ status, headers, body: Buffer.from("<!DOCTYPE html>") });
    await expect(deploy(place, bucket)).rejects.toThrow(
      /responds with a web page .* --endpoint or AWS_ENDPOINT_URL/,
    );
  });

  it("words refusals of HEAD, which have no body", async () => {
    const { store } = bucket;
    for (const [status, headers, expected] of [
      [301, FRANCE, /region eu-west-3/],
      [403, {}, /read files\/a, or has no such object/],
    ] as const) {
      bucket.faults.before = () => ({ status, headers, body: Buffer.from("") });
      await expect(store.head("files/a")).rejects.toThrow(expected);
    }
  });
});
