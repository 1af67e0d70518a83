import { Failure } from "../base/failure.ts";

/** Where a bucket is, and who may use it. */
export interface Bucket {
  endpoint: URL;
  bucket: string;
  /** Empty, or with a slash at its end. */
  prefix: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken: string | undefined;
}

const ADDRESS = /^s3:\/\/([a-z\d][a-z\d.-]{1,61}[a-z\d])(?:\/([\w.-]+(?:\/[\w.-]+)*))?\/?$/;

/** The bucket and the prefix of `s3://BUCKET[/PREFIX]`. @throws Failure */
export function parseAddress(address: string): Pick<Bucket, "bucket" | "prefix"> {
  const [, bucket, prefix] = ADDRESS.exec(address) ?? [];
  const parts = prefix?.split("/") ?? [];
  if (bucket === undefined || parts.includes(".") || parts.includes(".."))
    throw new Failure(`--bucket: expected s3://BUCKET or s3://BUCKET/PREFIX, found ${address}.`);
  return { bucket, prefix: prefix === undefined ? "" : `${prefix}/` };
}

/** @throws Failure where an address is wrong or the environment has no credentials. */
export function bucketAt(
  address: string,
  endpoint: string | undefined,
  environment: NodeJS.ProcessEnv,
): Bucket {
  const named = (name: string): string | undefined => environment[name] || undefined;
  const place = parseAddress(address);
  const region = named("AWS_REGION") ?? named("AWS_DEFAULT_REGION");
  const [option, host] =
    endpoint === undefined ? ["AWS_ENDPOINT_URL", named("AWS_ENDPOINT_URL")] : ["--endpoint", endpoint];
  if (host !== undefined && !(URL.canParse(host) && /^https?:$/.test(new URL(host).protocol)))
    throw new Failure(`${option}: expected an address that begins with http:// or https://, found ${host}.`);
  const url = new URL(host ?? `https://s3.${region ?? "us-east-1"}.amazonaws.com`);
  const [accessKeyId, secretAccessKey] = [named("AWS_ACCESS_KEY_ID"), named("AWS_SECRET_ACCESS_KEY")];
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw new Failure(
      "The bucket needs credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (docs/releases.md).",
    );
  return {
    ...place,
    endpoint: url,
    region: region ?? (url.hostname.endsWith(".r2.cloudflarestorage.com") ? "auto" : "us-east-1"),
    accessKeyId,
    secretAccessKey,
    sessionToken: named("AWS_SESSION_TOKEN"),
  };
}
