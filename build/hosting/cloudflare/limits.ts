import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { HEADERS_NAME, REDIRECTS_NAME } from "../../base/api.ts";
import { plural, thousands } from "../../base/numbers.ts";

/** Cloudflare's limits for one site, all inclusive: 100 of 100 is accepted, 101 is not. */
export const LIMITS = {
  files: { free: 20_000, paid: 100_000 },
  fileBytes: 25 * 2 ** 20,
  headerRules: 100,
  headerLine: 2_000,
  staticRedirects: 2_000,
  dynamicRedirects: 100,
};

export type CloudflarePlan = keyof typeof LIMITS.files;

export const CLOUDFLARE_PLANS = Object.keys(LIMITS.files) as CloudflarePlan[];

export const isCloudflarePlan = (name: string): name is CloudflarePlan => Object.hasOwn(LIMITS.files, name);

export interface UploadedFile {
  /** Relative to the published folder, with slashes. */
  path: string;
  bytes: number;
}

export interface Upload {
  files: UploadedFile[];
  headers: string;
  redirects: string;
}

/** The reasons why Cloudflare would refuse an upload, or silently ignore a part of it. */
export function refusals({ files, headers, redirects }: Upload, plan: CloudflarePlan): string[] {
  const sources = instructions(redirects).map((line) => line.split(/[\t ]+/)[0] ?? "");
  const dynamic = sources.filter((source) => /\*|:[A-Za-z]/.test(source)).length;
  const blocks = instructions(headers).filter((line) => /^(?:\/|[^\s:]+:\/\/)/.test(line)).length;
  const longest = headers.split(/\r?\n/).reduce((most, line) => Math.max(most, line.length), 0);
  const tooLarge = files.filter(({ bytes }) => bytes > LIMITS.fileBytes);
  return [
    ...over(files.length, LIMITS.files[plan], "file", `on the ${plan} plan`),
    ...tooLarge
      .slice(0, 10)
      .map(
        ({ path, bytes }) =>
          `${path} has ${mebibytes(bytes)} MiB; the limit for one file is ${mebibytes(LIMITS.fileBytes)} MiB.`,
      ),
    ...(tooLarge.length > 10 ? [`${tooLarge.length - 10} more files are too large.`] : []),
    ...over(blocks, LIMITS.headerRules, "block", "in _headers"),
    ...over(longest, LIMITS.headerLine, "character", "in a line of _headers"),
    ...over(sources.length - dynamic, LIMITS.staticRedirects, "static redirect", "in _redirects"),
    ...over(dynamic, LIMITS.dynamicRedirects, "dynamic redirect", "in _redirects"),
  ];
}

const over = (count: number, limit: number, what: string, where: string): string[] =>
  count > limit ? [`There are ${plural(count, what)}; the limit ${where} is ${thousands(limit)}.`] : [];

const mebibytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(bytes % 2 ** 20 === 0 ? 0 : 2);

const instructions = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));

const INSTRUCTIONS = new Set<string>([HEADERS_NAME, REDIRECTS_NAME]);

/** Reads the files of a folder that would be uploaded: without dotfiles, which `.assetsignore` excludes. */
export const readUpload = (root: string): Upload => ({
  files: filesBelow(root, "").filter(({ path }) => !INSTRUCTIONS.has(path)),
  headers: readFileSync(join(root, HEADERS_NAME), "utf8"),
  redirects: readFileSync(join(root, REDIRECTS_NAME), "utf8"),
});

function filesBelow(root: string, folder: string): UploadedFile[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.name.startsWith(".")) return [];
    if (entry.isDirectory()) return filesBelow(root, path);
    return [{ path, bytes: statSync(join(root, path)).size }];
  });
}
