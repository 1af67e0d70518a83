import { site } from "../../browse/client/data.js";
import { TOKEN_META } from "../folder-protocol.ts";
import { FolderStore } from "../folder-store.ts";
import { githubHost } from "./github-host.ts";
import type { EditorHost } from "./host.ts";
import type { PageModel } from "../../page/page.ts";

/** The host of a published site, shared by all formats: it contains the token and the collected changes. */
let github: EditorHost | undefined;

/** The editor's host in this preview or published site; undefined if pages cannot be edited here. */
export async function activeHost(pages: PageModel): Promise<EditorHost | undefined> {
  const token = document.querySelector(`meta[name="${TOKEN_META}"]`)?.getAttribute("content") ?? undefined;
  if (token !== undefined) return folderHost(pages, token);
  const { editing } = await site();
  if (editing?.repository === undefined) return undefined;
  return (github ??= githubHost(pages, editing, editing.repository));
}

async function folderHost(pages: PageModel, token: string): Promise<EditorHost> {
  const store = new FolderStore({ token });
  return {
    pages,
    store,
    site: await store.site(),
    things: (kind, words) => store.things(kind, words),
    images: () => store.images(),
    latestImages: () => store.images(),
    newId: () => store.newId(),
    actions: {
      move: (file, to) => store.move(file, to),
      retire: (file, to) => store.retire(file, to),
      publish: (file) => store.publish(file),
      withdraw: (file) => store.withdraw(file),
      subpages: (file) => store.subpages(file),
      lastChange: () => store.change,
      undo: (change) => store.undo(change),
    },
  };
}
