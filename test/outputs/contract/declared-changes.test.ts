import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { modelFrom } from "../../../build/model/types.ts";
import { compare } from "../../../build/outputs/contract/compare.ts";
import { crossCheck } from "../../../build/outputs/contract/cross-check.ts";
import { formerContract } from "../../../build/outputs/contract/former.ts";
import { plain } from "../../../build/outputs/contract/plain.ts";
import { openapi } from "../../../build/outputs/contract/openapi.ts";
import type { OpenApi } from "../../../build/outputs/contract/document.ts";
import { readHeaders } from "../../../build/hosting/conformance.ts";
import { runHere } from "../../command.ts";
import { commit, repository } from "../../change/diff/repository.ts";
import { SITE, write } from "../../site/site.ts";
import { EVERY_KIND, SOURCES } from "./every-kind.ts";

const { rules } = readHeaders();
const contractOf = (types?: object): OpenApi =>
  structuredClone(plain(openapi({ model: modelFrom(types && JSON.stringify(types)), rules })));

type Types = typeof EVERY_KIND;
const changed = (change: (types: Types) => unknown): Types => {
  const types = structuredClone(EVERY_KIND);
  change(types);
  return types;
};
const EVERY = contractOf(EVERY_KIND);
const TYPE = "tides.TidePage";

describe("a change of the types", () => {
  const NEW_BLOCK = "the block “parts[quote]” is new: a client may not know it";
  const CHANGES: [what: string, isBreaking: boolean, lines: string[], change: (types: Types) => unknown][] = [
    ["a new block", true, [NEW_BLOCK], ({ shapes }) => Object.assign(shapes.Body.blocks, { quote: "text" })],
    [
      "a removed block",
      true,
      ["the block “parts[paragraph]” was removed"],
      ({ shapes }) => delete shapes.Body.blocks["paragraph"],
    ],
    [
      "a field of a block",
      true,
      ["“parts[heading].value” changed: its"],
      ({ shapes }) =>
        Object.assign(shapes.Body.blocks, { heading: { kind: "text", pattern: "[A-Z]*", example: "A" } }),
    ],
    ["another label", false, [], ({ types }) => Object.assign(types[TYPE] ?? {}, { label: "Another" })],
    [
      "another order of blocks",
      false,
      [],
      ({ shapes }) =>
        Object.assign(shapes.Body, {
          blocks: Object.fromEntries(Object.entries(shapes.Body.blocks).reverse()),
        }),
    ],
    [
      "another type of the same class in front",
      true,
      ["pages of the type are new: a client may not know this type"],
      (all) => {
        const { [TYPE]: event, ...rest } = all.types;
        const added = { label: "Other", short: "other", parents: ["home.HomePage"] };
        Object.assign(all, { types: { "a.TidePage": added, [TYPE]: event, ...rest } });
      },
    ],
  ];

  it.each(CHANGES)("says whether %s may break clients", (_, isBreaking, lines, change) => {
    const changes = compare(EVERY, contractOf(changed(change)));
    const found = [...new Set(changes.map(({ what, message }) => `${what} ${message}`))];
    expect(lines.filter((line) => !found.some((one) => one.startsWith(line)))).toEqual([]);
    expect(changes.some(({ breaking }) => breaking)).toBe(isBreaking);
    expect(changes.length > 0).toBe(lines.length > 0);
  });
});

/** The contract of a program before a field, a type and a value changed. */
const earlier = (): OpenApi => {
  const { components, ...rest } = contractOf();
  const { ProjectPage: _, ...schemas } = components.schemas;
  const work = schemas["ArtworkPage"];
  delete work?.properties?.["medium"];
  if (work?.required !== undefined) work.required = work.required.filter((name) => name !== "medium");
  Object.assign(work?.properties ?? {}, { weight: { type: "number" }, acno: { type: "string" } });
  work?.required?.push("weight");
  return { ...rest, components: { ...components, schemas } };
};
const linesOf = (before: OpenApi, after: OpenApi) =>
  compare(before, after).map(({ what, message, of }) => `${what} ${message.slice(0, 11)} ${of.join()}`);

