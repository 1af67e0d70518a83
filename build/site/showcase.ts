import type { PageTable } from "./manifest/page-table.ts";
import type { PageType, PageTypes } from "../model/page-types.ts";

/** Maximum pages in each list of the home view. */
const MAX_LISTED = 6;

type IsBefore = (row: number, other: number) => boolean;

/**
 * The pages that the contract and the home view show, among those that were added, by their rows in the table. Their
 * responses are kept while the reader has them, so that nothing staged is read back.
 */
export class Showcase {
  /** The published pages that have no picture, and those that have one: the latest first. */
  readonly newest: number[] = [];
  readonly pictures: number[] = [];
  readonly responses = new Map<number, Buffer>();
  /** By type: the page with the smallest id. A new page, which usually has a larger id, does not change it. */
  private readonly examples: number[][];
  private readonly types: PageTypes;
  private readonly table: PageTable;
  private readonly isSmaller: IsBefore;
  private readonly isLater: IsBefore;

  constructor(types: PageTypes, table: PageTable) {
    this.types = types;
    this.examples = types.names.map(() => []);
    const { id: ids, published } = table;
    this.table = table;
    this.isSmaller = (row, other) => (ids[row] ?? 0) < (ids[other] ?? 0);
    this.isLater = (row, other) => {
      const later = (published[row] ?? 0) - (published[other] ?? 0);
      return later === 0 ? this.isSmaller(row, other) : later > 0;
    };
  }

  /** @param response its bytes, which are copied. */
  add(row: number, response?: Buffer): void {
    const { type, picture, published } = this.table;
    const examples = this.examples[(type[row] ?? 0) - 1];
    let isShown = examples !== undefined && insert(examples, row, 1, this.isSmaller);
    if (picture[row] === 1) isShown = insert(this.pictures, row, MAX_LISTED, this.isLater) || isShown;
    else if (published[row] !== 0) isShown = insert(this.newest, row, MAX_LISTED, this.isLater) || isShown;
    if (!isShown || response === undefined) return;
    const { responses } = this;
    responses.set(row, Buffer.from(response));
    const rows = new Set([...this.newest, ...this.pictures, ...this.examples.flat()]);
    for (const other of responses.keys()) if (!rows.has(other)) responses.delete(other);
  }

  /** The example of each type that a page has. */
  get exampleOfTypes(): [PageType, row: number][] {
    return this.types.names.flatMap((type, k) =>
      (this.examples[k] ?? []).map((row): [PageType, number] => [type, row]),
    );
  }
}

/** Inserts a row into a sorted list of at most `limit` rows. @returns whether the row is in the list. */
function insert(list: number[], row: number, limit: number, isBefore: IsBefore): boolean {
  const last = list.at(-1);
  if (list.length === limit && last !== undefined && !isBefore(row, last)) return false;
  const at = list.findIndex((other) => isBefore(row, other));
  list.splice(at === -1 ? list.length : at, 0, row);
  if (list.length > limit) list.pop();
  return true;
}
