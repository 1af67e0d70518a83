import { hintOf, messageOf, type Finding } from "../finding.ts";
import { LINK_PROBLEMS } from "./html.ts";
import type { Args, Code } from "./index.ts";
import { exactNumber } from "./json.ts";

interface FormWords {
  /** The label of a field, by its path in messages, such as “Image 1, height ratio” for `master_images[0].height_ratio`. */
  label: (field: string) => string;
  typeLabel: (type: string) => string;
  choiceLabel: (field: string, value: string) => string;
  /** Whether the field of the finding must have a value. */
  isRequired: boolean;
  choices?: readonly string[];
}

type Wording<A> = (args: A, words: FormWords) => { message?: string; hint?: string };

/** An expected value, without the signs of JSON. */
const plain = (expected: string): string => {
  const [, example] = /^"(.+)"$/.exec(expected) ?? [];
  if (example !== undefined) return `a value such as ${example}`;
  if (expected.startsWith("a list of three")) return "a width, a range and an address";
  return expected
    .replace(/ in (?:quotation marks|square brackets|curly brackets)$/, "")
    .replace("an object", "a group");
};

const orDelete = (isRequired: boolean): string => (isRequired ? "" : ", or delete the value");

const writeOrChoose = (value: string, choices: readonly string[] = []): string =>
  choices.length === 0 ? `Write ${value}.` : `Choose one of these: ${choices.join(", ")}.`;

const LINK =
  "Write https:// and the address of another website, or the path of a page of this website, such as /visit/.";

/**
 * The catalogue's texts that differ in a form, which has labels and buttons such as “Remove”, and neither
 * lines nor the signs of JSON.
 */
