/**
 * Parses the part of YAML that the workflows use: mappings, sequences, strings on one line and block strings. It
 * refuses anything else, so that the tests check the same values as GitHub uses.
 */
export type Yaml = string | Yaml[] | { [key: string]: Yaml };

interface Line {
  indent: number;
  text: string;
  number: number;
}

const KEY = /^([A-Za-z_][\w-]*):(?: (.*))?$/;

export function parseYaml(source: string): Yaml {
  const lines = source
    .split("\n")
    .map((text, i) => ({ indent: text.search(/\S|$/), text: text.trim(), number: i + 1 }));
  return new Reader(lines).block(0);
}

class Reader {
  private at = 0;
  private readonly lines: readonly Line[];

  constructor(lines: readonly Line[]) {
    this.lines = lines;
  }

  block(indent: number): Yaml {
    const first = this.peek();
    if (first === undefined || first.indent !== indent) return this.refuse(first, `an indent of ${indent}`);
    return first.text.startsWith("- ") ? this.sequence(indent) : this.mapping(indent);
  }

  private sequence(indent: number): Yaml[] {
    const items: Yaml[] = [];
    for (let line = this.peek(); line?.indent === indent && line.text.startsWith("- "); line = this.peek()) {
      const rest = line.text.slice(2);
      if (!KEY.test(rest)) {
        this.at++;
        items.push(this.scalar(rest, line));
        continue;
      }
      // The mapping of an item begins on the line of its dash.
      this.lines[this.at]!.indent = indent + 2;
      this.lines[this.at]!.text = rest;
      items.push(this.mapping(indent + 2));
    }
    return items;
  }

  private mapping(indent: number): { [key: string]: Yaml } {
    const members: { [key: string]: Yaml } = {};
    for (let line = this.peek(); line !== undefined && line.indent >= indent; line = this.peek()) {
      const [, key, rest = ""] = KEY.exec(line.text) ?? [];
      if (line.indent !== indent || key === undefined) return this.refuse(line, "a key");
      if (Object.hasOwn(members, key)) return this.refuse(line, "another key");
      this.at++;
      members[key] = this.value(rest, line);
    }
    return members;
  }

  private value(rest: string, line: Line): Yaml {
    if (rest === "|") return this.text(line.indent).join("\n");
    if (rest === ">-") return this.text(line.indent).join(" ");
    if (rest !== "" && !rest.startsWith("#")) return this.scalar(rest, line);
    const next = this.peek();
    return next !== undefined && next.indent > line.indent ? this.block(next.indent) : "";
  }

  private text(indent: number): string[] {
    const texts: string[] = [];
    for (let line = this.lines[this.at]; line !== undefined; line = this.lines[this.at]) {
      if (line.text !== "" && line.indent <= indent) break;
      texts.push(line.text);
      this.at++;
    }
    return texts;
  }

  private scalar(text: string, line: Line): Yaml {
    const plain = text.replace(/ #.*$/, "");
    if (plain === "{}") return {};
    if (/^\[[\w, ]*\]$/.test(plain))
      return plain
        .slice(1, -1)
        .split(",")
        .map((item) => item.trim());
    if (/^"[^"\\]*"$/.test(plain)) return plain.slice(1, -1);
    if (/^[\w./$~!-]/.test(plain) && !/: /.test(plain)) return plain;
    return this.refuse(line, "a plain or a quoted text");
  }

  private peek(): Line | undefined {
    while (/^(?:#.*)?$/.test(this.lines[this.at]?.text ?? "x")) this.at++;
    return this.lines[this.at];
  }

  private refuse(line: Line | undefined, wanted: string): never {
    throw new Error(
      `line ${line?.number ?? "at the end"}: expected ${wanted}, found ${line?.text ?? "nothing"}`,
    );
  }
}
