import { currentInstant } from "../build/base/instant.ts";
import { REDIRECT_FORMATS, redirectsOf, unreadByCloudflare } from "../build/change/redirects.ts";
import type { Finding } from "../build/findings/finding.ts";
import { HistoryError } from "../build/change/history.ts";
import { assertComplete } from "../build/source/complete.ts";
import { command, complain, nameIn, print, siteOptions } from "./command.ts";
import { report, shared } from "./reporting.ts";

await command(
  {
    name: "redirects",
    summary:
      "Prints redirects for the old addresses in _history.json, for the website's server. Each goes straight to the final\n" +
      "address, with and without a slash at the end. An address without a replacement is marked as gone (410, if the format supports it).",
    more: "An entry that redirects in a circle, or to an address that no page has, is reported; the others are printed.",
    status: "0 printed, 1 _history.json has errors, 2 the work could not be done.",
  },
  {
    "format cloudflare|nginx|apache|csv": {
      text: "print this format: lines for _redirects, locations for nginx, directives for Apache, or a table",
      isRequired: true,
      parse: nameIn(REDIRECT_FORMATS),
    },
    ...siteOptions,
    ...shared("at INSTANT"),
  },
  async ({ format, at }, _, { content }) => {
    await assertComplete(content);
    try {
      const { redirects, findings } = redirectsOf(content, at ?? currentInstant());
      const printed = REDIRECT_FORMATS[format](redirects);
      print(printed.map((line) => `${line}\n`).join(""));
      const unread = format === "cloudflare" ? unreadByCloudflare(printed) : undefined;
      if (unread !== undefined) complain(`Warning: ${unread}\n`);
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
