import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { diff } from "../../build/change/diff/diff.ts";
import { FormModel } from "../../build/editor/form/model.ts";
import { isError } from "../../build/findings/finding.ts";
import { build } from "../../build/site/build.ts";
import { repository } from "../change/diff/repository.ts";
import { treeOf } from "../files.ts";
import { laid } from "../laid.ts";
import { omittedSites } from "./omitted.ts";
import { programModel } from "../../build/model/program-model.ts";

describe("a page that leaves out optional fields", () => {
  const { full, omitted } = omittedSites();

  it("is built, searched and compared like any other, by a full build and by an incremental one", async () => {
    const place = repository("omitted", full);
    const run = async (out: string, isFull: boolean) => {
      const built = await build({ ...place, out: join(place.folder, out), browse: true, full: isFull });
      expect(built.findings.filter(isError)).toEqual([]);
      return treeOf(join(place.folder, out));
    };
    await run("public", true);
    place.putAll(omitted);
    const changed = await run("public", false);
    expect(changed).toEqual(await run("clean", true));
    const { changed: pages } = await diff({ content: place.content });
    expect(pages.length).toBeGreaterThan(100);
  });

  it("is opened in a form", () => {
    const { "_site.json": _, ...pages } = omitted;
    for (const source of Object.values(pages)) {
      const text = `${JSON.stringify(source, undefined, 2)}\n`;
      const model = new FormModel(programModel, text);
      for (const { path } of model.fields) model.value(path);
      expect([model.isEdited, model.text]).toEqual([false, text]);
      model.set(["title"], "Another");
      expect(model.text).toBe(laid(text.replace(JSON.stringify(source["title"]), '"Another"')));
    }
  });
});
