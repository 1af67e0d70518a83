import { discover } from "./discover.ts";
import { HEADERS_FILE } from "../base/project.ts";
import { outcome, type CheckOptions, type Checked } from "./outcome.ts";
import { planAll } from "./plan.ts";
import { checkPagesTogether, readPages } from "./read.ts";
import { SecondThread } from "./threads.ts";

/** Checks the sources and writes nothing. */
export async function check(options: CheckOptions): Promise<Checked> {
  const thread = new SecondThread();
  try {
    const { headersFile = HEADERS_FILE } = options;
    const discovery = await discover({ ...options, headersFile }, undefined, undefined, (n) =>
      thread.warmUp("pages", n),
    );
    const plan = planAll(discovery);
    const pages = await readPages(options, thread, discovery, plan, undefined);
    const siteFindings = await checkPagesTogether(options, discovery, plan, pages, undefined);
    return outcome(options, discovery.listing, [...discovery.findings, ...pages.findings, ...siteFindings]);
  } finally {
    await thread.dismiss();
  }
}
