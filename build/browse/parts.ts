/**
 * What the page to look at asks for: the pages that have a word, what is shown of a page in a list, and which pages lie
 * below one. All of it lies in parts, at most 1,000 files whatever the number of pages; which part, a hash tells. A
 * part says the same however it came to be: made anew, or changed by the pages that changed.
 */
export interface Counts {
  pages: number;
  words: number;
  records: number;
  trees: number;
}

const powerOfTwo = (n: number, most: number): number => {
  let power = 1;
  while (power < n && power < most) power *= 2;
  return power;
};

export const countsFor = (pages: number): Counts => ({
  pages,
  words: powerOfTwo(pages / 64, 512),
  records: powerOfTwo(pages / 128, 256),
  trees: powerOfTwo(pages / 2048, 64),
});

/** Whether the parts of another number of pages are divided in the same way. */
export const areDividedAlike = (one: Counts, two: Counts): boolean =>
  one.words === two.words && one.records === two.records && one.trees === two.trees;

export type Kind = "words" | "records" | "trees";

export const partPath = (kind: Kind, part: number): string => `browse/${kind}/${part}.json`;

/** A part's path and bytes, good until the next. One that holds nothing is there too: asking for it is no error. */
export type Part = [path: string, bytes: Uint8Array];

/** The numbers below a count, by the parts that they belong to. */
export function divide(count: number, parts: number, partOf: (number: number) => number): number[][] {
  const divided = Array.from({ length: parts }, (): number[] => []);
  for (let number = 0; number < count; number++) divided[partOf(number)]?.push(number);
  return divided;
}
