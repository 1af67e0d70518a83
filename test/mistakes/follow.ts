import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fix } from "../../build/change/fix.ts";
import { programModel } from "../../build/model/program-model.ts";
import { referencesOf } from "../../build/change/references.ts";
import { hintOf, type Finding } from "../../build/findings/finding.ts";
import type { Member, Node } from "../../build/source/json/object.ts";
import { parseJson } from "../../build/source/json/parse.ts";

/* Carries out a hint as a person who does not program would: only from its words and the marked text. */

/** The file that the hint concerns, with the marked text. */
class Desk {
  readonly content: string;
  readonly file: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;

  constructor(content: string, { place }: Finding, text: string) {
    this.content = content;
    this.file = place.file;
    this.text = text;
    this.start = offset(text, place.line, place.column);
    this.end = offset(text, place.endLine ?? place.line, place.endColumn ?? place.column);
  }

  get marked(): string {
    return this.text.slice(this.start, this.end);
  }

  save(text: string): void {
    writeFileSync(join(this.content, this.file), text);
  }

  replace(start: number, end: number, written: string): void {
    this.save(this.text.slice(0, start) + written + this.text.slice(end));
  }

  /** Renames the element whose opening tag is marked, in both its tags. */
  renameElement(to: string): void {
    const [, name = ""] = /^<(\w+)/.exec(this.marked) ?? [];
    const after = this.text.slice(this.end).replace(`</${name}>`, `</${to}>`);
    this.save(this.text.slice(0, this.start) + this.marked.replace(name, to) + after);
  }

  /** Deletes the marked text; for an attribute, also the space before it. */
  delete(): void {
    const isAttribute = this.marked.includes("=") && this.text[this.start - 1] === " ";
    this.replace(this.start - (isAttribute ? 1 : 0), this.end, "");
  }

  /** Replaces the marked text; a string keeps its quotation marks. */
  write(written: string): void {
    const isName = /^"[^"]*"$/.test(this.marked) && !/^["[{]/.test(written);
    this.replace(this.start, this.end, isName ? JSON.stringify(written) : written);
  }

  rename(to: string, from = this.file): void {
    const path = join(this.content, dirname(from), to);
    mkdirSync(dirname(path), { recursive: true });
    renameSync(join(this.content, from), path);
  }

  /** The field whose name or value is marked, and the object that contains it. */
  field(): { owner: Node & { type: "object" }; member: Member } {
    const { root } = parseJson(this.file, Buffer.from(this.text));
    const within = (
      node: Node | undefined,
    ): { owner: Node & { type: "object" }; member: Member } | undefined => {
      if (node?.type === "array") return node.items.map(within).find((found) => found !== undefined);
      if (node?.type !== "object") return undefined;
      const member = node.members.find(
        ({ keyStart, value }) => keyStart === this.start || value.start === this.start,
      );
      if (member !== undefined) return { owner: node, member };
      return node.members.map(({ value }) => within(value)).find((found) => found !== undefined);
    };
    const found = within(root);
    if (found === undefined) throw new Error(`no field is marked in ${this.file}`);
    return found;
  }

  /** The text without the field, and without one of the commas around it. */
  withoutField(): string {
    const { member } = this.field();
    const after = /^\s*,[ \t]*\n?[ \t]*/.exec(this.text.slice(member.value.end));
    const before = /,\s*$/.exec(this.text.slice(0, member.keyStart));
    return after !== null || before === null
      ? this.text.slice(0, member.keyStart) + this.text.slice(member.value.end + (after?.[0].length ?? 0))
      : this.text.slice(0, before.index) + this.text.slice(member.value.end);
  }
}

const offset = (text: string, line: number, column: number): number =>
  text
    .split("\n")
    .slice(0, line - 1)
    .reduce((sum, { length }) => sum + length + 1, 0) +
  column -
  1;

type Act = (desk: Desk, ...words: string[]) => void;

const ENCODINGS: Record<string, string> = { "UTF-16": "utf-16le", "Windows-1252": "windows-1252" };

const write: Act = (desk, written = "") => desk.write(written);
const replaceMarked: Act = (desk, written = "") => desk.replace(desk.start, desk.end, written);
const rename: Act = (desk, to = "") => desk.rename(to);
const renameElement: Act = (desk, to = "") => desk.renameElement(to);

