import { existsSync, readFileSync } from "node:fs";
import { basename, join, relative, resolve, sep } from "node:path";
import { Failure } from "../../build/base/failure.ts";
import { PROGRAM_FOLDER } from "../../build/base/folders.ts";

/* A site's package.json. */

/** The members that are read or written here. */
export interface PackageManifest {
  name?: string;
  version?: string;
  private?: boolean;
  scripts?: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  allowScripts?: Record<string, boolean>;
  engines?: Record<string, string>;
  config?: Record<string, string>;
}

/** @throws Failure if it is not JSON. */
export function readManifest(folder: string): PackageManifest | undefined {
  const path = join(folder, "package.json");
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(readFileSync(path, "utf8")) as PackageManifest;
  } catch {
    throw new Failure(`${path} is not valid JSON. Correct it, then run the command again.`);
  }
}

/** The scripts of npm that a site has. */
export const SITE_SCRIPTS = ["start", "dev", "check", "build", "deploy"];

const program = (): PackageManifest & { name: string; version: string } =>
  readManifest(PROGRAM_FOLDER) as PackageManifest & { name: string; version: string };

/** The program's versions in a former `package-lock.json` and now; undefined if they are equal or the former is not known. */
export function versionsSince(lock: string): { before: string; now: string } | undefined {
  const { name, version: now } = program();
  try {
    const { packages } = JSON.parse(lock) as { packages?: Record<string, { version?: string } | undefined> };
    const before = packages?.[`node_modules/${name}`]?.version;
    return before === undefined || before === now ? undefined : { before, now };
  } catch {
    return undefined;
  }
}

/**
 * The site's `package.json` with everything that a site needs. Members that exist keep their values.
 *
 * @param needsWrangler whether the site uses wrangler, whose tested version is added.
 */
export function siteManifest(site: string, needsWrangler: boolean): PackageManifest {
  const { name, engines, devDependencies, allowScripts } = program();
  const own = readManifest(site);
  const manifest: PackageManifest = { ...(own ?? { name: packageName(site) }) };
  manifest.private ??= true;
  manifest.scripts = completed(
    own?.scripts,
    Object.fromEntries(SITE_SCRIPTS.map((one) => [one, `page-api ${one}`])),
  );
  manifest.dependencies = completed(own?.dependencies, { [name]: dependencyOf(site) });
  manifest.engines ??= engines ?? {};
  if (needsWrangler) {
    manifest.devDependencies = completed(own?.devDependencies, {
      wrangler: devDependencies?.["wrangler"] ?? "",
    });
    // npm ci --strict-allow-scripts requires a decision about each install script.
    manifest.allowScripts = completed(own?.allowScripts, allowScripts);
  }
  return manifest;
}

/** A person's entries, in their order, then the missing ones. */
const completed = <T>(own: Record<string, T> = {}, all: Record<string, T> = {}): Record<string, T> => ({
  ...own,
  ...all,
  ...own,
});

const packageName = (site: string): string =>
  basename(resolve(site))
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "") || "site";

/** The package that the running program was installed from, as a dependency of a site: a version, a file or a URL. */
function dependencyOf(site: string): string {
  const { name, version } = program();
  const owner = join(PROGRAM_FOLDER, "..", "..");
  const given = readManifest(owner)?.dependencies?.[name];
  if (given?.startsWith("file:") === true) {
    const path = relative(resolve(site), resolve(owner, given.slice("file:".length)));
    return `file:${path.split(sep).join("/")}`;
  }
  return given !== undefined && /[:/]/.test(given) ? given : version;
}
