import { currentInstant, LATEST, printInstant } from "../build/base/instant.ts";
import { contentFolder } from "../build/edit/files.ts";
import { readPages } from "../build/edit/pages.ts";
import { eventsBetween, scheduleOf } from "../build/edit/schedule.ts";
import { printable, printableJson } from "../build/findings/printable.ts";
import { programModel } from "../build/page/program-model.ts";
import { spokenInstant } from "../build/page/live.ts";
import { chosen } from "./arguments.ts";
import { command } from "./command.ts";
import { print } from "./output.ts";
import { instantOption, pathFromHere } from "./reporting.ts";
import { siteOf, siteOptions } from "./site.ts";
import { valued } from "./usage.ts";

const REPORTERS = { human: "human", json: "json" };

await command(
  {
    name: "schedule",
    summary:
      "Lists the pages that go live or expire, in the order of time. A page also goes live or expires with its ancestors.",
    status: "0 listed, 2 the work could not be done.",
  },
  {
    from: valued("INSTANT", "list from this instant on (default: now)"),
    until: valued("INSTANT", "list until before this instant (default: without end)"),
    ...siteOptions,
    reporter: valued("NAME", `print the list in this format: ${Object.keys(REPORTERS).join(", ")}`, "human"),
  },
  ({ from, until, reporter, ...values }) => {
    const { content } = siteOf(values);
    chosen("--reporter", reporter, REPORTERS);
    const start = instantOption("from", from) ?? currentInstant();
    const end = instantOption("until", until) ?? LATEST;
    const { events, next } = eventsBetween(
      scheduleOf(readPages(contentFolder(content), programModel)),
      start,
      end,
    );
    const listed = events.map(({ at, change, id, title, file, address }) => ({
      at: printInstant(at),
      change,
      id,
      title,
      file: pathFromHere(content, file),
      address,
    }));
    if (reporter === "json") {
      print(`${printableJson({ events: listed, next })}\n`);
      return 0;
    }
    for (const [k, { change, title, file, address }] of listed.entries())
      print(
        `${spokenInstant(events[k]?.at ?? LATEST)}  ${printable(`${change === "live" ? "goes live" : "expires"}  “${title}”  ${file}  ${address}`)}\n`,
      );
    if (listed.length === 0) print("No page goes live or expires in this time.\n");
    return 0;
  },
);
