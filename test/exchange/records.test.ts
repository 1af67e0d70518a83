import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { openExport } from "../../build/exchange/sync/records.ts";
import { startModule } from "../../build/exchange/sync/start.ts";
import type { Sync } from "../../build/exchange/sync/sync.ts";
import { programModel } from "../../build/model/program-model.ts";
import { modelOf } from "../../build/model/types.ts";
import { scratch } from "../scratch.ts";
import { write } from "../site/site.ts";

const rows = async (name: string, bytes: string | Uint8Array, element?: string) => {
  const folder = scratch("records");
  writeFileSync(join(folder, name), bytes);
  const { encodings, read } = await openExport(name, folder, element);
  const found: [record: unknown, line: number][] = [];
  for await (const { record, line } of read()) found.push([record, line]);
  return { encodings, found };
};

const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, "utf16le");

describe("records", () => {
  const two = [
    [{ No: "1", Title: "Été" }, 2],
    [{ No: "2", Title: "B" }, 3],
  ];
  it.each<[string, string, string | Uint8Array, string]>([
    ["commas", "a.csv", "No,Title\n1,Été\n2,B\n", "utf-8"],
    ["semicolons, a byte order mark and CRLF", "a.csv", "\ufeffNo;Title\r\n1;Été\r\n2;B\r\n", "utf-8"],
    ["tabs in UTF-16", "a.txt", utf16("No\tTitle\n1\tÉté\n2\tB\n"), "utf-16le"],
    ["UTF-16 without a mark", "a.tsv", utf16("No\tTitle\n1\tÉté\n2\tB\n").subarray(2), "utf-16le"],
    ["Windows-1252", "a.csv", Buffer.from("No;Title\n1;Été\n2;B", "latin1"), "windows-1252"],
    ["apostrophes as quotation marks", "a.csv", "'No';'Title'\n'1';'Été'\n'2';'B'\n", "utf-8"],
    ["rows of delimiters at the end", "a.csv", "No;Title\n1;Été\n2;B\n;\n;\n", "utf-8"],
    ["gzip", "a.csv.gz", gzipSync("No,Title\n1,Été\n2,B\n"), "utf-8"],
    ["JSON Lines", "a.jsonl", '\n{"No":"1","Title":"Été"}\n{"No":"2","Title":"B"}\n', "utf-8"],
    ["JSON", "a.json", '[\n{"No":"1","Title":"Été"},\n{"No":"2","Title":"B"}]', "utf-8"],
  ])("are read from %s", async (_, name, bytes, encoding) => {
    const { encodings, found } = await rows(name, bytes);
    expect({ encodings, found }).toEqual({ encodings: [encoding], found: two });
  });

  it("know the delimiter that Excel names in a line of its own, also below empty lines, and no encoding of ASCII", async () => {
    const { encodings, found } = await rows("a.csv", "\r\n \r\nsep=;\r\nNo;Size, cm\r\n1;2\r\n");
    expect({ encodings, found }).toEqual({ encodings: [], found: [[{ No: "1", "Size, cm": "2" }, 5]] });
  });

  it("are Windows-1252 also if some of their characters together, or none at their end, can be UTF-8", async () => {
    const german = Buffer.from("No,Title\n1,\x84Der Ku\xdf\x93 f\xfcr \xc4rzte", "latin1");
    const french = Buffer.from("No,Title\n1,caf\xe9", "latin1");
    expect([await rows("a.csv", german), await rows("a.csv", french)]).toEqual([
      { encodings: ["windows-1252"], found: [[{ No: "1", Title: "„Der Kuß“ für Ärzte" }, 2]] },
      { encodings: ["windows-1252"], found: [[{ No: "1", Title: "café" }, 2]] },
    ]);
  });

  it("know their lines, also behind line breaks inside of quotation marks", async () => {
    const { found } = await rows("a.csv", 'No,Title\n1,"two\nlines, and ""quotes"""\n2,B\n');
    expect(found).toEqual([
      [{ No: "1", Title: 'two\nlines, and "quotes"' }, 2],
      [{ No: "2", Title: "B" }, 4],
    ]);
    // A file is read in pieces of 128 KiB: the end of each is a place between the two marks, or the mark that closes the text.
    const long = "x".repeat(2 ** 17 - 'No,Title\n1,"'.length - 1);
    for (const end of ['""y', ""])
      expect((await rows("a.csv", `No,Title\n1,"${long}${end}"\n2,B\n`)).found).toHaveLength(2);
  });

  it("are elements of XML with their prefixes, and members of a JSON object", async () => {
    const xml = `<?xml version="1.0"?>
<x:all xmlns:x="urn:x"><x:work id="7"><x:title xml:lang="en">A &amp; B</x:title><x:maker>C</x:maker><x:maker>D</x:maker></x:work>
<x:work id="8"/></x:all>`;
    expect((await rows("a.xml", xml, "x:work")).found).toEqual([
      [{ "@id": "7", "x:title": { "@xml:lang": "en", "#text": "A & B" }, "x:maker": ["C", "D"] }, 2],
      [{ "@id": "8" }, 3],
    ]);
    const russian = Buffer.from(
      '<?xml version="1.0" encoding="windows-1251"?><a><b>\xc4\xe0</b></a>',
      "latin1",
    );
    expect((await rows("a.xml", russian, "b")).found).toEqual([[{ "#text": "Да" }, 1]]);
    const wrongly = '<?xml version="1.0" encoding="utf-16"?><a><b>Été</b></a>';
    expect((await rows("a.xml", wrongly, "b")).found).toEqual([[{ "#text": "Été" }, 1]]);
    expect((await rows("a.json", '{"n": 2, "works": [{"a": 1}]}', "works")).found).toEqual([[{ a: 1 }, 1]]);
  });

  it.each<[string, string, string | Uint8Array, string, string?]>([
    ["a quotation mark that is not closed", "a.csv", 'No,Title\n1,"A\n2,B\n', "not closed"],
    ["one that the next one seems to close", "a.csv", 'No,Title\n1,"A\n2,"B"\n3,C\n', "a.csv:3"],
    ["a row with too few columns", "a.csv", "No,Title\n1,A\n2\n", "a.csv:3"],
    ["a row with too many columns", "a.csv", "No,Title\n1,A,x\n", "a.csv:2"],
    ["a row with too few columns below a line of Excel", "a.csv", "sep=,\nNo,Title\n1\n", "a.csv:3"],
    ["two columns of one name below an empty line", "a.csv", "\nNo;No\n1;A\n", "a.csv:2: two"],
    ["a cut file of JSON", "a.json", '[{"No":"1"},\n{"No"', "ends in the middle"],
    ["a cut line of JSON", "a.jsonl", '{"No":"1"}\n{"No"', "no JSON"],
    ["a broken line of JSON", "a.jsonl", '{"No":"1"}\n{"No":}\n{}\n', '{"No":}" is not valid JSON). Is'],
    [
      "lines of JSON in a file of JSON",
      "a.json",
      '{"No":"1"}\n{"No":"2"}\n',
      "a.json:2: the JSON ends above",
    ],
    ["a cut file of XML", "a.xml", "<a><b>1</b>\n<b>", "Is the export cut?", "b"],
    ["an element that is not closed", "a.xml", "<a>\n<b><c>1</b>\n</a>", "a.xml:2", "b"],
    ["an encoding that is not known", "a.xml", '<?xml version="1.0" encoding="x-none"?><a/>', "x-none", "a"],
    ["a cut gzip", "a.csv.gz", gzipSync("No,Title\n1,A\n".repeat(99)).subarray(0, 40), "cut or damaged"],
    [
      "UTF-8 with damaged characters",
      "a.csv",
      Buffer.concat([Buffer.from("é"), Buffer.from([0xe9, 10])]),
      "damaged",
    ],
    [
      "UTF-8 with damage far from its valid characters",
      "a.csv",
      Buffer.concat([Buffer.from(`No,Title\n1,éé${"\n2,x".repeat(40_000)}`), Buffer.from([0xe9, 10])]),
      "damaged",
    ],
    [
      "UTF-8 that is cut in a character",
      "a.csv",
      Buffer.from("No,Title\n1,é\n2,é").subarray(0, -1),
      "is cut",
    ],
    ["a workbook", "a.xlsx", "PK", "CSV UTF-8"],
    ["another ending", "a.doc", "x", ".csv"],
    ["XML without the name of the element", "a.xml", "<a/>", "element:"],
  ])("are refused with a sentence about %s", async (_, name, bytes, words, element) => {
    await expect(rows(name, bytes, element)).rejects.toThrow(words);
  });
});

