import { FORMS, KINDS, OWN_SHAPES, PICTURE_MEMBERS } from "./declared-values.ts";
import { ICONS } from "./icons.ts";
import { SHOWABLE } from "./reference.ts";
import { SECTION_NAMES } from "./sections.ts";
import type { PageTypes } from "./page-types.ts";
import { DRAFT, type JsonSchema } from "./json-schema.ts";

/* The schema of `_types.json` (docs/types.md), for text editors. The build checks more: names, references and examples. */

const text = (description: string): JsonSchema => ({ type: "string", minLength: 1, description });
const flag = (description: string): JsonSchema => ({ type: "boolean", description });
const list = (description: string, values?: readonly string[]): JsonSchema => ({
  type: "array",
  items: { type: "string", ...(values && { enum: [...values] }) },
  description,
});
const fieldsOf = (description: string): JsonSchema => ({
  type: "object",
  description,
  additionalProperties: { $ref: "#/definitions/field" },
});

/** The keys of a field, whatever it consists of. */
const EVERY_FIELD: Record<string, JsonSchema> = {
  label: text("The label in the form, in the editors' language."),
  help: text("A text for editors, below the field."),
  section: { $ref: "#/definitions/section" },
  null: flag("Whether the value may also be null, which it is if it is omitted."),
  required: flag("Whether the field may not be omitted, and is not empty."),
};

const LIMIT: JsonSchema = { type: "number" };

/** All further keys. Which of them a field has depends on its form, or on its kind. */
const KEYS: Record<string, JsonSchema> = {
  fields: fieldsOf("The members of an object, in the order of the response."),
  list: { $ref: "#/definitions/field", description: "The elements of a list." },
  blocks: {
    type: "object",
    description: "The values of the blocks of a list, by the type of the block: Wagtail's StreamField.",
    additionalProperties: { $ref: "#/definitions/block" },
    minProperties: 1,
  },
  const: {
    type: ["string", "number", "boolean", "null"],
    description: "The value on every page. No source has it.",
  },
  min: { ...LIMIT, description: "The minimum, inclusive." },
  max: {
    ...LIMIT,
    description: "The maximum, inclusive: of a number, a text's length or the number of elements.",
  },
  choices: {
    type: ["array", "object"],
    description: "The values to choose from: a list, or an object with a label for each.",
  },
  open: flag("Whether another value than the choices is only a warning."),
  pattern: text("A regular expression that the whole text matches."),
  example: text("A text that matches the pattern, for messages."),
  default: { description: "The value of an omitted field." },
  after: text("The name of a field beside this one. If this value is earlier, that is a warning."),
  filter: flag("Whether lists for websites filter pages by the value. Only for fields of a page."),
  unique: flag("Whether no two pages have the same value, drafts included. Only for fields of a page."),
  image: {
    type: "object",
    properties: Object.fromEntries(
      Object.keys(PICTURE_MEMBERS).map((key) => [key, text("The name of a member of the same object.")]),
    ),
    additionalProperties: false,
    description: "The members of the same object that belong to the picture.",
  },
  raw: flag("Whether the HTML is as Wagtail stores it."),
  types: list("The types that the page may have; without it, any."),
  shows: list("What the response shows of the page, instead of its id.", SHOWABLE),
};

const MARKS = ["", "?", "!"];
const marked = (names: readonly string[]): string[] =>
  names.flatMap((name) => MARKS.map((mark) => name + mark));

const withKeys = (
  form: Record<string, JsonSchema>,
  keys: readonly string[],
  more: Record<string, JsonSchema> = {},
): JsonSchema => ({
  type: "object",
  properties: {
    ...form,
    ...more,
    ...Object.fromEntries(keys.flatMap((key) => (KEYS[key] === undefined ? [] : [[key, KEYS[key]]]))),
    ...EVERY_FIELD,
  },
  required: Object.keys(form),
  additionalProperties: false,
});

