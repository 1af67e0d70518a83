import { pageAt } from "./data.js";
import { h, pageHref } from "./dom.js";

/** Loaded when it is needed: it is as large as all other scripts together, and only the view of a work shows HTML. */
export const sanitiser = () => import("./purify.js");

/** The sanitiser adds this prefix to each id in a text, so that no text can imitate a part of the UI. */
export const ID_PREFIX = "user-content-";

/**
 * The address in the UI of the published page that a link in a text leads to, with its fragment; undefined for all other
 * links.
 * @param {URL} target
 * @param {string} base
 */
async function addressInUi(target, base) {
  if (!target.href.startsWith(`${base}/`) || target.search !== "") return undefined;
  const id = await pageAt(target.pathname.slice(new URL(base).pathname.replace(/\/$/, "").length)).catch(
    () => undefined,
  );
  return id === undefined ? undefined : pageHref(id) + fragmentInUi(target.hash);
}

/** @param {string} fragment with its `#`, or empty */
const fragmentInUi = (fragment) => (fragment.length > 1 ? `#${ID_PREFIX}${fragment.slice(1)}` : "");

/**
 * The HTML of a field. The build has checked it, but a sanitiser removes scripts, styles and pictures again.
 * @param {string} html
 * @param {string} base
 */
export async function rich(html, base) {
  const { default: DOMPurify } = await sanitiser();
  const fragment = DOMPurify.sanitize(html, {
    RETURN_DOM_FRAGMENT: true,
    USE_PROFILES: { html: true },
    FORBID_TAGS: [
      "style",
      "img",
      "picture",
      "video",
      "audio",
      "source",
      "form",
      "input",
      "button",
      "textarea",
      "select",
      "svg",
      "math",
    ],
    FORBID_ATTR: ["style", "class", "name", "target", "srcset", "background"],
    ADD_ATTR: ["linktype"],
    SANITIZE_NAMED_PROPS: true,
  });
  // Wagtail stores a link to a page by the page's id.
  for (const link of fragment.querySelectorAll('a[linktype="page"]')) {
    const id = Number(link.id.replace(ID_PREFIX, ""));
    if (Number.isSafeInteger(id) && id > 0) link.setAttribute("href", pageHref(id));
    for (const name of ["id", "linktype"]) link.removeAttribute(name);
  }
  await Promise.all(
    [...fragment.querySelectorAll("a[href]")].map(async (link) => {
      const href = link.getAttribute("href") ?? "";
      if (href.startsWith("/?page=")) return;
      if (href.startsWith("#")) {
        link.setAttribute("href", fragmentInUi(href));
        return;
      }
      if (!URL.canParse(href, base)) return;
      const target = new URL(href, base);
      const inUi = await addressInUi(target, base);
      link.setAttribute("href", inUi ?? target.href);
      if (inUi === undefined) link.setAttribute("rel", "noreferrer");
    }),
  );
  // A text can mix languages that are written from right to left with others.
  for (const block of fragment.children) if (!block.hasAttribute("dir")) block.setAttribute("dir", "auto");
  const box = h("div", { class: "rich", dir: "auto" });
  box.append(fragment);
  return box;
}