const BIRD_FIELDS = { scientific_name: "text!", family: "text", weight: "number?", sex: "text" };

describe("a first module", () => {
  it("has the columns that it recognizes, the others as comments, and what is left to do", async () => {
    const folder = scratch("start");
    const file = join(folder, "Our works.csv");
    writeFileSync(
      file,
      '\ufeffAccession No.;Title;Maker;Date made;Image;Shelf "A"\r\nN00530;Folly Bridge;J. Lee;c.1815;b.png;7\r\n',
    );
    const started = await startModule(file, programModel);
    expect(started).toMatchObject({
      recognized: ["Accession No.", "Title", "Maker", "Date made", "Image"],
      others: ['Shelf "A"'],
    });
    expect(started.todo).toHaveLength(4);
    const path = join(folder, "our-works.mjs");
    const { default: module } = (await import(path)) as { default: Sync };
    const { found } = await rows("a.csv", readFileSync(file));
    const record = found[0]?.[0];
    expect(module.key(record)).toBe("N00530");
    const helpers = {
      image: (from: string) => ({ url: `/${from}`, width: 400, height: 300 }),
      slug: (...texts: unknown[]) => texts.join("-"),
      year: () => 1815,
    };
    expect(module.page(record, helpers)).toMatchObject({
      slug: "Folly Bridge-N00530",
      title: "Folly Bridge",
      acno: "N00530",
      allArtists: "J. Lee",
      dateText: "c.1815",
      start_year: 1815,
      master_images: [{ sizes: [[400, "0-400", "/b.png"]], current_size: "0-400", height_ratio: 0.75 }],
    });
    expect(readFileSync(path, "utf8")).toContain('// …: record["Shelf \\"A\\""],');
    await expect(startModule(file, programModel)).rejects.toThrow("is there already");
  });

  it("is made of an export without a known column", async () => {
    const folder = scratch("start");
    writeFileSync(join(folder, "2024-11-30 Hüte.csv"), "Hat;Coat\n1;2\n");
    await startModule(join(folder, "2024-11-30 Hüte.csv"), programModel);
    const { default: module } = (await import(join(folder, "huete.mjs"))) as { default: Sync };
    expect([module.name, module.key({ Hat: "1" })]).toEqual(["huete", "1"]);
  });

  it("has the fields of the site's own type that have the names of columns", async () => {
    const file = join(scratch("start"), "birds.csv");
    writeFileSync(file, "Catalogue No,Scientific name,Family,Weight,Shelf\n1,Parus major,Paridae,18.5,7\n");
    const own = { label: "Bird", parents: ["home.HomePage"], fields: BIRD_FIELDS };
    const content = scratch("birds");
    write(content, "_types.json", { types: { "birds.BirdPage": own } });
    const { recognized, others } = await startModule(file, modelOf(content));
    expect({ recognized, others }).toEqual({
      recognized: ["Catalogue No", "Scientific name", "Family", "Weight"],
      others: ["Shelf"],
    });
    const text = readFileSync(file.replace(".csv", ".mjs"), "utf8");
    for (const part of [
      '"birds.BirdPage"',
      'scientific_name: record["Scientific name"]',
      'weight: record["Weight"] && Number(record["Weight"])',
      "// sex: record",
    ])
      expect(text).toContain(part);
    expect(text).not.toContain("acno");
  });

  it("is refused for an export without a record", async () => {
    const file = join(scratch("start"), "x.csv");
    writeFileSync(file, "Hat;Coat\n");
    await expect(startModule(file, programModel)).rejects.toThrow("no record with columns");
  });
});
