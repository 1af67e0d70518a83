import type { Host } from "../../../build/hosting/config/host.ts";
import { isInstalled } from "../../../build/verify/hosts/run.ts";

/** The reason why a host cannot be tested here; undefined if it can. It is printed, because only this host is skipped. */
export function missing({ program }: Pick<Host, "program">): string | undefined {
  if (program === undefined || isInstalled({ program })) return undefined;
  const reason = `${program.name} is missing: apt-get install ${program.package}`;
  console.warn(`Skipped: ${reason}`);
  return reason;
}
