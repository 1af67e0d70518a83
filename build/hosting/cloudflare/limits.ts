import { statSync } from "node:fs";
import { join } from "node:path";
import { plural, thousands } from "../../base/numbers.ts";
import { publishedFiles } from "../published.ts";

/** Cloudflare's limits for one site, all inclusive: 100 of 100 is accepted, 101 is not. */
export const LIMITS = {
  files: { free: 20_000, paid: 100_000 },
  fileBytes: 25 * 2 ** 20,
  headerRules: 100,
  headerLine: 2_000,
  staticRedirects: 2_000,
};

export type CloudflarePlan = keyof typeof LIMITS.files;

export const CLOUDFLARE_PLANS = Object.keys(LIMITS.files) as CloudflarePlan[];

export const isCloudflarePlan = (name: string): name is CloudflarePlan => Object.hasOwn(LIMITS.files, name);

export interface UploadedFile {
  /** Relative to the published folder, with slashes. */
  path: string;
  bytes: number;
}

/**
 * The reasons why Cloudflare would refuse an upload. The build has checked `_headers`, and `_redirects` is always the same.
 */
export function refusals(files: readonly UploadedFile[], plan: CloudflarePlan): string[] {
  const tooLarge = files.filter(({ bytes }) => bytes > LIMITS.fileBytes);
  const limit = LIMITS.files[plan];
  return [
    ...(files.length > limit
      ? [`There are ${plural(files.length, "file")}; the limit on the ${plan} plan is ${thousands(limit)}.`]
      : []),
    ...tooLarge
      .slice(0, 10)
      .map(
        ({ path, bytes }) =>
          `${path} has ${mebibytes(bytes)} MiB; the limit for one file is ${mebibytes(LIMITS.fileBytes)} MiB.`,
      ),
    ...(tooLarge.length > 10 ? [`${tooLarge.length - 10} more files are too large.`] : []),
  ];
}

const mebibytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(bytes % 2 ** 20 === 0 ? 0 : 2);

export const uploadedFiles = (root: string): UploadedFile[] =>
  publishedFiles(root).map((path) => ({ path, bytes: statSync(join(root, path)).size }));
