import { Failure } from "../base/failure.ts";

export interface Bucket {
  endpoint: URL;
  bucket: string;
  /** Empty, or with a slash at its end. */
  prefix: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

const ADDRESS = /^s3:\/\/([a-z\d][a-z\d.-]{1,61}[a-z\d])(?:\/([\w.-]+(?:\/[\w.-]+)*))?\/?$/;

/** The bucket and the prefix of `s3://BUCKET[/PREFIX]`. @throws Failure */
function parseAddress(address: string): Pick<Bucket, "bucket" | "prefix"> {
  const [, bucket, prefix] = ADDRESS.exec(address) ?? [];
  const parts = prefix?.split("/") ?? [];
  if (bucket === undefined || parts.includes(".") || parts.includes(".."))
    throw new Failure(
      `--bucket: expected s3://BUCKET or s3://BUCKET/PREFIX, found ${withoutSecrets(address)}.`,
    );
  return { bucket, prefix: prefix === undefined ? "" : `${prefix}/` };
}

/** An address for a message: without its user and password. */
const withoutSecrets = (address: string): string => address.replace(/^([\w+.-]*:\/*)?.*@/s, "$1…@");

/** The characters of a credential or a region: it becomes part of a header. */
const CREDENTIAL = /^[\x21-\x7e]+$/;

/** @throws Failure if an address is wrong, or if the environment has no valid credentials. */
export function bucketAt(
  address: string,
  endpoint: string | undefined,
  environment: NodeJS.ProcessEnv,
): Bucket {
  const named = (name: string): string | undefined => environment[name] || undefined;
  const credential = (name: string): string | undefined => {
    const value = named(name);
    // The value is a secret, so the message does not contain it.
    if (value !== undefined && !CREDENTIAL.test(value))
      throw new Failure(
        `${name} contains a line break, a space or another character that no credential has. Set it again without that character.`,
      );
    return value;
  };
  const place = parseAddress(address);
  const region = credential("AWS_REGION") ?? credential("AWS_DEFAULT_REGION");
  const [option, host] =
    endpoint === undefined
      ? (["AWS_ENDPOINT_URL", named("AWS_ENDPOINT_URL")] as const)
      : (["--endpoint", endpoint] as const);
  const url = endpointOf(option, host ?? `https://s3.${region ?? "us-east-1"}.amazonaws.com`);
  const accessKeyId = credential("AWS_ACCESS_KEY_ID");
  const secretAccessKey = credential("AWS_SECRET_ACCESS_KEY");
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw new Failure(
      "The bucket needs credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (docs/hosting.md).",
    );
  const sessionToken = credential("AWS_SESSION_TOKEN");
  return {
    ...place,
    endpoint: url,
    region: region ?? (url.hostname.endsWith(".r2.cloudflarestorage.com") ? "auto" : "us-east-1"),
    accessKeyId,
    secretAccessKey,
    ...(sessionToken && { sessionToken }),
  };
}

/** @throws Failure if it is not an address, or contains a user, password, query or fragment. */
function endpointOf(option: string, host: string): URL {
  const url = URL.canParse(host) ? new URL(host) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new Failure(
      `${option}: expected an address that begins with http:// or https://, found ${withoutSecrets(host)}.`,
    );
  if (url.username !== "" || url.password !== "")
    throw new Failure(
      `${option}: expected an address without user and password, found ${withoutSecrets(host)}. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY instead.`,
    );
  if (url.search !== "" || url.hash !== "")
    throw new Failure(`${option}: expected an address without “?” and “#”. Leave out the part after it.`);
  return url;
}
