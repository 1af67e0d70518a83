import { statOf, type Stat, type StatCalls } from "../stat-calls.ts";

/** What lies below Node's own calls, and answers with numbers. */
interface Binding {
  lstat(path: string, bigint: false, request: undefined, throwIfNoEntry: false): Numbers | undefined;
  fstat(handle: number, bigint: false, request: undefined, shouldNotThrow: false): Numbers;
}

/** Filled again by the next call. */
type Numbers = Float64Array;

/**
 * For Node 20 alone. A build asks for hundreds of thousands of stats, and Node 20 gives each four Dates, which take
 * longer than the system's answer; later versions make them when they are asked for. Node 20 has had its last release,
 * so what lies below its calls stays as it is.
 *
 * @returns undefined on other versions, and where it may not be used.
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
