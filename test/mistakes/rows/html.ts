import type { Row } from "../row.ts";
export const HTML: readonly Row[] = [];
