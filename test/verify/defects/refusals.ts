import { HTML, isRoot, onMethod, onMissing, type Planted } from "./plant.ts";
import type { Defect } from "../good-host.ts";

const GITHUB = " https://api.github.com";

/** A host whose browse UI has an editor, and the header that the editor needs; `defect` can change any response. */
export const withEditor =
  (defect: Defect = () => undefined): Defect =>
  (draft, asked, response) => {
    const policy = draft.headers["Content-Security-Policy"];
    if (policy !== undefined)
      draft.headers["Content-Security-Policy"] = String(policy).replace("connect-src 'self'", `$&${GITHUB}`);
    if (asked.path === "/browse/site.json")
      draft.body = JSON.stringify({ editing: { repository: { api_url: "https://api.github.com" } } });
    return defect(draft, asked, response);
  };

/** Defects of the responses that are not pages. */
export const ofRefusals: Record<string, Planted> = {
  "200 for every path": {
    defect: onMissing((draft, asked) => {
      if (!isRoot(asked) && /pages\/\d+\//.test(asked.path)) draft.status = 200;
    }),
    fails: ["not-found", "spellings"],
  },
  "a page in place of the error page": {
    defect: onMissing((draft, { path }) => {
      if (path === "/api/v2/pages/9007199254740991/") draft.status = 200;
    }),
    fails: ["not-found"],
  },
  "a 404 in HTML": {
    defect: onMissing((draft) => (draft.body = HTML)),
    fails: ["not-found-body"],
  },
  "a 404 of another type": {
    defect: onMissing((draft) => (draft.headers["Content-Type"] = "text/html")),
    fails: ["not-found-content-type", "not-found-elsewhere"],
  },
  "a 404 that may be cached": {
    defect: onMissing((draft) => delete draft.headers["Cache-Control"]),
    fails: ["not-found-headers"],
  },
  "HEAD of a 404 is 200": {
    defect: onMissing((draft, { method }) => {
      if (method === "HEAD") draft.status = 200;
    }),
    fails: ["not-found-head"],
  },
  "a different 404 for Accept: application/json": {
    defect: onMissing((draft, asked) => {
      if (asked.request.headers.accept === "application/json" && !isRoot(asked))
        draft.body = '{"error":{"code":404}}';
    }),
    fails: ["not-found-accept-json"],
  },
  "a 404 that depends on the query": {
    defect: onMissing((draft, { query }) => {
      if (query.includes("format=json")) draft.body = "not found";
    }),
    fails: ["not-found-variants"],
  },
  "leading zeros are dropped": {
    defect: (draft, { path }) => {
      if (path === "/api/v2/pages/007/") draft.status = 200;
    },
    fails: ["malformed-id"],
  },
  "a page for 1e3": {
    defect: (draft, { path }) => {
      if (path === "/api/v2/pages/1e3/")
        Object.assign(draft, { status: 301, headers: { Location: "/api/v2/pages/2/" } });
    },
    fails: ["malformed-id"],
  },
  "a crash on a long id": {
    defect: (draft, { path }) => {
      if (path.length > 5000) draft.status = 500;
    },
    fails: ["hostile-id", "spellings"],
  },
  "a path out of the folder": {
    defect: (draft, { path }) => {
      if (path.includes("..%2f")) Object.assign(draft, { status: 200, body: "/api/*\n  Allow: GET" });
    },
    fails: ["hostile-id"],
  },
  "headers injected by an id": {
    defect: (draft, { path }) => {
      if (path.includes("%0d%0a")) draft.headers["X-Injected"] = "yes";
    },
    fails: ["hostile-id", "spellings"],
  },

  "a directory listing of the pages": {
    defect: (draft, asked) => {
      if (isRoot(asked)) Object.assign(draft, { status: 200, body: '<a href="2/">2/</a>' });
    },
    fails: ["pages-root"],
  },
  "a directory listing in JSON": {
    defect: (draft, asked) => {
      if (isRoot(asked) && asked.request.headers.accept === "application/json")
        Object.assign(draft, { status: 200, body: '[{"name":"2"}]' });
    },
    fails: ["pages-root"],
  },
  "a directory listing of the parent folder": {
    defect: (draft, { path }) => {
      if (path === "/api/v2/") Object.assign(draft, { status: 200, body: '<a href="pages/">pages/</a>' });
    },
    fails: ["listing"],
  },
  "a file without its headers behind two slashes": {
    defect: (draft, { path }) => {
      if (path === "//browse/app.js") Object.assign(draft, { status: 200, body: "export {};" });
    },
    fails: ["spellings"],
  },
  "a file at a path behind it, as a 404": {
    defect: (draft, { path }) => {
      if (path === "/openapi.json/x") draft.body = '{"openapi": "3.1.0"}';
    },
    fails: ["spellings"],
  },
  "a crash on a zero byte": {
    defect: (draft, { path }) => {
      if (path === "/index.html%00") draft.status = 500;
    },
    fails: ["spellings"],
  },
  "the API's 404 as HTML, outside of the API": {
    defect: (draft, { path }) => {
      if (path === "/browse-none") draft.headers["Content-Type"] = "text/html";
    },
    fails: ["not-found-elsewhere"],
  },
  "_headers is served": {
    defect: (draft, { path }) => {
      if (path === "/_headers") Object.assign(draft, { status: 200, body: "/api/v2/pages/*\n  Allow: GET" });
    },
    fails: ["leaks"],
  },

  "the lock of a running build is served": {
    defect: (draft, { path }) => {
      if (path === "/.building/lock") Object.assign(draft, { status: 200, body: '{"pid":12}' });
    },
    fails: ["leaks"],
  },

  "an invalid openapi.json": {
    defect: (draft, { path }) => {
      if (path === "/openapi.json") draft.body = "{";
    },
    fails: ["contract-files"],
  },
  "a schema that other websites may not read": {
    defect: (draft, { path }) => {
      if (path === "/schema/page.json") delete draft.headers["Access-Control-Allow-Origin"];
    },
    fails: ["contract-headers"],
  },
  "openapi.json as plain text": {
    defect: (draft, { path }) => {
      if (path === "/openapi.json") draft.headers["Content-Type"] = "text/plain";
    },
    fails: ["contract-headers"],
  },

  "an index of a bulk download with another count": {
    defect: (draft, { path }) => {
      if (path === "/bulk/index.json")
        draft.body = draft.body.toString().replace(/"shards".*/, '"shards":[["a",-1]]}');
    },
    fails: ["bulk-index"],
  },
  "a shard with other pages": {
    defect: (draft, { path }) => {
      if (path.endsWith(".zip") && draft.status === 200) draft.body = Buffer.from(draft.body).fill(0, 31, 32);
    },
    fails: ["bulk-shards"],
  },
  "a missing shard": {
    defect: (draft, { path }) => {
      if (path.endsWith(".zip")) Object.assign(draft, { status: 404, body: "" });
    },
    fails: ["bulk-shards"],
  },
  "a bulk download that other websites may not read": {
    defect: (draft, { path }) => {
      if (path.startsWith("/bulk/")) delete draft.headers["Access-Control-Allow-Origin"];
    },
    fails: ["bulk-headers"],
  },
  "an index of a bulk download that is cached": {
    defect: (draft, { path }) => {
      if (path === "/bulk/index.json") draft.headers["Cache-Control"] = "max-age=60";
    },
    fails: ["bulk-headers"],
  },
  "a shard that is not cached": {
    defect: (draft, { path }) => {
      if (path.endsWith(".zip") && draft.status === 200) draft.headers["Cache-Control"] = "no-cache";
    },
    fails: ["bulk-headers"],
  },
  "a missing shard that is cached for a year": {
    defect: (draft, { path }) => {
      if (path.endsWith(".zip")) draft.headers["Cache-Control"] = "public, max-age=31536000, immutable";
    },
    fails: ["bulk-missing"],
  },

  "an image that is missing": {
    defect: (draft, { path }) => {
      if (path.endsWith(".png")) Object.assign(draft, { status: 404, body: "" });
    },
    fails: ["media-images"],
  },
  "an error page in the place of an image": {
    defect: (draft, { path }) => {
      if (path.endsWith(".png")) draft.body = "<!doctype html>";
    },
    fails: ["media-images"],
  },
  "an image of an unknown type": {
    defect: (draft, { path }) => {
      if (path.endsWith(".png")) draft.headers["Content-Type"] = "application/octet-stream";
    },
    fails: ["media-headers"],
  },
  "an image that other websites may not read": {
    defect: (draft, { path }) => {
      if (path.endsWith(".png")) delete draft.headers["Access-Control-Allow-Origin"];
    },
    fails: ["media-headers"],
  },

  "the browse UI is of another type": {
    defect: (draft, { path }) => {
      if (path === "/") draft.headers["Content-Type"] = "text/plain";
    },
    fails: ["browse-page"],
  },
  "the browse UI only without a query": {
    defect: (draft, { path, query }) => {
      if (path === "/" && query !== "") draft.status = 404;
    },
    fails: ["spellings", "browse-page"],
  },
  "the browse UI without its policy": {
    defect: (draft, { path }) => {
      if (path === "/") delete draft.headers["Content-Security-Policy"];
    },
    fails: ["browse-policy"],
  },
  "an editor that may not send requests to GitHub": {
    defect: withEditor((draft) => {
      draft.headers["Content-Security-Policy"] = String(draft.headers["Content-Security-Policy"]).replace(
        GITHUB,
        "",
      );
    }),
    fails: ["browse-policy"],
  },
  "requests to GitHub without an editor": {
    defect: (draft, asked, response) => {
      withEditor(() => undefined)(draft, asked, response);
      if (asked.path === "/browse/site.json") draft.body = "{}";
    },
    fails: ["browse-policy"],
  },
  "an editor without its script": {
    defect: withEditor((draft, { path }) => {
      if (path === "/browse/edit.js") draft.status = 404;
    }),
    fails: ["browse-assets"],
  },
  "scripts as plain text": {
    defect: (draft, { path }) => {
      if (path === "/browse/app.js") draft.headers["Content-Type"] = "text/plain";
    },
    fails: ["browse-assets"],
  },

  "OPTIONS is refused": {
    defect: onMethod(["OPTIONS"], (draft) => (draft.status = 405)),
    fails: ["options"],
  },
  "OPTIONS without Allow": {
    defect: onMethod(["OPTIONS"], (draft) => delete draft.headers["Allow"]),
    fails: ["options"],
  },
  "OPTIONS may be cached": {
    defect: onMethod(["OPTIONS"], (draft) => delete draft.headers["Cache-Control"]),
    fails: ["options-headers"],
  },
  "a preflight that allows no headers": {
    defect: onMethod(["OPTIONS"], (draft) => delete draft.headers["Access-Control-Allow-Headers"]),
    fails: ["preflight"],
  },
  "a preflight that allows no GET": {
    defect: onMethod(["OPTIONS"], (draft) => (draft.headers["Access-Control-Allow-Methods"] = "POST")),
    fails: ["preflight"],
  },

  "POST like GET": {
    defect: onMethod(["POST"], (draft) => (draft.status = 200)),
    fails: ["method-not-allowed"],
  },
  "DELETE is done": {
    defect: onMethod(["DELETE"], (draft) => (draft.status = 204)),
    fails: ["method-not-allowed"],
  },
  "PROPFIND like GET": {
    defect: onMethod(["PROPFIND"], (draft) => (draft.status = 207)),
    fails: ["method-not-allowed"],
  },
  "501 for what is well known": {
    defect: onMethod(["PUT"], (draft) => (draft.status = 501)),
    fails: ["method-not-allowed"],
  },
  "405 without Allow": {
    defect: onMethod(["PUT"], (draft) => delete draft.headers["Allow"]),
    fails: ["method-not-allowed-allow"],
  },
  "405 with another body": {
    defect: onMethod(["PUT"], (draft) => (draft.body = HTML)),
    fails: ["method-not-allowed-body"],
  },
  "405 of another type": {
    defect: onMethod(["PUT"], (draft) => (draft.headers["Content-Type"] = "text/html")),
    fails: ["method-not-allowed-body"],
  },
  "405 that may be cached": {
    defect: onMethod(["PUT"], (draft) => delete draft.headers["Cache-Control"]),
    fails: ["method-not-allowed-headers"],
  },
};
