import type { JsonSchema } from "../../model/json-schema.ts";
import { RESERVED_NAMES, unusedName } from "../../model/page-types.ts";

/** OpenAPI allows no other characters in names. */
const inAscii = (name: string): string =>
  name
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^\w.-]/gu, (letter) => letter.codePointAt(0)?.toString(16) ?? "");

/** Schemas by name. A value that has a name (`title`) becomes one of them, and its places refer to it. */
export class Components {
  readonly schemas: Record<string, JsonSchema> = {};
  private readonly place: string;
  private readonly isOpenApi: boolean;
  private readonly taken: Set<string>;
  private readonly known = new Map<string, { name: string; descriptions: Set<string> }>();

  /**
   * @param place the JSON pointer of the schemas. @param names the names of the pages
   * @param isOpenApi whether formats and discriminators are wanted, which strict validators of JSON Schema refuse
   */
  constructor(place: string, names: readonly string[], isOpenApi: boolean) {
    this.place = place;
    this.isOpenApi = isOpenApi;
    this.taken = new Set([...RESERVED_NAMES, ...names]);
  }

  /** Adds the schema of a page, after those of the named values in it. */
  addPage(name: string, schema: JsonSchema): void {
    this.schemas[name] = this.within(schema, name);
  }

  refer(name: string): JsonSchema {
    return { $ref: `${this.place}/${name}` };
  }

  /** The schema as its place has it. @param owner the name of the value that it is in */
  use(schema: JsonSchema, owner = ""): JsonSchema {
    const { title, description, ...rest } = schema;
    if (title === undefined) return this.within(schema, owner);
    const types = [rest.type ?? []].flat();
    const isNullable = types.includes("null") && types.length > 1;
    if (isNullable) {
      const [type] = types;
      rest.type = type as string;
      if (rest.enum !== undefined) rest.enum = rest.enum.filter((value) => value !== null);
    }
    const body = this.within(rest, title);
    const key = JSON.stringify([title, body]);
    let known = this.known.get(key);
    if (known === undefined) {
      const written = this.isOpenApi ? inAscii : String;
      const [own, ofOwner] = [written(title), written(owner + title)];
      const name = this.isFree(own) ? own : unusedName([own, ofOwner], this.taken);
      known = { name, descriptions: new Set() };
      this.taken.add(name);
      this.known.set(key, known);
      this.schemas[name] = { title: name, ...body };
    }
    known.descriptions.add(description ?? "");
    // What only one place says of a shape is not true of the others.
    const [common = ""] = known.descriptions.size === 1 ? known.descriptions : [];
    this.schemas[known.name] = { title: known.name, ...(common !== "" && { description: common }), ...body };
    const reference = this.refer(known.name);
    return {
      ...(description !== undefined && { description }),
      ...(isNullable ? { anyOf: [reference, { type: "null" }] } : reference),
    };
  }

  /** A page in a list has the name that it has in the module for clients, too. */
  private isFree(title: string): boolean {
    const isListed = title === "ListedPage" && this.isOpenApi;
    return isListed ? this.schemas[title] === undefined : !this.taken.has(title);
  }

  private within({ format, ...schema }: JsonSchema, owner: string): JsonSchema {
    const all = (some: JsonSchema[]): JsonSchema[] => some.map((one) => this.use(one, owner));
    const { properties, items, prefixItems, anyOf, oneOf, additionalProperties: others } = schema;
    return {
      ...schema,
      ...(format !== undefined && this.isOpenApi && { format }),
      ...(properties && {
        properties: Object.fromEntries(
          Object.entries(properties).map(([key, one]) => [key, one === true ? one : this.use(one, owner)]),
        ),
      }),
      ...(typeof items === "object" && { items: Array.isArray(items) ? all(items) : this.use(items, owner) }),
      ...(prefixItems && { prefixItems: all(prefixItems) }),
      ...(anyOf && { anyOf: all(anyOf) }),
      ...(oneOf && this.oneOf(oneOf, owner)),
      ...(typeof others === "object" && { additionalProperties: this.use(others, owner) }),
    };
  }

  /** Blocks, which their `type` tells apart. */
  private oneOf(blocks: JsonSchema[], owner: string): JsonSchema {
    const oneOf = blocks.map((block) => this.use(block, owner));
    if (!this.isOpenApi) return { oneOf };
    const mapping = Object.fromEntries(
      blocks.map(({ properties }, k) => {
        const type = properties?.["type"];
        return [String(typeof type === "object" ? type.const : ""), oneOf[k]?.$ref ?? ""];
      }),
    );
    return { oneOf, discriminator: { propertyName: "type", mapping } };
  }
}
