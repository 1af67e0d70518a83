/** Whether the double prints as the same decimal number as was written. `-0` does not. */
export function isExact(written: string, value: number): boolean {
  if (!Number.isFinite(value) || Object.is(value, -0)) return false;
  if (value === 0) return !/[1-9]/.test(written.split(/[eE]/)[0] ?? "");
  const a = decimal(written);
  const b = decimal(String(value));
  return a.digits === b.digits && a.exponent === b.exponent;
}

/** A finite decimal number other than zero: its digits without outer zeros, and the power of ten of the last digit. */
function decimal(written: string): { digits: string; exponent: number } {
  const [mantissa = "", power = "0"] = written.replace(/^-/, "").split(/[eE]/);
  const [whole = "", fraction = ""] = mantissa.split(".");
  const all = (whole + fraction).replace(/^0+/, "");
  let last = all.length;
  while (all[last - 1] === "0") last--;
  return { digits: all.slice(0, last), exponent: Number(power) - fraction.length + all.length - last };
}
