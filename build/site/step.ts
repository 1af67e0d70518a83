import type { Times } from "../base/instant.ts";
import type { Counts } from "../browse/data-files.ts";
import type { Manifest } from "./manifest/manifest.ts";
import type { StaticFiles } from "./output/foreign.ts";
import type { Discovery } from "./discover.ts";
import type { Folders } from "./folders.ts";
import type { BuildOptions } from "./outcome.ts";
import type { Plan } from "./plan.ts";
import type { Translations } from "./translations.ts";
import type { SecondThread } from "./threads.ts";

export interface StepContext {
  options: BuildOptions;
  folders: Folders;
  thread: SecondThread;
  discovery: Discovery;
  /** The numbers of the data files of the browse UI. */
  counts: Counts;
  /** The published files that are neither pages nor made of pages. */
  staticFiles: StaticFiles;
  plan: Plan;
  manifest: Manifest | undefined;
  times: Times;
  /** Absent on a site with one language. */
  translations?: Translations | undefined;
  /** Whether all that may have changed was named. */
  isNamed: boolean;
}
