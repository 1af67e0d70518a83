/** Comparison of regular expressions. The wider of two can be found only for a few kinds of change. */

/** The beginning of a pattern of this project that also accepts an empty text. */
export const OR_EMPTY = "^$|";

/** Whether every text that matches `inner` matches `outer`; false if this is not known. */
export function isNarrowerPattern(inner: string, outer: string): boolean {
  if (inner === outer) return true;
  if (outer.startsWith(OR_EMPTY)) {
    const rest = outer.slice(OR_EMPTY.length);
    return isNarrowerPattern(inner.startsWith(OR_EMPTY) ? inner.slice(OR_EMPTY.length) : inner, rest);
  }
  const [a, b] = [conditions(inner), conditions(outer)];
  return (
    a !== undefined &&
    b !== undefined &&
    a.rest === b.rest &&
    b.conditions.every((one) => a.conditions.includes(one))
  );
}

/** Whether an empty text does not match. */
export function refusesEmpty(pattern: string): boolean {
  try {
    return !new RegExp(pattern, "u").test("");
  } catch {
    return false;
  }
}

/** The lookaheads at the start of a pattern, each of which makes it narrower. */
function conditions(pattern: string): { conditions: string[]; rest: string } | undefined {
  // Removing a lookahead with a group would change the meaning of a reference.
  if (!pattern.startsWith("^") || /\\[1-9k]/.test(pattern)) return undefined;
  const found: string[] = [];
  let rest = pattern.slice(1);
  while (rest.startsWith("(?=") || rest.startsWith("(?!")) {
    const end = endOfGroup(rest);
    if (end === undefined || /^[*+?{]/.test(rest.slice(end))) return undefined;
    found.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return { conditions: found, rest };
}

/** The end of the group that a pattern begins with. */
function endOfGroup(pattern: string): number | undefined {
  let depth = 0;
  let isInClass = false;
  for (let i = 0; i < pattern.length; i++) {
    const c = pattern[i];
    if (c === "\\") i++;
    else if (isInClass) isInClass = c !== "]";
    else if (c === "[") isInClass = true;
    else if (c === "(") depth++;
    else if (c === ")" && --depth === 0) return i + 1;
  }
  return undefined;
}
