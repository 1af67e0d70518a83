import { h, pageHref } from "./dom.js";

/** @typedef {Record<string, any>} Page */

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;
const DETAIL = /^https?:\/\/[^/]+(?:\/.*)?\/api\/v2\/pages\/(\d+)\/$/;

/**
 * The response with line breaks, with every value as the API wrote it, and with addresses as links.
 * @param {string} json
 */
export function printed(json) {
  const out = h("code", {});
  let depth = 0;
  let row = h("span", { class: "json-line" });
  /** The column at which the row's value begins: a value that wraps continues at this column. */
  let column = 0;
  let text = "";
  const flush = () => {
    if (text !== "") row.append(text);
    text = "";
  };
  const endRow = (end = "\n") => {
    text += end;
    flush();
    row.style.setProperty("--column", String(column));
    out.append(row);
    row = h("span", { class: "json-line" });
  };
  const line = () => {
    endRow();
    text = "  ".repeat(depth);
    column = 2 * depth;
  };
  const tokens = json.match(TOKEN) ?? [];
  for (const [k, token] of tokens.entries()) {
    const next = tokens[k + 1] ?? "";
    if (token === "{" || token === "[") {
      text += token;
      if (next === "}" || next === "]") continue;
      depth++;
      line();
    } else if (token === "}" || token === "]") {
      const before = tokens[k - 1];
      if (before !== "{" && before !== "[") {
        depth--;
        line();
      }
      text += token;
    } else if (token === ",") {
      text += token;
      line();
    } else if (token === ":") text += ": ";
    else {
      flush();
      row.append(value(token, next === ":"));
      if (next === ":") column += token.length + 2;
    }
  }
  endRow("");
  return out;
}

/** @param {string} token @param {boolean} isKey */
function value(token, isKey) {
  if (isKey) return h("span", { class: "json-key" }, token);
  if (!token.startsWith('"')) return h("span", { class: "json-value" }, token);
  const address = String(JSON.parse(token));
  const detail = DETAIL.exec(address);
  const href = detail ? pageHref(Number(detail[1])) : /^https?:\/\/\S+$/.test(address) ? address : undefined;
  if (href === undefined) return h("span", { class: "json-text" }, token);
  return h("a", detail ? { href } : { href, rel: "noreferrer" }, token);
}

/** @param {Page} page */
const requests = (page) => {
  const address = page.meta.detail_url;
  const base = address.replace(/\/api\/v2\/pages\/\d+\/$/, "");
  return {
    curl: `curl ${address}`,
    fetch: `const response = await fetch(${JSON.stringify(address)});\nconst page = await response.json();`,
    TypeScript: `import { fetchPage, isPage } from "./pages.ts"; // npx page-api types --out pages.ts\n\nconst page = await fetchPage(${JSON.stringify(base)}, ${page.id});`,
  };
};

/**
 * Whether the visitor last opened or closed the JSON; undefined if they left it as it was.
 * @type {boolean | undefined}
 */
let isOpened;

/**
 * The region with the exact response of the API. Its JSON is open at first if there is space, unless editors see it too.
 * @param {Page} page
 * @param {{ text: string, bytes: number }} response
 * @param {{ draft: import("./drafts.js").DraftRecord | undefined, isEditable: boolean }} options
 */
export function responseRegion(page, { text, bytes }, { draft, isEditable }) {
  const said = h("span", { class: "said", role: "status" });
  const shown = h("pre", { class: "request", tabindex: "0", "aria-label": "Request", hidden: true });
  const copy = (/** @type {string} */ name, /** @type {string} */ request) =>
    h(
      "button",
      {
        type: "button",
        click: async () => {
          shown.textContent = request;
          shown.hidden = false;
          try {
            await navigator.clipboard.writeText(request);
            said.textContent = `Copied for ${name}.`;
          } catch {
            said.textContent = "Not copied: select the request below and copy it.";
          }
        },
      },
      name,
    );
  const buttons = Object.entries(requests(page)).map(([name, request]) => copy(name, request));
  /** @type {HTMLDetailsElement} */
  const details = h(
    "details",
    { class: "raw", open: isOpened ?? (!isEditable && matchMedia("(min-width: 60rem)").matches) },
    h(
      "summary",
      { click: () => (isOpened = !details.open) },
      "Raw JSON ",
      h("span", { class: "count" }, `${bytes.toLocaleString("en")} bytes`),
    ),
    h("pre", { class: "json", tabindex: "0", "aria-label": "JSON" }, printed(text)),
  );
  const region = h("section", { class: "response", "aria-label": "Response" }, h("h2", {}, "Response"));
  if (draft !== undefined) {
    region.append(
      h(
        "p",
        {},
        draft.isExpired
          ? "This page has expired; the API no longer returns it."
          : "The API will return this response once the page is published.",
      ),
      fields(page),
      details,
    );
    return region;
  }
  region.append(
    h(
      "p",
      { class: "get" },
      h("span", { class: "method" }, "GET"),
      " ",
      h("a", { href: new URL(page.meta.detail_url).pathname }, page.meta.detail_url),
    ),
    h(
      "div",
      { class: "copy", role: "group", "aria-label": "Copy the request" },
      h("span", { "aria-hidden": "true" }, "Copy:"),
      ...buttons,
      said,
    ),
    shown,
    fields(page),
    details,
  );
  return region;
}

/** The field reference with descriptions from the contract, loaded when it is opened. @param {Page} page */
function fields(page) {
  const details = h("details", { class: "fields" }, h("summary", {}, "Field reference"));
  const load = async () => {
    if (!details.open || details.childElementCount > 1) return;
    const box = h("div", {}, "Loading…");
    details.append(box);
    try {
      const reply = await fetch("/schema/page.json");
      box.replaceChildren(reference(await reply.json(), page));
    } catch {
      box.textContent = "The field reference could not be loaded.";
    }
  };
  details.addEventListener("toggle", () => void load());
  return details;
}

/** @param {any} root the schema of responses @param {Page} page */
function reference({ oneOf: types, $defs: schemas }, page) {
  /** @type {(schema: any) => any} */
  const resolve = (schema) =>
    typeof schema?.$ref === "string" ? schemas[schema.$ref.slice("#/$defs/".length)] : schema;
  /** @type {(schema: any) => string} */
  const typeOf = ({ properties }) => resolve(properties.meta).properties.type.const;
  const own = types.map(resolve).find((/** @type {any} */ one) => typeOf(one) === page.meta.type);
  const list = h("dl", {});
  /** @type {(schema: any, path: string, depth: number) => void} */
  const add = (schema, path, depth) => {
    /** @type {Record<string, any>} */
    const properties = resolve(schema)?.properties ?? {};
    for (const [name, field] of Object.entries(properties)) {
      const found = resolve(field);
      const isList = found.type === "array";
      const text = field.description ?? found.description ?? "";
      const kind = found.type ?? (found.const === undefined ? "" : JSON.stringify(found.const));
      list.append(
        h("dt", {}, h("code", {}, path + name), " ", h("span", { class: "aside" }, String(kind))),
        h("dd", {}, text),
      );
      if (depth > 0) add(isList ? found.items : field, `${path}${name}${isList ? "[]" : ""}.`, depth - 1);
    }
  };
  add(own, "", 2);
  return list;
}
