import { join } from "node:path";
import { PROJECT } from "../build/base/project.ts";

/** Working folder for commands that need no folder of their own. It has no `content/`. */
export const FIXTURES = join(PROJECT, "test", "fixtures");

/** A whole site for tests, with pages of every type. Tests do not use `content/`, because its pages change. */
export const FIXTURE_SITE = join(FIXTURES, "site");
