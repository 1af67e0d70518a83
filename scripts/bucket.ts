import { availableParallelism } from "node:os";
import { bucketAt } from "../build/release/address.ts";
import { openS3, PUBLISHING, type S3 } from "../build/release/s3.ts";
import { CommandError } from "./command.ts";

/** The options of every command that works on a bucket. */
export const bucketOptions = {
  bucket: { type: "string" },
  endpoint: { type: "string" },
  jobs: { type: "string" },
} as const;

export const BUCKET_USAGE = `  --bucket ADDRESS  s3://BUCKET or s3://BUCKET/PREFIX
  --endpoint URL    the address of the store, instead of AWS_ENDPOINT_URL
  --jobs N          how many requests at a time`;

export const BUCKET_ENVIRONMENT = `Credentials come from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (also AWS_SESSION_TOKEN, AWS_REGION).`;

export interface BucketValues {
  bucket?: string | undefined;
  endpoint?: string | undefined;
  jobs?: string | undefined;
}

const MOST_JOBS = 64;

export function jobsOf({ jobs }: BucketValues): number {
  if (jobs === undefined) return 4 * availableParallelism();
  const value = Number(jobs);
  if (!/^[1-9]\d*$/.test(jobs) || value > MOST_JOBS)
    throw new CommandError(`--jobs: expected a whole number from 1 to ${MOST_JOBS}, found ${jobs}.`);
  return value;
}

export function openBucket(values: BucketValues, options = PUBLISHING): S3 & { address: string } {
  if (values.bucket === undefined)
    throw new CommandError("Which bucket? Write --bucket s3://BUCKET (see --help).");
  const bucket = bucketAt(values.bucket, values.endpoint, process.env);
  const store = openS3(bucket, { ...options, connections: jobsOf(values) });
  return { ...store, address: `${bucket.endpoint.href} ${bucket.bucket}/${bucket.prefix}` };
}
