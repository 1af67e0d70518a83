import { contentFolder } from "../build/edit/files.ts";
import { REDIRECT_FORMATS, redirectsOf } from "../build/edit/redirects.ts";
import type { Finding } from "../build/findings/finding.ts";
import { HistoryError } from "../build/edit/history.ts";
import { command, CommandError } from "./command.ts";
import { complain, print } from "./output.ts";
import { contentOption, report } from "./reporting.ts";

const FORMATS = Object.keys(REDIRECT_FORMATS);

await command(
  {
    name: "redirects",
    does:
      "Prints where the former addresses in _history.json lead now, for the host of the website: each in one step. Gone is what\n" +
      "has no address that stands in for it (410 where the format can say so).",
    more: "An entry that leads in a circle, or to an address that no page has, is reported, and the others are printed.",
    status: "0 printed, 1 _history.json has errors, 2 the work could not be done.",
  },
  {
    format: {
      type: "string",
      value: FORMATS.join("|"),
      words:
        "how they are written: lines for _redirects, locations of nginx, directives of Apache, or a table",
      isRequired: true,
    },
    ...contentOption,
  },
  ({ content, format }) => {
    if (format === undefined) throw new CommandError(`Which format? Give --format ${FORMATS.join(", ")}.`);
    const lines = Object.hasOwn(REDIRECT_FORMATS, format) ? REDIRECT_FORMATS[format] : undefined;
    if (lines === undefined)
      throw new CommandError(`--format: expected ${FORMATS.join(", ")}, found “${format}”.`);
    try {
      const { redirects, findings } = redirectsOf(contentFolder(content));
      print(
        lines(redirects)
          .map((line) => `${line}\n`)
          .join(""),
      );
      if (findings.length === 0) return 0;
      const errors = findings.map((found): Finding => Object.assign(found, { severity: "error" }));
      return report("human", content, { pages: 0, findings: errors });
    } catch (cause) {
      if (!(cause instanceof HistoryError)) throw cause;
      complain(`${cause.message}\n`);
      return 1;
    }
  },
);
