import { statOf, type Stat, type StatCalls } from "../stat-calls.ts";

/** Node's internal binding below its public calls, which returns numbers. */
interface Binding {
  lstat(path: string, bigint: false, request: undefined, throwIfNoEntry: false): Numbers | undefined;
  fstat(handle: number, bigint: false, request: undefined, shouldNotThrow: false): Numbers;
}

/** The next call overwrites it. */
type Numbers = Float64Array;

/**
 * The stat calls for Node 20. A build makes hundreds of thousands of them, and Node 20 creates four Dates for each,
 * which takes longer than the system call; later versions create Dates on demand. Node 20 has had its last release, so
 * its internal binding no longer changes.
 *
 * @returns undefined on other versions, and if the binding may not be used.
 */
export function bareCalls(): StatCalls | undefined {
  if (!process.versions.node.startsWith("20.")) return undefined;
  let binding: Binding;
  try {
    binding = (process as unknown as { binding(name: "fs"): Binding }).binding("fs");
  } catch {
    return undefined;
  }
  return {
    lstat(path) {
      const numbers = binding.lstat(path, false, undefined, false);
      return numbers && statIn(numbers);
    },
    fstat: (handle) => statIn(binding.fstat(handle, false, undefined, false)),
  };
}

const statIn = (n: Numbers): Stat =>
  statOf(n[1] ?? 0, n[8] ?? 0, milliseconds(n[12], n[13]), milliseconds(n[14], n[15]), n[7] ?? 0);

const milliseconds = (seconds = 0, nanoseconds = 0): number => seconds * 1e3 + nanoseconds / 1e6;
