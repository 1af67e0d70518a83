import { TOKEN_META } from "../folder-protocol.ts";
import { FolderStore } from "../folder-store.ts";
import type { EditorHost } from "./host.ts";

/** The store that pages are edited in here, with all that its form needs; undefined if there is none. */
export async function activeHost(): Promise<EditorHost | undefined> {
  const token = document.querySelector(`meta[name="${TOKEN_META}"]`)?.getAttribute("content") ?? undefined;
  return token === undefined ? undefined : folderHost(token);
}

async function folderHost(token: string): Promise<EditorHost> {
  const store = new FolderStore({ token });
  return {
    store,
    site: await store.site(),
    things: (kind, words) => store.things(kind, words),
    images: () => store.images(),
    newId: () => store.newId(),
    actions: {
      move: (file, to) => store.move(file, to),
      retire: (file, to) => store.retire(file, to),
      publish: (file) => store.publish(file),
      withdraw: (file) => store.withdraw(file),
    },
  };
}
