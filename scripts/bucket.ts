import { availableParallelism } from "node:os";
import { bucketAt } from "../build/release/address.ts";
import { openS3, PUBLISHING, type S3 } from "../build/release/s3.ts";
import { CommandError, wholeNumber } from "./command.ts";

/** The options of every command that works on a bucket. */
export const bucketOptions = {
  bucket: {
    type: "string",
    value: "ADDRESS",
    words: "s3://BUCKET or s3://BUCKET/PREFIX",
    isRequired: true,
  },
  endpoint: {
    type: "string",
    value: "URL",
    words: "the address of the store, instead of AWS_ENDPOINT_URL",
  },
  jobs: { type: "string", value: "N", words: "how many requests at a time" },
} as const;

export const BUCKET_ENVIRONMENT = `Credentials come from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (also AWS_SESSION_TOKEN, AWS_REGION).`;

export interface BucketValues {
  bucket?: string | undefined;
  endpoint?: string | undefined;
  jobs?: string | undefined;
}

const MOST_JOBS = 64;

export function jobsOf({ jobs }: BucketValues): number {
  return jobs === undefined
    ? 4 * availableParallelism()
    : wholeNumber("--jobs", jobs, { from: 1, to: MOST_JOBS });
}

export function openBucket(
  values: BucketValues,
  options = PUBLISHING,
): S3 & { address: string; endpoint: string } {
  if (values.bucket === undefined)
    throw new CommandError("Which bucket? Write --bucket s3://BUCKET (see --help).");
  const bucket = bucketAt(values.bucket, values.endpoint, process.env);
  const store = openS3(bucket, { ...options, connections: jobsOf(values) });
  const endpoint = bucket.endpoint.href;
  return { ...store, endpoint, address: `${endpoint} ${bucket.bucket}/${bucket.prefix}` };
}
