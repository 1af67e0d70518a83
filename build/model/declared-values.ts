import type { FieldMistake } from "../findings/finding.ts";
import { describeValue, isObject } from "../source/json/object.ts";
import { literal, object, orNull, REQUIRED, text } from "./field.ts";
import { ICONS } from "./icons.ts";
import type { PictureMembers } from "./media.ts";
import type { ObjectValue, ValueModel } from "./model.ts";
import { asTypeName } from "./page-types.ts";
import { after, ofPicture } from "./rules.ts";
import { SECTION_NAMES, type SectionName } from "./sections.ts";

/* Models of the values that a site declares in `_types.json`, and the form of each key of a declaration. */

/** Maximum number of kinds of blocks in one list. */
export const MAX_BLOCKS = 64;

export interface DeclaredField {
  model: ValueModel;
  /** The name of its kind; undefined for other forms. */
  kind?: string | undefined;
  /** The name of the field that it may not be earlier than. */
  after?: string | undefined;
  /** The number of fields, with those inside of it. */
  size: number;
  /** The number of levels of fields in fields. */
  depth: number;
}

export type DeclaredFields = ReadonlyMap<string, DeclaredField>;

/** What the place of use says of a field. */
export interface Use {
  label?: string | undefined;
  help?: string | undefined;
  section?: SectionName | undefined;
  mark?: "null" | "required" | undefined;
  filter?: boolean | undefined;
  uniqueIn?: string | undefined;
}

const isEmpty = (value: unknown): boolean => Object.keys(value as object).length === 0;

/** A value of the wrong form, as messages name it. */
export const described = (value: unknown): string =>
  describeValue(value).replace(/^an? (?=list|object)/, (article) => (isEmpty(value) ? "an empty " : article));

export interface KeyForm {
  is: (value: unknown) => boolean;
  /** Completes “expected …”. */
  expected: string;
  /** The form of the elements of a list. */
  element?: KeyForm;
}

export const TEXT: KeyForm = {
  is: (value) => typeof value === "string" && value.trim() !== "",
  expected: "a text",
};
export const ANY_TEXT: KeyForm = { is: (value) => typeof value === "string", expected: "a text" };
export const FLAG: KeyForm = { is: (value) => typeof value === "boolean", expected: "true or false" };
export const OBJECT: KeyForm = { is: isObject, expected: "an object in curly brackets" };
export const INTEGER: KeyForm = { is: Number.isSafeInteger, expected: "a whole number" };
export const NUMBER: KeyForm = { is: Number.isFinite, expected: "a number" };
const LIMIT: KeyForm = {
  is: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  expected: "a whole number from 0",
};
export const TEXTS: KeyForm = {
  is: (value) => Array.isArray(value) && value.every(TEXT.is),
  expected: "a list of texts",
  element: TEXT,
};
/** An empty list would allow no page, and show nothing of it. */
const SOME_TEXTS: KeyForm = {
  ...TEXTS,
  is: (value) => TEXTS.is(value) && !isEmpty(value),
  expected: "a list of at least one text",
};
const CHOICES: KeyForm = {
  is: (value) => (Array.isArray(value) || isObject(value)) && !isEmpty(value),
  expected: "a list of values, or an object with a label for each",
};
const CONSTANT: KeyForm = {
  is: (value) => value === null || ["string", "number", "boolean"].includes(typeof value),
  expected: "a text, a number, true, false or null",
};
export const FIELD: KeyForm = {
  is: (value) => typeof value === "string" || Array.isArray(value) || isObject(value),
  expected: "the name of a kind, a list of one field, or an object",
};
/** A value that is checked when it is read: the default of a field, or the fields in it. */
const ANY: KeyForm = { is: () => true, expected: "a value" };

export type Keys = Readonly<Record<string, KeyForm>>;

const SECTION: KeyForm = {
  is: (value) => SECTION_NAMES.some((name) => name === value),
  expected: `one of these texts: ${SECTION_NAMES.join(", ")}`,
};

export const KEYS_OF_FIELDS: Keys = { label: TEXT, help: TEXT, section: SECTION, null: FLAG, required: FLAG };

export const ICON: KeyForm = {
  is: (value) => typeof value === "string" && Object.hasOwn(ICONS, value),
  expected: `one of these texts: ${Object.keys(ICONS).join(", ")}`,
};

/** The members that belong to a picture, with the kinds that they may have. */
export const PICTURE_MEMBERS = {
  width: ["integer", "number"],
  height: ["integer", "number"],
  alt: ["text"],
  ratio: ["number"],
} as const satisfies Record<keyof PictureMembers, readonly string[]>;

/** The further keys of each kind. */
export const KINDS: Readonly<Record<string, Keys>> = {
  text: {
    filter: FLAG,
    unique: FLAG,
    max: LIMIT,
    choices: CHOICES,
    open: FLAG,
    pattern: TEXT,
    example: TEXT,
    default: ANY,
  },
  html: { raw: FLAG },
  "raw-html": {},
  url: { image: OBJECT },
  file: { image: OBJECT },
  date: { filter: FLAG, after: TEXT },
  time: { after: TEXT },
  "date-time": { after: TEXT },
  integer: {
    filter: FLAG,
    unique: FLAG,
    min: INTEGER,
    max: INTEGER,
    choices: CHOICES,
    open: FLAG,
    default: ANY,
  },
  number: { min: NUMBER, max: NUMBER, default: ANY },
  boolean: { filter: FLAG, default: ANY },
  page: { filter: FLAG, types: SOME_TEXTS, shows: SOME_TEXTS },
  json: {},
};

