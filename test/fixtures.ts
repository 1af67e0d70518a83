import { join } from "node:path";
import { PROJECT } from "../build/base/project.ts";

/** Where commands run that need no folder of their own: there is no `content/` here for them to find. */
export const FIXTURES = join(PROJECT, "test", "fixtures");

/** A whole site for tests, with pages of every type. `content/` is no test's: its pages change. */
export const FIXTURE_SITE = join(FIXTURES, "site");
