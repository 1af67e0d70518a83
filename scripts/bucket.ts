import { availableParallelism } from "node:os";
import { bucketAt, openS3, PUBLISHING } from "../build/release/s3.ts";
import { CommandError, whole } from "./command.ts";

/** Maximum number of requests at a time. */
const MAX_CONCURRENCY = 64;

export const bucketOptions = {
  "bucket URL": { text: "use this bucket: s3://BUCKET or s3://BUCKET/PREFIX", isRequired: true },
  "endpoint URL": "send requests to the store at this URL (default: AWS_ENDPOINT_URL)",
  "concurrency N": {
    text: "run at most N requests at a time (default: 4 for each processor)",
    parse: whole(1, MAX_CONCURRENCY),
  },
} as const;

export const BUCKET_ENVIRONMENT = `Credentials come from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (also AWS_SESSION_TOKEN, AWS_REGION).`;

interface BucketValues {
  bucket?: string | undefined;
  endpoint?: string | undefined;
  concurrency?: number | undefined;
}

export const concurrencyOf = ({ concurrency }: BucketValues): number =>
  concurrency ?? Math.min(4 * availableParallelism(), MAX_CONCURRENCY);

export function openBucket(values: BucketValues, options = PUBLISHING) {
  if (values.bucket === undefined)
    throw new CommandError("Name a bucket: --bucket s3://BUCKET (see --help).");
  const bucket = bucketAt(values.bucket, values.endpoint, process.env);
  const store = openS3(bucket, { ...options, concurrency: concurrencyOf(values) });
  const endpoint = bucket.endpoint.href;
  return { ...store, endpoint, address: `${endpoint} ${bucket.bucket}/${bucket.prefix}` };
}