/** The forms of a field that is an object. @param shape further keys of a shape with fields */
const forms = (shape: Record<string, JsonSchema> = {}): JsonSchema[] => [
  ...Object.entries(KINDS).map(([kind, keys]) =>
    withKeys({ kind: { type: "string", enum: marked([kind]) } }, Object.keys(keys)),
  ),
  withKeys({ kind: SHAPE_NAME }, []),
  ...(["fields", "list", "blocks", "const"] as const).map((form) =>
    withKeys(
      { [form]: KEYS[form] ?? {} },
      Object.keys(FORMS[form]).filter((key) => key !== form),
      form === "fields" ? shape : {},
    ),
  ),
];

const SHAPE_NAME: JsonSchema = { type: "string", pattern: "^[A-Z][A-Za-z0-9]*[?!]?$" };

const fieldWith = (objects: readonly JsonSchema[], description: string): JsonSchema => ({
  description,
  anyOf: [
    { type: "string", enum: marked([...Object.keys(KINDS), ...Object.keys(OWN_SHAPES)]) },
    SHAPE_NAME,
    {
      type: "array",
      items: { $ref: "#/definitions/field" },
      minItems: 1,
      maxItems: 1,
      description: "A list of this field.",
    },
    ...objects,
  ],
});

/** A form of a field, with the icon that a block can have. */
const withIcon = (form: JsonSchema): JsonSchema => ({
  ...form,
  properties: {
    ...form.properties,
    icon: { type: "string", enum: Object.keys(ICONS), description: "The icon of the block in the form." },
  },
});

const TYPE: JsonSchema = { $ref: "#/definitions/type" };
/** A type of the program has a label and parents already. */
const NEW_TYPE: JsonSchema = { $ref: "#/definitions/newType" };

/** @param self the schema of `$schema` @param program the types that a site can add to, or leave out */
export function typesFileSchema(self: JsonSchema, program: PageTypes): JsonSchema {
  const label = text("A noun for a page of the type, in the editors' language.");
  const type: JsonSchema = {
    type: "object",
    properties: {
      label,
      parents: list("The types of the pages that it may be below; none for the home page."),
      fields: fieldsOf("The fields of the type, in the order of the response."),
      meta: fieldsOf("Fields of meta."),
      short: {
        type: "string",
        pattern: "^[a-z0-9]+(?:-[a-z0-9]+)*$",
        description: "The name of the type in npx page-api new.",
      },
      folder: flag("Whether a new page gets its own folder, because it will have subpages."),
      shown: {
        type: "object",
        properties: {
          ...Object.fromEntries(
            ["line", "date", "image"].map((key) => [key, text("The path of a field, such as image.title.")]),
          ),
          searched: list("The paths of fields with texts that the search finds, also inside of blocks."),
        },
        additionalProperties: false,
        description: "What lists of the browse UI show, and what its search finds.",
      },
    },
    additionalProperties: false,
  };
  return {
    $schema: DRAFT,
    title: "The page types of the site",
    description: "The page types and fields that the site has besides the program's own.",
    type: "object",
    properties: {
      $schema: self,
      types: {
        type: "object",
        description: "The types by name, such as talks.TalkPage. A type of the program gets further fields.",
        properties: Object.fromEntries(program.names.map((name) => [name, TYPE])),
        additionalProperties: NEW_TYPE,
      },
      shapes: {
        type: "object",
        description: "Declarations that fields use by name. A name begins with a capital letter.",
        additionalProperties: { $ref: "#/definitions/shape" },
      },
      every: {
        type: "object",
        description: "Fields that the pages of every type have.",
        properties: { meta: fieldsOf("Fields of meta."), fields: fieldsOf("Fields of every page.") },
        additionalProperties: false,
      },
      uses: list("Those of the program's own types that the site has; without it, all.", program.names),
    },
    additionalProperties: false,
    definitions: {
      section: {
        type: "string",
        enum: SECTION_NAMES,
        description: "The section of the form that shows a field of the page.",
      },
      type,
      newType: { ...type, required: ["label", "parents"] },
      field: fieldWith(forms(), "A kind, a shape, a list of one field, or an object."),
      block: fieldWith(forms().map(withIcon), "The value of a block: a field, which may have an icon."),
      shape: fieldWith(
        forms({ key: text("The name of the member that identifies the thing.") }),
        "A field with a name, for use in several places.",
      ),
    },
  };
}
