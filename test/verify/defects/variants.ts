import { SENT } from "../good-host.ts";
import { onMethod, onPage, type Planted } from "./plant.ts";

/** Defects of a page in the responses to other kinds of requests. */
export const ofVariants: Record<string, Planted> = {
  "an error for a query": {
    defect: onPage((draft, { query }) => {
      if (query.includes("format=api")) draft.status = 400;
    }),
    fails: ["query-string"],
  },
  "Accept decides": {
    defect: onPage((draft, { request }) => {
      if (request.headers.accept?.startsWith("text/html") === true)
        draft.headers["Content-Type"] = "text/html";
    }),
    fails: ["accept"],
  },
  "406 for absurd Accept headers": {
    defect: onPage((draft, { request }) => {
      if (request.headers.accept === "nonsense") draft.status = 406;
    }),
    fails: ["accept"],
  },
  "compression that the client does not accept": {
    defect: onPage((draft, { request }) => {
      if (request.headers["accept-encoding"] === "identity") draft.encoding = "br";
    }),
    fails: ["compression"],
  },
  "compression to another body": {
    defect: onPage((draft) => {
      if (draft.encoding !== "gzip") return;
      delete draft.encoding;
      draft.headers["Content-Encoding"] = "gzip";
    }),
    fails: ["compression"],
  },
  "compression drops a header": {
    defect: onPage((draft) => {
      if (draft.encoding !== undefined) draft.headers["Vary"] = "Accept-Encoding";
    }),
    fails: ["compression"],
  },
  "HEAD is another": {
    defect: onMethod(["HEAD"], (draft) => delete draft.headers["Cache-Control"]),
    fails: ["head"],
  },
  "HEAD has another length": {
    defect: onMethod(["HEAD"], (draft) => (draft.headers["Content-Length"] = "0")),
    fails: ["head"],
  },
  "HEAD has a body": {
    defect: onMethod(["HEAD"], (draft, _asked, response) => {
      response.writeHead(draft.status, draft.headers);
      response.end();
      response.socket?.write("a body");
      return SENT;
    }),
    fails: ["head-no-body"],
  },

  "304 whatever the tag": {
    defect: onPage((draft, { request }) => {
      if (request.headers["if-none-match"] !== undefined) draft.status = 304;
    }),
    fails: ["conditional"],
  },
  "304 for a malformed date": {
    defect: onPage((draft, { request }) => {
      if (request.headers["if-modified-since"] === "yesterday") draft.status = 304;
    }),
    fails: ["conditional"],
  },
  "412 for a condition": {
    defect: (draft, { request }) => {
      if (request.headers["if-none-match"] === "*" && draft.status === 304) draft.status = 412;
    },
    fails: ["conditional"],
  },
  "304 with a body": {
    defect: (draft, _asked, response) => {
      if (draft.status !== 304) return undefined;
      const lines = Object.entries(draft.headers).map(([name, value]) => `${name}: ${String(value)}`);
      response.socket?.end(["HTTP/1.1 304 Not Modified", ...lines, "", "{}"].join("\r\n"));
      return SENT;
    },
    fails: ["not-modified-no-body"],
  },
  "304 that may be cached": {
    defect: (draft) => {
      if (draft.status === 304) delete draft.headers["Cache-Control"];
    },
    fails: ["not-modified-headers"],
  },

  "a temporary redirect to the slash": {
    defect: (draft) => {
      if (draft.status === 301) draft.status = 302;
    },
    fails: ["slash-redirect"],
  },
  "a redirect to another port": {
    defect: (draft, { path, query }) => {
      if (draft.status === 301) draft.headers["Location"] = `http://127.0.0.1:1${path}/${query}`;
    },
    fails: ["slash-redirect"],
  },
  "the redirect drops the query": {
    defect: (draft, { path }) => {
      if (draft.status === 301) draft.headers["Location"] = `${path}/`;
    },
    fails: ["slash-redirect-query"],
  },
  "the redirect may be cached": {
    defect: (draft) => {
      if (draft.status === 301) delete draft.headers["Cache-Control"];
    },
    fails: ["slash-redirect-headers"],
  },
  "404 without the slash": {
    defect: (draft) => {
      if (draft.status === 301) draft.status = 404;
    },
    fails: ["slash-redirect"],
  },
};
