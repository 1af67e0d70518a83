import { hash } from "node:crypto";
import { TextColumn, textReader } from "../../base/columns.ts";
import { addressesPath } from "../../base/website.ts";

/** The pages and redirects by address, in as many files as make each small. */

/** The id of the page that has an address, or the address that replaces it. */
export type LedTo = number | { to: string };

/** No two of the same address. */
export type AddressList = Iterable<readonly [address: string, to: LedTo]>;

/** The files by path; undefined if there are none any more. */
export type ChangedFiles = Map<string, Buffer | undefined>;

/** Maximum bytes of a file of addresses. */
const MAX_FILE_BYTES = 2 ** 16;

/** Maximum number of hexadecimal digits in the name of a file: 65,536 files. */
const MAX_DIGITS = 4;

/** The number of an address's file among those with the most digits: the first bits of its hash. */
function numberOf(address: string): number {
  const bytes = hash("sha256", address, "binary");
  return (bytes.charCodeAt(0) << 8) | bytes.charCodeAt(1);
}

/** The number of its file among those with fewer digits. */
const shortened = (number: number, digits: number): number => number >> (4 * (MAX_DIGITS - digits));

const nameOf = (number: number, digits: number): string => number.toString(16).padStart(digits, "0");

const EMPTY = "{}\n";

const entryOf = (address: string, to: LedTo): string =>
  `\n${JSON.stringify(address)}:${typeof to === "number" ? to : JSON.stringify(to)}`;

/** Every address adds the bytes of its entry and a comma to those of an empty file; for the first, it is a line break. */
const print = (entries: string[]): Buffer =>
  Buffer.from(entries.length === 0 ? EMPTY : `{${entries.sort().join(",")}\n}\n`);

const namesOf = (digits: number): string[] =>
  Array.from({ length: 16 ** digits }, (_, k) => nameOf(k, digits));

/** The sizes of the files if their names had one digit less. */
const merged = (sizes: readonly number[]): number[] =>
  Array.from({ length: sizes.length / 16 }, (_, k) =>
    sizes.slice(16 * k, 16 * k + 16).reduce((sum, size) => sum + size - EMPTY.length, EMPTY.length),
  );

const areSmall = (sizes: readonly number[]): boolean => sizes.every((size) => size <= MAX_FILE_BYTES);

/** The smallest number of digits with which all files are small. @param sizes those of files with `digits` digits */
function fewestDigits(sizes: readonly number[], digits: number): number {
  if (digits === 1) return 1;
  const fewer = merged(sizes);
  return areSmall(fewer) ? fewestDigits(fewer, digits - 1) : digits;
}

/** The files, and the number of digits in their names. */
export interface AddressFiles {
  digits: number;
  /** Those that may have changed. */
  files: ChangedFiles;
}

/** All files, even without addresses, so that no request fails. */
export function printAll(addresses: AddressList): AddressFiles {
  const sizes = Array.from({ length: 16 ** MAX_DIGITS }, () => EMPTY.length);
  const numbers: number[] = [];
  // In a column, because so many strings would be most of the work of the garbage collector.
  const entries = new TextColumn();
  for (const [address, to] of addresses) {
    const number = numberOf(address);
    numbers.push(number);
    sizes[number] = (sizes[number] as number) + entries.push(entryOf(address, to)) + 1;
  }
  const digits = fewestDigits(sizes, MAX_DIGITS);
  const divided = Array.from({ length: 16 ** digits }, (): number[] => []);
  for (const [k, number] of numbers.entries()) divided[shortened(number, digits)]?.push(k);
  const entry = textReader(entries.finish());
  const files = divided.map((some, k): [string, Buffer] => [
    addressesPath(nameOf(k, digits)),
    print(some.map(entry)),
  ]);
  return { digits, files: new Map(files) };
}

/** @param all returns all addresses after the change, which is rarely needed. */
export function changeFiles(
  { digits, files }: { digits: number; files: readonly [path: string, { size: number }][] },
  { removed, added }: { removed: readonly string[]; added: AddressList },
  read: (path: string) => Buffer,
  all: () => AddressList,
): AddressFiles {
  const opened = new Map<string, Map<string, LedTo>>();
  const open = (address: string): Map<string, LedTo> => {
    const path = addressesPath(nameOf(shortened(numberOf(address), digits), digits));
    let found = opened.get(path);
    if (found === undefined) {
      found = new Map(Object.entries(JSON.parse(read(path).toString()) as Record<string, LedTo>));
      opened.set(path, found);
    }
    return found;
  };
  // Another page may have one of the old addresses now, so all old addresses are removed first.
  for (const address of removed) open(address).delete(address);
  for (const [address, destination] of added) open(address).set(address, destination);
  const changed = new Map(
    [...opened].map(([path, addresses]) => [
      path,
      print(Array.from(addresses, ([address, to]) => entryOf(address, to))),
    ]),
  );
  const before = new Map(files);
  const paths = namesOf(digits).map(addressesPath);
  const sizes = paths.map((path) => {
    return changed.get(path)?.length ?? before.get(path)?.size ?? 0;
  });
  const isEnough = digits === MAX_DIGITS || areSmall(sizes);
  if (isEnough && fewestDigits(sizes, digits) === digits) return { digits, files: changed };
  const divided = printAll(all());
  const obsolete: [string, undefined][] = paths.map((path) => [path, undefined]);
  return { ...divided, files: new Map([...divided.files, ...obsolete]) };
}
