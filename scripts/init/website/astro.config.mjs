import { defineConfig } from "astro/config";
import { api, website } from "./site.mjs";

/** While you develop: pages are made when they are requested, and shown again after each save of a source. */
const preview = {
  name: "preview",
  hooks: {
    "astro:route:setup": ({ route }) => {
      if (process.argv.includes("dev")) route.prerender = false;
    },
    "astro:server:setup": ({ server }) => {
      const follow = async () => {
        const { body } = await fetch(`${api}/browse/changes`);
        for await (const message of body) {
          if (!Buffer.from(message).includes("data: built")) continue;
          globalThis.saves = (globalThis.saves ?? 0) + 1;
          server.ws.send({ type: "full-reload" });
        }
      };
      // Only `npx page-api dev` reports saves. It may start later than the website.
      const again = () => server.httpServer?.listening && setTimeout(() => follow().catch(() => {}).then(again), 1000).unref();
      server.httpServer?.once("listening", again);
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