describe("the contract of an earlier program with the types of a site", () => {
  it("is that of the program, and the declared fields", () => {
    expect(compare(formerContract(contractOf(), contractOf(), EVERY), EVERY)).toEqual([]);
  });

  it("shows the changes of the program, and not those of the site", () => {
    const former = formerContract(earlier(), contractOf(), EVERY);
    expect(linesOf(former, EVERY)).toEqual(linesOf(earlier(), contractOf()));
    expect(linesOf(former, EVERY).sort()).toEqual([
      "pages of the type are new: a  projects.ProjectPage",
      "“acno” changed: it artworks.ArtworkPage",
      "“medium” is new artworks.ArtworkPage",
      "“weight” was removed artworks.ArtworkPage",
    ]);
  });

  it("lacks the types that the site leaves out, as the present contract does", () => {
    const breads = contractOf({ ...EVERY_KIND, uses: ["home.HomePage", "standardpages.GeneralPage"] });
    const former = formerContract(earlier(), contractOf(), breads);
    expect(linesOf(former, breads)).toEqual([]);
    expect(JSON.stringify(breads)).not.toMatch(/artworks\.|Artwork|acno|projects\.|Project/);
  });
});

const place = () => {
  const one = repository("types-changed", {
    "_site.json": { ...SITE, owned_paths: [] },
    "_types.json": EVERY_KIND,
    ...SOURCES,
  });
  return {
    ...one,
    contract: (...args: string[]) =>
      runHere("contract", ["--base", "HEAD", "--content", one.content, ...args]),
  };
};

describe("npx page-api contract in a site with types of its own", () => {
  it("compares the types at the revision with the present ones, and checks the pages", async () => {
    const { content, folder, contract } = place();
    expect(await contract()).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/has not changed[^]*all 7 still match/) as string,
    });
    const types = changed(({ shapes }) => Object.assign(shapes.Body.blocks, { quote: "text" }));
    write(content, "_types.json", types);
    const parts = [
      { type: "quote", value: "q" },
      { type: "heading", value: "h" },
    ];
    write(content, "general.json", { ...SOURCES["general.json"], parts });
    const { status, stdout } = await contract("--reporter", "json");
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      changes: [
        { breaking: true, what: "the block “parts[quote]”", of: ["standardpages.GeneralPage", TYPE] },
      ],
      crossCheck: {
        failed: 1,
        mismatches: [{ at: "parts[]", message: "is a block that the former contract does not have" }],
      },
    });
    commit(folder);
    expect(await contract()).toMatchObject({ status: 0 });
  });

  it("lists the first types of a site, and the present ones as removed without _types.json", async () => {
    const { content, folder, contract } = place();
    write(content, "_types.json", "{}");
    const { stdout } = await contract("--reporter", "json");
    const { changes } = JSON.parse(stdout) as { changes: { what: string; of: string[] }[] };
    expect(changes.find(({ what }) => what === "pages of the type")?.of).toContain(TYPE);
    commit(folder);
    write(content, "_types.json", EVERY_KIND);
    expect(await contract()).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(/are new: a client may not know this type \(tides\.TidePage/) as string,
    });
  });

  it("takes types with errors, now or at the revision, to be unchanged, and skips the cross-check", async () => {
    const { content, folder, contract } = place();
    write(content, "_types.json", '{"type": {}}');
    const { status, stdout } = await contract("--reporter", "json");
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      changes: [],
      crossCheck: expect.stringContaining("the content has errors") as string,
    });
    commit(folder);
    write(content, "_types.json", EVERY_KIND);
    expect(await contract()).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("all 7 still match") as string,
    });
  });

  it("compares only the program if the site is in no repository", async () => {
    const { content, folder, contract } = place();
    rmSync(join(folder, ".git"), { recursive: true });
    write(
      content,
      "_types.json",
      changed(({ shapes }) => shapes.Size.choices.push("L")),
    );
    expect((await contract()).stdout).not.toContain(TYPE);
  });
});

describe("the cross-check of blocks", () => {
  it("names the part of the block that does not match, and no part of other blocks", () => {
    const former = contractOf(EVERY_KIND);
    const schema = former.components.schemas["GeneralPage"];
    former.components.schemas = {
      GeneralPage: {
        properties: { meta: schema?.properties?.["meta"] ?? {}, parts: schema?.properties?.["parts"] ?? {} },
      },
    };
    const page = {
      id: 1,
      meta: { type: "standardpages.GeneralPage" },
      parts: [{ type: "heading", value: 3, id: null }],
    };
    Object.assign(schema?.properties?.["meta"] ?? {}, { required: ["type"] });
    expect(crossCheck(former, [Buffer.from(JSON.stringify(page))]).mismatches).toMatchObject([
      { at: "parts[].value", message: "must be string", pages: 1 },
    ]);
  });
});
