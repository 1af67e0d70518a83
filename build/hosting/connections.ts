import { finding, type Finding } from "../findings/finding.ts";
import type { Site } from "../model/site.ts";
import type { HeaderRule } from "./headers.ts";

/** The blocks of the browse UI, which all have its policy. */
const BROWSE_BLOCKS: ReadonlySet<string> = new Set(["/", "/index.html", "/browse/*"]);

const POLICY = "content-security-policy";

/**
 * Checks whether the policies let the editor in the browse UI send requests to the API of `repository`. A
 * block without a policy allows every address.
 */
export function checkConnections(
  rules: readonly HeaderRule[],
  { repository }: Pick<Site, "repository">,
): Finding[] {
  if (repository === undefined) return [];
  const { origin } = new URL(repository.api_url);
  return rules
    .filter(({ path }) => BROWSE_BLOCKS.has(path))
    .flatMap(({ path, headers }) => {
      const header = headers.find(({ name }) => name.toLowerCase() === POLICY);
      if (header === undefined || isAllowed(header.value, origin)) return [];
      const { name, value, valuePlace } = header;
      return [
        finding("headers-connect", { path, origin, line: `${name}: ${allowing(value, origin)}` }, valuePlace),
      ];
    });
}

/** The directives of a policy, each with its name and its sources. */
const directivesOf = (policy: string): string[][] =>
  policy
    .split(";")
    .map((directive) => directive.trim().split(/\s+/))
    .filter(([name]) => name !== "");

const isNamed =
  (wanted: string) =>
  ([name = ""]: readonly string[]): boolean =>
    name.toLowerCase() === wanted;

function isAllowed(policy: string, origin: string): boolean {
  const directives = directivesOf(policy);
  const [, ...sources] = directives.find(isNamed("connect-src")) ??
    directives.find(isNamed("default-src")) ?? ["", "*"];
  const scheme = `${origin.split(":")[0]}:`;
  return sources.some((source) => ["*", scheme, origin, `${origin}/`].includes(source.toLowerCase()));
}

/** The policy with the address among the sources of `connect-src`. */
function allowing(policy: string, origin: string): string {
  const directives = directivesOf(policy);
  if (!directives.some(isNamed("connect-src"))) directives.push(["connect-src", "'self'"]);
  return directives
    .map((directive) =>
      isNamed("connect-src")(directive)
        ? [...directive.filter((source) => source !== "'none'"), origin].join(" ")
        : directive.join(" "),
    )
    .join("; ");
}
