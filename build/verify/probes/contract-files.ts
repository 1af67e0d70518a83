import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CONTRACT_FILES } from "../../contract/paths.ts";
import { statusOf } from "../../http/reply.ts";
import { parseBody } from "../body.ts";
import { check, type ProbeContext } from "../context.ts";
import { headerChecks } from "../contract.ts";

/** Checks the published contract, if the build or the host has one. */
export async function probeContractFiles(context: ProbeContext, out: string | undefined): Promise<void> {
  for (const file of CONTRACT_FILES) {
    const path = `/${file}`;
    const reply = await context.client.sendAlone({ path });
    const built =
      out === undefined || !existsSync(join(out, file)) ? undefined : readFileSync(join(out, file));
    const isServed = reply.kind === "response" && reply.status === 200;
    if (built === undefined && !isServed) continue;
    check(context, "contract-files", reply, (response) => {
      if (response.status !== 200) return statusOf(response);
      if (built !== undefined)
        return built.equals(response.body) ? undefined : "other bytes than the build's";
      const body = parseBody(response.body);
      return typeof body === "string" ? body : undefined;
    });
    if (!isServed) continue;
    for (const name of ["content-type", "cors", "nosniff"] as const)
      check(context, "contract-headers", reply, headerChecks[name]);
  }
}
