import { defineConfig } from "astro/config";
import { api, draft, website } from "./site.mjs";

/** While you edit (`npx page-api dev --website`): makes a page when it is requested, and shows it again after each save. */
const preview = {
  name: "preview",
  hooks: {
    "astro:route:setup": ({ route }) => void (route.prerender &&= !draft),
    "astro:server:setup": ({ server }) => {
      const follow = async () => {
        const { body } = await fetch(`${api}/browse/changes`);
        for await (const message of body) {
          if (!Buffer.from(message).includes("data: built")) continue;
          globalThis.saves = (globalThis.saves ?? 0) + 1;
          server.ws.send({ type: "full-reload" });
        }
      };
      const again = () => follow().catch(() => setTimeout(again, 1000).unref());
      if (draft) again();
    },
  },
};
export default defineConfig({
  site: website,
  base: new URL(website).pathname,
  trailingSlash: "ignore",
  // Styles are few: as a part of each page, they need no request.
  build: { inlineStylesheets: "always" },
  devToolbar: { enabled: false },
  integrations: [preview],
});
