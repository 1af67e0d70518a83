import type { Row } from "../row.ts";
export const FILES: readonly Row[] = [];
