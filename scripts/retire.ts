import { countSubpages, retire } from "../build/change/page-actions.ts";
import { printable } from "../build/findings/printable.ts";
import { plural } from "../build/base/numbers.ts";
import { HISTORY } from "../build/source/site-files.ts";
import { assertComplete } from "../build/source/complete.ts";
import { confirm } from "./ask.ts";
import { command, print, siteOptions } from "./command.ts";
import { DRY_RUN, pathsFromHere, printLines, shared, translationsLeft } from "./reporting.ts";

await command(
  {
    name: "retire",
    args: { PATH: "the page: visit/cafe, or visit/food/ with all its subpages" },
    summary:
      "Removes a page, with all its subpages: it deletes their source files, and records their ids and addresses in\n" +
      "_history.json, so that no other page gets such an id, and visitors can be redirected.",
    status: "0 retired, 2 refused, with the reason.",
  },
  {
    "to ADDRESS": "redirect visitors to this address, such as /visit/food/ (default: none)",
    ...shared("translations"),
    ...siteOptions,
    ...shared("dry-run"),
    yes: "do not ask for a confirmation",
  },
  async ({ to, yes, translations, "dry-run": isDry }, [path = ""], { content }) => {
    await assertComplete(content);
    const below = isDry || yes ? 0 : countSubpages(content, path, { translations });
    if (below > 0) await confirm(`This retires ${plural(below, "subpage")} of ${printable(path)} too.`);
    const { pages, links, left } = retire(content, path, to, { isDry, translations });
    if (isDry) print(DRY_RUN);
    const here = pathsFromHere(content);
    const lines = pages.map(
      ({ file, id, address, to: instead }) =>
        `${here(file)} is retired: id ${id}, ${address}${instead === undefined ? "" : `, replaced by ${instead}`}`,
    );
    lines.push(
      `${here(HISTORY)} keeps ${pages.length === 1 ? "its id and address" : "their ids and addresses"}; commit it too.`,
    );
    if (links.length > 0)
      lines.push(
        `${plural(links.length, "link")} in the HTML of pages still ${links.length === 1 ? "leads" : "lead"} there; correct or remove:`,
      );
    for (const { place, href } of links)
      lines.push(`  ${here(place.file)}:${place.line}:${place.column}  ${href}`);
    lines.push(...translationsLeft(here, left, translations));
    printLines(lines);
  },
);
