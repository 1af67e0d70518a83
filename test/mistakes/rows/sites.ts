import type { Row } from "../row.ts";
export const SITES: readonly Row[] = [];
