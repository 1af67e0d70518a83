import { expect } from "vitest";
import type { PageType } from "../../build/model/page-types.ts";
import { programModel } from "../../build/model/program-model.ts";
import { schemaFault } from "../../build/verify/body.ts";
import { addedTo, fieldsOf, wrongFields } from "./interface.ts";

interface Page extends Summary {
  meta: Summary["meta"] & { parent: Summary | null };
}
interface Summary {
  id: number;
  meta: { type: PageType; detail_url: string; html_url: string };
  title: string;
}

const summaryOf = ({ id, meta: { type, detail_url, html_url }, title }: Page): Summary => ({
  id,
  meta: { type, detail_url, html_url },
  title,
});

const pathOf = (id: number): string => `api/v2/pages/${id}/index.json`;

/** Expects that the published pages of a site agree with the API contract and with each other. @param files all of them, by path */
export function expectValidPages(files: ReadonlyMap<string, string>): void {
  const pages = new Map<string, Page>();
  for (const [path, text] of files)
    if (/^api\/v2\/pages\/[^]*\/index\.json$/.test(path)) pages.set(path, JSON.parse(text) as Page);
  for (const [path, page] of pages) {
    const { id, meta } = page;
    const parent = meta.parent && pages.get(pathOf(meta.parent.id));
    expect({
      path,
      address: meta.detail_url.slice(-`/api/v2/pages/${id}/`.length),
      fault: schemaFault({ ...page }, programModel),
      wrongFields: [...wrongFields(page, fieldsOf(meta.type), addedTo(meta.type))],
      parent: meta.parent,
      spaces: /\s/.exec((files.get(path) ?? "").replaceAll(/"(?:[^"\\]|\\.)*"/g, "")),
    }).toEqual({
      path: pathOf(id),
      address: `/api/v2/pages/${id}/`,
      fault: undefined,
      wrongFields: [],
      parent: parent ? summaryOf(parent) : null,
      spaces: null,
    });
  }
  const withoutParent = [...pages.values()].filter(({ meta }) => meta.parent === null);
  expect(withoutParent.map(({ meta }) => meta.type)).toEqual(["home.HomePage"]);
}
