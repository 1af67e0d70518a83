import type { Host } from "../../../build/hosting/config/host.ts";
import { isInstalled } from "../../../build/verify/hosts/run.ts";

/**
 * The reason why a host cannot be tested on this machine; undefined if it can. The test prints it, because it skips
 * only this host.
 */
export function missing({ program }: Pick<Host, "program">): string | undefined {
  if (program === undefined || isInstalled({ program })) return undefined;
  const reason = `${program.name} is missing: apt-get install ${program.package}`;
  console.warn(`Skipped: ${reason}`);
  return reason;
}
