import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import type { Host } from "../../../build/hosting/config/host.ts";
import { PATH } from "../../../build/hosting/run.ts";

export const isInstalled = ({ program }: Pick<Host, "program">): boolean =>
  program === undefined || PATH.some((folder) => isExecutable(join(folder, program)));

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The reason why a host cannot be tested on this machine, which the test prints; undefined if it can. */
export function missing({ program }: Pick<Host, "program">): string | undefined {
  if (program === undefined || isInstalled({ program })) return undefined;
  const reason = `${program} is missing: apt-get install ${program}`;
  console.warn(`Skipped: ${reason}`);
  return reason;
}
