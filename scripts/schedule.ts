import { LATEST, printInstant } from "../build/base/instant.ts";
import { contentFolder } from "../build/source/complete.ts";
import { readPages } from "../build/change/pages.ts";
import { eventsBetween, scheduleOf, type ScheduledEvent } from "../build/change/schedule.ts";
import { printable, printableJson } from "../build/findings/printable.ts";
import { code } from "../build/findings/reporters.ts";
import { modelOf } from "../build/model/types.ts";
import { formatInstant } from "../build/model/schedule.ts";
import { command, nameIn, print, siteOptions } from "./command.ts";
import { instantIn, pathsFromHere } from "./reporting.ts";

interface Schedule {
  events: readonly ScheduledEvent[];
  next: string | null;
}

const entriesOf = ({ events }: Schedule, entry: (event: ScheduledEvent, change: string) => string): string =>
  events.length === 0
    ? "No page goes live or expires in this time.\n"
    : events.map((event) => entry(event, event.change === "live" ? "goes live" : "expires")).join("");

const REPORTERS = {
  human: (schedule) =>
    entriesOf(
      schedule,
      ({ at, title, file, address }, change) =>
        `${formatInstant(at)}  ${printable(`${change}  “${title}”  ${file}  ${address}`)}\n`,
    ),
  markdown: (schedule) =>
    `### Pages that go live or expire\n\n${entriesOf(
      schedule,
      ({ at, title, file, address }, change) =>
        `- ${formatInstant(at)}: ${code(title)} ${change}  \n  ${code(file)} ${code(address)}\n`,
    )}`,
  dotenv: ({ events, next }) => `events=${events.length}\nnext=${next ?? ""}\n`,
  json: ({ events, next }) =>
    `${printableJson({ events: events.map((event) => ({ ...event, at: printInstant(event.at) })), next })}\n`,
} satisfies Record<string, (schedule: Schedule) => string>;

await command(
  {
    name: "schedule",
    summary:
      "Lists the pages that go live or expire, in the order of time. A page also goes live or expires with its ancestors.",
    status: "0 listed, 2 the work could not be done.",
  },
  {
    "from INSTANT": { text: "list from this instant on", default: "now", parse: instantIn },
    "until INSTANT": {
      text: "list until before this instant, or now (default: without end)",
      parse: instantIn,
    },
    ...siteOptions,
    "reporter NAME": {
      text: `print the list in this format: ${Object.keys(REPORTERS).join(", ")}; dotenv prints the number of events and the next instant as variables of a job`,
      default: "human",
      parse: nameIn(REPORTERS),
    },
  },
  ({ from, until, reporter }, _, { content }) => {
    const { events, next } = eventsBetween(
      scheduleOf(readPages(contentFolder(content), modelOf(content))),
      from,
      until ?? LATEST,
    );
    const here = pathsFromHere(content);
    // The order of these keys is that of the JSON.
    const listed = events.map(({ at, change, id, title, file, address }) => ({
      at,
      change,
      id,
      title,
      file: here(file),
      address,
    }));
    print(REPORTERS[reporter]({ events: listed, next }));
  },
);