export const inForm: { [C in Code]?: Wording<Args<C>> } = {
  "json-escape": () => ({
    message: "A text of the source has a backslash that JSON does not allow.",
    hint: "Type the text again.",
  }),
  "duplicate-key": ({ key }, { label }) => ({
    message: `The source has two values for “${label(key)}”.`,
    hint: "Write the correct value here, and delete the other in the source file.",
  }),
  "inexact-number": ({ stored }) => ({ hint: `Write ${exactNumber(stored)}.` }),
  "unknown-field": ({ nearest, why }, { label, typeLabel }) => ({
    hint: Array.isArray(why)
      ? `Remove it; if the page is of the type ${why.map(({ type }) => `“${typeLabel(type)}”`).join(" or ")}, choose this type.`
      : why === "text"
        ? `Remove it; a short text for search engines can be in “${label("meta.search_description")}”.`
        : nearest === undefined
          ? "Remove it."
          : `If “${label(nearest)}” is meant, write the value there. Then remove this one.`,
    ...(Array.isArray(why) && nearest !== undefined
      ? {
          message: `Pages of this type do not have this field; “${label(nearest)}” of other types has its meaning.`,
        }
      : why === "text"
        ? { message: "Pages of this type have no text, only a title and the fields of every page." }
        : { message: "Pages of this type do not have this field." }),
  }),
  "derived-field": ({ field }, { label }) => ({
    message: `The build derives “${label(field)}”, so the source does not have it.`,
    hint: "Remove it.",
  }),
  "missing-field": ({ field, expected }, { label, choices }) => ({
    message: `“${label(field)}” is required.`,
    hint: field === "id" ? "Write a number that no other page has." : writeOrChoose(plain(expected), choices),
  }),
  "wrong-type": ({ field, found, expected }, { label, isRequired }) => ({
    message: `“${label(field)}”: expected ${plain(expected)}, found ${found === "null" ? "no value" : found === "an object" ? "a group" : found}.`,
    hint: `Write ${plain(expected)}${orDelete(isRequired)}.`,
  }),
  "empty-field": ({ expected }, { isRequired, choices }) => ({
    hint: writeOrChoose(expected.replace(/, or null$/, "") + orDelete(isRequired), choices),
  }),
  "bad-id": ({ field }) => ({
    hint: field === "id" ? "Write a number that no other page has." : "Write a positive whole number.",
  }),
  "unknown-page-type": ({ nearest }, { typeLabel }) => ({
    hint:
      nearest === undefined ? "Choose one of the types." : `Choose “${typeLabel(nearest)}”, or another type.`,
  }),
  "unlikely-type": ({ found, likely, names }, { label, typeLabel }) => ({
    message: `The type is “${typeLabel(found)}”, but only pages of the type “${typeLabel(likely)}” have ${names
      .slice(0, 3)
      .map((name) => `“${label(name)}”`)
      .join(", ")}.`,
    hint: `Choose “${typeLabel(likely)}”, or remove these fields.`,
  }),
  "media-missing": ({ nearest }) => ({
    hint:
      nearest === undefined
        ? "Choose one of the images that the field suggests, or add the image to the folder _media."
        : `Did you mean “${nearest}”? Otherwise, choose one of the images that the field suggests.`,
  }),
  "not-among-sizes": ({ known }) =>
    known.startsWith("(") ? { hint: "Add the sizes of the image first." } : {},
  "unknown-value": ({ field, nearest, known }, { choiceLabel }) => {
    const [meant = "", ...labels] = [nearest ?? "", ...known].map((one) => choiceLabel(field, one));
    return {
      hint:
        meant === "" ? `Choose one of these: ${labels.join(", ")}.` : `Choose “${meant}”, or another value.`,
    };
  },
  "unknown-block": ({ nearest }) => ({
    message: "This kind of block cannot be used here.",
    hint:
      nearest === undefined
        ? "Remove the block."
        : `If “${nearest}” is meant, add such a block. Then remove this one.`,
  }),
  "dead-reference": ({ id, type, types }, { typeLabel }) => ({
    message:
      type === undefined
        ? `No page has the id ${id}.`
        : `The page ${id} is of the type “${typeLabel(type)}”.`,
    hint:
      types === undefined
        ? "Choose a page of this site."
        : `Choose a page of the type ${types.map((one) => `“${typeLabel(one)}”`).join(" or ")}.`,
  }),
  "unspecified-value": () => ({ hint: "Make sure that clients expect it, or delete the value." }),
  "expires-too-early": ({ start, end }, { label }) => ({
    hint: `Correct “${label(start)}” or “${label(end)}”, or delete one of them.`,
  }),
  "home-dates": () => ({ hint: "Remove it." }),
  "future-publication": ({ live, field }, { label }) =>
    live === undefined
      ? {}
      : {
          hint: `If the page goes live then, write the date into “${label(live)}” and delete it in “${label(field)}”. Otherwise, correct the date.`,
        },
  "missing-alt-text": ({ field }, { label }) => ({
    message: `“${label(field)}” is empty, so people who cannot see the image get no description of it.`,
    hint: "Describe the image in one sentence.",
  }),
  "html-link-scheme": ({ scheme }) => ({
    message: `A link begins with “${scheme}:”, which is not allowed in a text.`,
    hint: LINK,
  }),
  "html-link-form": ({ link, problem, host }) => {
    const name = link === "" ? "A link without an address" : `The address “${link}”`;
    switch (problem) {
      case "user":
      case "spelling":
        return { message: `${name} leads to ${host ?? "another website"}, which it seems not to.` };
      case "mailbox":
        return { message: `${name} has letters that can be mistaken for others.` };
      default:
        return { message: `${name} ${LINK_PROBLEMS[problem].says}`, hint: LINK };
    }
  },
};

/** With the labels of fields, and with the form's own words if there are any. */
export function inWordsOfForm({ code, args }: Finding, words: FormWords): { message: string; hint: string } {
  const own = (inForm[code] as ((args: unknown, words: FormWords) => object) | undefined)?.(args, words);
  const labelled: Record<string, unknown> = { ...(args as object) };
  for (const name of ["field", "start", "end", "live"])
    if (typeof labelled[name] === "string") labelled[name] = words.label(labelled[name]);
  const f = { code, args: labelled } as Finding;
  return { message: messageOf(f), hint: hintOf(f), ...own };
}
