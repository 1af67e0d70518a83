import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { Failure } from "../../build/base/failure.ts";
import { installedPackage, nearestAbove, PROGRAM_FOLDER } from "../../build/base/folders.ts";
import { isInside } from "../../build/base/paths.ts";
import { isFolder } from "../../build/base/file.ts";
import { objectIn } from "../../build/source/json/object.ts";

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

/**
 * The program's versions at a revision and now; undefined if they are equal. Without `before`, the former one is not known:
 * only npm's lock files say which version each folder has.
 *
 * @param lockOf the text of a lock file at the revision, by its path
 */
export function versionsSince(
  site: string,
  lockOf: (path: string) => string | undefined,
): { before?: string; now: string } | undefined {
  const { name } = program();
  const now = (readManifest(installedPackage(resolve(site))) ?? program()).version ?? "";
  const found = lockFileOf(site);
  const lock = found && lockOf(found.path);
  if (lock === undefined) return undefined;
  const { packages } = (objectIn(lock) ?? {}) as { packages?: Record<string, { version?: string }> };
  const folders = relative(dirname(found?.path ?? ""), resolve(site)).split(sep);
  // As Node finds it: in the site's folder, or else in one above.
  const before = ["", ...folders.map((_, k) => `${folders.slice(0, k + 1).join("/")}/`)]
    .map((folder) => packages?.[`${folder}node_modules/${name}`]?.version)
    .findLast((version) => version !== undefined);
  return before === undefined ? { now } : before === now ? undefined : { before, now };
}

/** Package managers by their lock files, each with the command that installs the packages of the lock file and no others. */
const MANAGERS: Record<string, (lock: string) => string> = {
  "package-lock.json": () => "npm ci --strict-allow-scripts",
  "npm-shrinkwrap.json": () => "npm ci --strict-allow-scripts",
  "pnpm-lock.yaml": () => "corepack enable && pnpm install --frozen-lockfile",
  // The lock files of yarn 2 and later have metadata.
  "yarn.lock": (lock) =>
    `corepack enable && yarn install --${lock.includes("__metadata:") ? "immutable" : "frozen-lockfile"}`,
  "bun.lock": () => "npx --yes bun install --frozen-lockfile",
  "bun.lockb": () => "npx --yes bun install --frozen-lockfile",
};

/** The lock file that applies to a site: its own, or that of the workspace that it is in. */
export function lockFileOf(
  site: string,
  folder = resolve(site),
): { path: string; install: string } | undefined {
  for (const [name, install] of Object.entries(MANAGERS)) {
    const path = join(folder, name);
    if (existsSync(path)) return { path, install: install(readFileSync(path, "utf8")) };
  }
  return dirname(folder) === folder ? undefined : lockFileOf(site, dirname(folder));
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
  manifest.dependencies = completed(own?.dependencies, { [name]: dependencyOf(site).given });
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
export function dependencyOf(site: string, installed = PROGRAM_FOLDER): Dependency {
  const { version } = program();
  // By the name of its folder, because bun gives the package the name of the command.
  const found = dependentAbove(basename(installed), dirname(installed));
  const { owner, given } = found ?? { owner: "", given: version };
  if (!/^(?:file:|link:|[./~]|[A-Za-z]:[\\/])/.test(given))
    return { given: /[:/]/.test(given) ? given : version };
  // Yarn adds a digest.
  const path = resolve(owner, given.replace(/^(?:file|link):/, "").replace(/(?:#|::).*$/, ""));
  const root = nearestAbove(resolve(site), ".git") ?? resolve(site);
  const isWithin = isInside(path, root);
  if (isWithin || isFolder(path))
    return { given: `file:${relative(resolve(site), path).split(sep).join("/")}`, isElsewhere: !isWithin };
  return { given: `file:${basename(path)}`, copyOf: path };
}

export interface Dependency {
  given: string;
  /** A file outside of the repository, which is copied into the site. */
  copyOf?: string;
  /** Whether it is a folder outside of the repository, which no other machine has. */
  isElsewhere?: boolean;
}

/** The nearest folder above with a package that depends on another one: npx, pnpm, yarn and bun make one for a command. */
function dependentAbove(name: string, folder: string): { owner: string; given: string } | undefined {
  const given = readManifest(folder)?.dependencies?.[name];
  if (given !== undefined) return { owner: folder, given };
  return dirname(folder) === folder ? undefined : dependentAbove(name, dirname(folder));
}

/** JSON with the indentation and the line breaks of another text. */
export function printLike(text: string | undefined, value: object): string {
  const indent = /^[\t ]+(?=")/m.exec(text ?? "")?.[0] ?? "  ";
  const json = `${JSON.stringify(value, null, indent)}${text?.endsWith("}") === true ? "" : "\n"}`;
  return text?.includes("\r\n") === true ? json.replaceAll("\n", "\r\n") : json;
}
