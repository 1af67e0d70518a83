// The home view for editors, which only a preview has.
import { recordsOf, site } from "./data.js";
import { drafts, unbuilt } from "./drafts.js";
import { h } from "./dom.js";
import { editHref } from "./editing.js";
import { ago, item, itemsOf, shortList } from "./tree.js";

/** @param {import("./live.js").LiveFinding[]} findings */
async function withErrors(findings) {
  const errors = findings.filter(({ severity }) => severity === "error");
  /** @type {Map<number, string>} */
  const messages = new Map();
  for (const { page, unbuilt: id = page, message } of errors)
    if (id !== undefined && !messages.has(id)) messages.set(id, message);
  const records = new Map((await recordsOf([...messages.keys()])).map((one) => [one.id, one]));
  return [...messages].map(([id, message]) =>
    item(id, records.get(id)?.title ?? unbuilt.files.get(id) ?? String(id), message, editHref(id)),
  );
}

/** @param {import("./live.js").LiveFinding[]} findings */
export async function deskView(findings) {
  const reply = await fetch("/browse/desk.json");
  /** @type {{ edited: [number, string][], older: [number, string][], next: [number, string][] }} */
  const { edited, older, next } = reply.ok ? await reply.json() : { edited: [], older: [], next: [] };
  const { languages } = await site();
  const translations =
    languages === undefined ? [] : await (await import("./translations.js")).translationLists(older);
  const own = [...drafts.values()].filter(({ live }) => live === undefined);
  return h(
    "div",
    { class: "desk" },
    shortList(
      "Edited last",
      await itemsOf(edited.map(([id, time]) => [id, ago(time)])),
      "No page has been edited yet.",
    ),
    shortList("With errors", await withErrors(findings), "No page has errors."),
    shortList(
      "Drafts",
      own.map(({ id, title, file }) => item(id, title, file)),
      "There are no drafts.",
    ),
    ...translations,
    shortList("Next to go live or expire", await itemsOf(next), "No page has a date ahead."),
  );
}