/** The action for each wording. The first pattern that matches counts. */
const ACTS: [words: RegExp, act: Act][] = [
  [
    /npx page-api fix --ids (?:"([^"]+)"|(\S+))$/,
    ({ content }, quoted, plain) => {
      fix({ content, names: [quoted ?? plain ?? ""], layout: false, dryRun: false, ids: true });
    },
  ],
  [
    /^Delete (?:the|this) field|^Check the field's spelling and place, or delete it\.$/,
    (desk) => desk.save(desk.withoutField()),
  ],
  [
    /or run: npx page-api fix\.?$/,
    ({ content, file }) => {
      fix({ content, names: [file], layout: false, dryRun: false });
    },
  ],
  [
    /^Open the file as (\S+) .*save it as "UTF-8"/,
    (desk, encoding = "") => {
      const bytes = readFileSync(join(desk.content, desk.file));
      desk.save(new TextDecoder(ENCODINGS[encoding]).decode(bytes));
    },
  ],
  [
    /^Keep the right version, and delete the other and the lines that begin with <<<<<<<, ======= and >>>>>>>/,
    (desk) =>
      desk.save(
        desk.text.replace(
          /^<{7}[^\n]*\n([^]*?)(?:^\|{7}[^]*?)?^={7}\r?\n[^]*?^>{7}[^\n]*\n/gm,
          (_, own: string) => own,
        ),
      ),
  ],
  [
    /^Delete the \[ at the beginning and the \] at the end/,
    (desk) => desk.save(desk.text.replace(/^\s*\[\s*|\s*\]\s*$/g, "")),
  ],
  [/^Move it out of the content folder/, ({ content, file }) => rmSync(join(content, file))],
  [
    /^Rename the folder(?:, for example)? to “([^”]+)”/,
    (desk, to = "") => desk.rename(to, dirname(desk.file)),
  ],
  [/^(?:If it is a page, r|R)ename it to ([\w.-]+\.json)\b/, rename],
  [/ends in “.json” twice: rename it to ([\w.-]+\.json)\./, rename],
  [
    /^Rename (\S+) to ([\w.-]+\.json)\./,
    (desk, from = "", to = "") => desk.rename(to, posix.join(dirname(desk.file), posix.basename(from))),
  ],
  [
    /^Rename it, for example to “([\w-]+)”/,
    (desk, to = "") => desk.rename(`${/^_/.exec(posix.basename(desk.file))?.[0] ?? ""}${to}.json`),
  ],
  [
    /^Delete the element, from this tag to (<\/\w+>)\./,
    (desk, close = "") => desk.replace(desk.start, desk.text.indexOf(close, desk.start) + close.length, ""),
  ],
  [
    /^Delete (?:it|the (?:comma|comment|white space)|the attribute and its value|[\w-]+="…")(?![\w])/,
    (desk) => desk.delete(),
  ],
  [/^Write <(\w+)>…<\/\1> instead/, renameElement],
  [/^Did you mean <(\w+)>\? Its closing tag is then <\/\1>/, renameElement],
  [/^Did you mean "([\w-]+)"\?/, (desk, name = "") => desk.write(desk.marked.replace(/^[\w-]+/, name))],
  [/^Write (<\/\w+>) here, with the slash/, write],
  [
    /^Write [{[].*….*[}\]]\. To see those that the site has, run: npx page-api new --list (\S+) (?:"([^"]+)"|(\S+))$/,
    (desk, kind = "", quoted, plain = "") => {
      const isNamed = ({ written }: { written: object }) => Object.values(written).includes(quoted ?? plain);
      const written = JSON.stringify(referencesOf(desk.content, programModel, kind).find(isNamed)?.written);
      desk.replace(desk.start, desk.end, written);
    },
  ],
  [/^Write (\{[^…]*\})$/, write],
  [/^If that one is meant, write (\S+) here\.$/, write],
  [/^If it is an address, write (".*"); otherwise /, write],
  [/^Write ([^\s;]+) if /, write],
  [
    /^Did you mean “meta\.(\w+)”\? Then move it into “meta”: "meta": {"\1": …}$/,
    (desk, name = "") => {
      const { member } = desk.field();
      const value = desk.text.slice(member.value.start, member.value.end);
      if (!desk.text.includes('"meta"'))
        return desk.replace(member.keyStart, member.value.end, `"meta": {"${name}": ${value}}`);
      desk.save(
        desk.withoutField().replace(/("meta": \{)/, (_, meta: string) => `${meta}"${name}": ${value}, `),
      );
    },
  ],
  [/^Did you mean “([^”]+)”\?(?: (?!Then)|$)/, write],
  [
    /^Add it inside these brackets, for example: (.+)$/,
    (desk, written = "") => desk.replace(desk.end, desk.end, `${written},`),
  ],
  [/^Put it in quotation marks\./, (desk) => desk.replace(desk.start, desk.end, `"${desk.marked}"`)],
  [/^Put it in square brackets: \[{…}\]/, (desk) => desk.write(`[${desk.marked}]`)],
  [/^Write a comma here/, (desk) => desk.write(",")],
  [/^Write " where the text ends/, (desk) => desk.write('"')],
  [/inside a text: (".*")$/, write],
  [/that is to stay: (".*")$/, write],
  [
    /^Close the element that was opened last first: …(\S+)\.$/,
    (desk, tags = "") => {
      const from = /<\/\w+>\s*<\/\w+>/.exec(desk.text.slice(desk.start));
      desk.replace(desk.start, desk.start + (from?.[0].length ?? 0), tags);
    },
  ],
  [/^Write ([^,]+), without quotation marks\./, replaceMarked],
  [/^If a backslash is meant, write (.+) instead\.$/, replaceMarked],
  [/^Write (\\t) instead/, replaceMarked],
  [/^Write (“?)(.+?)”? (?:here|instead)[.,;]/, (desk, _, written = "") => desk.write(written)],
  [/^If only the end is missing, write (\S+) here/, write],
  [/^Write (.+?), with (?:double )?quotation marks/, replaceMarked],
  [/^Write one of these: ([^,]+?)(?:,.*)?\.$/, write],
  [/^If it is such a page, write "([^"]+)"/, write],
  [/^Write (\S+|[\d-]+ [\d:. ]+)$/, write],
];

/** Carries out a hint. @throws if its words contain no instruction. */
export function follow(content: string, finding: Finding): void {
  const hint = hintOf(finding).replace(/ The rest of the (?:file|text) is .*\.$/, "");
  const text = readText(join(content, finding.place.file)) ?? "";
  for (const [words, act] of ACTS) {
    const found = words.exec(hint);
    if (found !== null) return act(new Desk(content, finding, text), ...found.slice(1));
  }
  throw new Error(`the hint does not say what to do: ${hint}`);
}

/** Null if the file does not exist. */
export const readText = (path: string): string | null =>
  lstatSync(path, { throwIfNoEntry: false })?.isFile() === true ? readFileSync(path, "utf8") : null;
