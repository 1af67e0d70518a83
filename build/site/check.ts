import { discover } from "./discover.ts";
import { PROGRAM_HEADERS } from "../base/folders.ts";
import { instantFor, modelSource, summarise, type CheckOptions, type CheckedSite } from "./outcome.ts";
import { planAll } from "./plan.ts";
import { checkPagesTogether, readPages } from "./read.ts";
import { findTranslations } from "./translations.ts";
import { SecondThread } from "./threads.ts";

/** Checks the sources without publishing them. */
export async function check(options: CheckOptions): Promise<CheckedSite> {
  const thread = new SecondThread();
  try {
    const { headersFile = PROGRAM_HEADERS } = options;
    const discovery = await discover(
      { ...options, headersFile, model: modelSource(options) },
      undefined,
      (n) => thread.warmUp(n),
    );
    const plan = planAll(discovery);
    const at = instantFor(options);
    const translations = await findTranslations(options.content, discovery, undefined, at, thread);
    const work = {
      options,
      thread,
      discovery,
      plan,
      translations,
      manifest: undefined,
      times: { at, knownSince: at },
    };
    const pages = await readPages(work);
    const { siteFindings } = await checkPagesTogether(work, pages);
    return summarise(options, discovery.listing, plan.table, [
      ...discovery.findings,
      ...(translations?.findings ?? []),
      ...pages.findings,
      ...siteFindings,
    ]);
  } finally {
    await thread.dismiss();
  }
}
