import { move } from "../build/change/page-actions.ts";
import { plural } from "../build/base/numbers.ts";
import { HISTORY, SITE } from "../build/source/site-files.ts";
import { assertComplete } from "../build/source/complete.ts";
import { command, print, siteOptions } from "./command.ts";
import { DRY_RUN, pathsFromHere, printLines, shared, translationsLeft } from "./reporting.ts";

await command(
  {
    name: "move",
    args: {
      FROM: "the page: visit/cafe, or visit/food/ with all its subpages",
      TO: "its new path, including its name: about/cafe",
    },
    summary:
      "Moves a page, with all its subpages, to another folder or name. It records the old addresses in _history.json, and\n" +
      "updates the links in the HTML of other pages.",
    status: "0 moved, 2 refused, with the reason.",
  },
  { ...shared("translations"), ...siteOptions, ...shared("dry-run") },
  async ({ "dry-run": isDry, translations }, [from = "", to = ""], { content }) => {
    await assertComplete(content);
    const { isDraft, addresses, along, left, dropped, links, owned, isDisowned, ...moved } = move(
      content,
      from,
      to,
      { isDry, translations },
    );
    if (isDry) print(DRY_RUN);
    const here = pathsFromHere(content);
    const lines = [moved, ...along].map((one) => `${here(one.from)} is now ${here(one.to)}`);
    for (const { before, after } of addresses) lines.push(`  ${before} is now ${after}`);
    if (addresses.length === 0)
      lines.push(isDraft ? "It is still a draft: no address changes." : "No address changes.");
    else if (addresses.some(({ before }) => !dropped.includes(before)))
      lines.push(
        `${here(HISTORY)} keeps the old ${addresses.length === 1 ? "address" : "addresses"}; commit it too.`,
      );
    if (dropped.length > 0)
      lines.push(`${here(HISTORY)} does not keep these addresses, as they were never published:`);
    for (const address of dropped) lines.push(`  ${address}`);
    for (const { before, after } of owned)
      lines.push(`owned_paths in ${here(SITE)}: ${before} is now ${after}; commit it too.`);
    if (isDisowned)
      lines.push(
        `The new address is not below owned_paths in ${here(SITE)}: links to it are not checked. Add its path there to check them.`,
      );
    if (links.length > 0)
      lines.push(`${plural(links.length, "link")} to them in the HTML of pages rewritten:`);
    for (const { place, href, to: now } of links)
      lines.push(`  ${here(place.file)}:${place.line}:${place.column}  ${href} is now ${now}`);
    lines.push(...translationsLeft(here, left, translations));
    printLines(lines);
  },
);
