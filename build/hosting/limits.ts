/** What Cloudflare accepts at most of one site; the numbers are inclusive: 100 of 100 is accepted, 101 is not. */
export const LIMITS = {
  files: { free: 20_000, paid: 100_000 },
  fileBytes: 25 * 2 ** 20,
  headerRules: 100,
  headerLine: 2_000,
  staticRedirects: 2_000,
  dynamicRedirects: 100,
};

export type Plan = keyof typeof LIMITS.files;
