import { describe, expect, it } from "vitest";
import { bucketAt } from "../../build/release/s3.ts";

const ENVIRONMENT = { AWS_ACCESS_KEY_ID: "AKIDEXAMPLE", AWS_SECRET_ACCESS_KEY: "secret" };
const SECRET = "hunter2";

/** The reason why an address or an environment is refused. */
function refusalOf(...args: Parameters<typeof bucketAt>): string {
  try {
    return `not refused: ${JSON.stringify(bucketAt(...args))}`;
  } catch (cause) {
    return (cause as Error).message;
  }
}

describe("a bucket's address", () => {
  it("has a prefix, an endpoint and credentials", () => {
    expect(bucketAt("s3://pages/a/b", "https://s3.example.org/below", ENVIRONMENT)).toMatchObject({
      bucket: "pages",
      prefix: "a/b/",
      accessKeyId: "AKIDEXAMPLE",
      secretAccessKey: "secret",
    });
  });

  it.each(["s3://b/p", "s3://Pages", "s3://pages/.."])(
    "is refused as %s, with the form of a name",
    (address) => {
      expect(refusalOf(address, undefined, ENVIRONMENT)).toMatch(/3 to 63 lowercase letters/);
    },
  );

  it.each(
    ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_REGION"].flatMap((name) =>
      [`${SECRET}\n`, `${SECRET}\r\nX-Header: 1`, `${SECRET} `, `${SECRET}\0`, `${SECRET}é`].map(
        (value) => [name, value] as const,
      ),
    ),
  )("is refused with %s=%j, which is not repeated", (name, value) => {
    const message = refusalOf("s3://pages", undefined, { ...ENVIRONMENT, [name]: value });
    expect(message).toMatch(new RegExp(`^${name} contains a line break`));
    expect(message).not.toContain(SECRET);
  });

  it.each([
    [`https://user:${SECRET}@s3.example.org`, /without user and password/],
    [`https://${SECRET}@s3.example.org`, /without user and password/],
    [`https://:${SECRET}@s3.example.org/below`, /without user and password/],
    [`ftp://user:${SECRET}@s3.example.org`, /begins with http/],
    [`user:${SECRET}@s3.example.org`, /begins with http/],
    [`https://user:${SECRET}#1@s3.example.org`, /begins with http/],
    [`https://s3.example.org/?key=${SECRET}`, /without “\?” and “#”/],
    [`https://s3.example.org/#${SECRET}`, /without “\?” and “#”/],
  ])("is refused with the endpoint %s, whose secret is not repeated", (endpoint, reason) => {
    for (const message of [
      refusalOf("s3://pages", endpoint, ENVIRONMENT),
      refusalOf("s3://pages", undefined, { ...ENVIRONMENT, AWS_ENDPOINT_URL: endpoint }),
    ]) {
      expect(message).toMatch(reason);
      expect(message).not.toContain(SECRET);
    }
  });

  it("is refused if it contains credentials, which are not printed", () => {
    const message = refusalOf(`s3://AKID:${SECRET}@pages`, undefined, ENVIRONMENT);
    expect(message).toMatch(/^--bucket: expected/);
    expect(message).not.toContain(SECRET);
  });
});
