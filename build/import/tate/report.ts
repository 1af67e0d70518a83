import { tally } from "../report.ts";
import { REASONS, type LeftOut, type Reason, type WorkReasonCode, reasonCodes } from "./reasons.ts";

export interface DamagedFile {
  file: string;
  damage: string;
}

export interface NotWritten {
  file: string;
  id: number | null;
  acno: string | null;
  reasons: Reason[];
}

/** The result of an import: every work of the data is counted in `written` or listed in `notWritten`. */
export interface TateReport {
  works: number;
  written: number;
  notWritten: NotWritten[];
  /** Values of written works for fields of the API, in formats that the fields do not allow. */
  leftOut: ({ file: string } & LeftOut)[];
  contributorsWithoutAddress: number;
  damagedArtists: DamagedFile[];
}

interface ReasonCount {
  code: WorkReasonCode;
  /** Works with this reason. */
  works: number;
  /** Works whose first reason, in the order of the table, is this one: these add up. */
  counted: number;
}

export function countReasons(notWritten: NotWritten[]): ReasonCount[] {
  const counts = reasonCodes.map((code) => ({
    code,
    works: notWritten.filter(({ reasons }) => reasons.some((r) => r.code === code)).length,
    counted: notWritten.filter(({ reasons }) => reasons[0]?.code === code).length,
  }));
  return counts.filter(({ works }) => works > 0);
}

/** The whole report as data, for `--report`. */
export function reportData(report: TateReport): object {
  const { works, written, notWritten, ...rest } = report;
  const reasons = countReasons(notWritten).map(({ code, ...counts }) => [
    code,
    { ...counts, meaning: REASONS[code] },
  ]);
  return {
    works,
    written,
    notWritten: notWritten.length,
    reasons: Object.fromEntries(reasons) as object,
    ...rest,
    worksNotWritten: notWritten,
  };
}

/** The counts, for people: they add up to the number of works. */
export function summary(report: TateReport): string {
  const { works, written, notWritten, leftOut, contributorsWithoutAddress, damagedArtists } = report;
  const counts = countReasons(notWritten);
  const reasonCounts = counts.map(({ code, works: all, counted }) => {
    const also = all > counted ? ` (${all} works in all, ${all - counted} of them counted above)` : "";
    return { count: counted, words: `not written: ${REASONS[code]}${also}` };
  });
  const notes: [number, string][] = [
    [leftOut.length, "values left out because the API contract does not allow their format"],
    [contributorsWithoutAddress, "contributors without an address"],
    [damagedArtists.length, "files of artists that could not be used"],
  ];
  return tally(
    [{ count: written, words: "written" }, ...reasonCounts],
    { count: works, words: "works" },
    notes.filter(([n]) => n > 0).map(([n, what]) => `${n} ${what}.`),
  );
}