/** What a field can consist of, with the keys of each form. */
export const FORMS = {
  kind: { kind: TEXT },
  fields: { fields: ANY },
  list: { list: ANY, filter: FLAG, min: LIMIT, max: LIMIT },
  blocks: { blocks: OBJECT, min: LIMIT, max: LIMIT },
  const: { const: CONSTANT },
} as const;

const file = {
  fields: {
    id: "integer",
    meta: { fields: { type: "text", detail_url: "url", download_url: "file" } },
    title: "text",
  },
};

/** The shapes that every site has, in the form of Wagtail's API. */
export const OWN_SHAPES: Readonly<Record<string, object>> = {
  Image: file,
  Document: file,
  Rendition: {
    fields: { url: "file", full_url: "url", width: "integer", height: "integer", alt: "text" },
  },
};

/** A kind of name: its characters, and the facts of a finding about other names. */
export interface NameForm {
  is: (name: string) => boolean;
  of: string;
  expected: string;
  example: string;
}

export const NAMING = {
  type: {
    is: (name) => /^[A-Za-z_]\w*\.[A-Za-z_]\w*$/.test(name),
    of: "a page type",
    expected: "an app, a dot and a class, in ASCII letters, digits and underscores",
    example: "events.EventPage",
  },
  field: {
    // A name that every JavaScript object has would be found in objects without the field.
    is: (name) => /^[A-Za-z_]\w*$/.test(name) && !(name in {}),
    of: "a field",
    expected:
      "ASCII letters, digits and underscores, beginning with a letter or an underscore, and not a name of JavaScript's own",
    example: "start_date",
  },
  block: {
    is: (name) => /^\p{L}[\p{L}\p{M}\p{N} _-]*$/u.test(name),
    of: "a block",
    expected: "letters, digits, spaces, _ and -, beginning with a letter",
    example: "paragraph",
  },
  shape: {
    is: (name) => /^[A-Z][A-Za-z0-9]*$/.test(name),
    of: "a shape",
    expected: "ASCII letters and digits, beginning with a capital letter",
    example: "Speaker",
  },
  short: {
    is: (name) => /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name),
    of: "a page type in commands",
    expected: "lowercase letters and digits, with hyphens",
    example: "event-index",
  },
} satisfies Record<string, NameForm>;

export const badExample = (key: string, value: unknown, expected: string): FieldMistake => ({
  code: "bad-example",
  args: { key, found: describeValue(value), expected },
});

/** `ArtistPage` as a noun: “artist page”. */
export const asNoun = (name: string): string =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase();

/** An object of these fields. If one of them may not be omitted, neither may the object. */
export function objectValue(fields: DeclaredFields): ObjectValue {
  const models = Object.fromEntries(Array.from(fields, ([name, { model }]) => [name, model]));
  const isRequired = Object.values(models).some((model) => model.isRequired);
  return object(models, "", {
    isRequired,
    empty: isRequired ? undefined : {},
    rules: Array.from(fields).flatMap(([name, { model, after: before }]) => {
      const { format, picture } = { format: undefined, picture: undefined, ...model };
      const rules = picture === undefined ? [] : ofPicture(name, picture);
      return before === undefined ? rules : rules.concat(after(before, name, format));
    }),
  });
}

/** A block of Wagtail's StreamField. */
export const blockValue = (type: string, value: DeclaredField, icon?: string): ObjectValue => ({
  ...objectValue(
    new Map([
      ["type", { model: literal([type]), size: 1, depth: 1 }],
      ["value", value],
      ["id", { model: orNull(text()), size: 1, depth: 1 }],
    ]),
  ),
  name: `${asTypeName(type)}Block`,
  ...(icon !== undefined && { icon }),
});

/** The model with what the place of use says of it. */
export function withUse<T extends ValueModel>(
  model: T,
  { label, help, section, mark, filter, uniqueIn }: Use,
): T {
  const marked = {
    ...model,
    label: label ?? model.label,
    description: help ?? model.description,
    section: section ?? model.section,
    ...(filter === true && { isFilter: true as const }),
    ...(uniqueIn !== undefined && { uniqueIn }),
  };
  if (mark === "null") return orNull(marked);
  if (mark !== "required") return marked;
  const required = { ...marked, ...REQUIRED, isNullable: false };
  if (required.kind === "list") return { ...required, min: Math.max(1, required.min ?? 0) };
  return required.kind === "text" ? { ...required, mayBeEmpty: false } : required;
}

export function sizeOf(fields: Iterable<DeclaredField>): Pick<DeclaredField, "size" | "depth"> {
  let [size, depth] = [1, 0];
  for (const field of fields) [size, depth] = [size + field.size, Math.max(depth, field.depth)];
  return { size, depth: depth + 1 };
}
