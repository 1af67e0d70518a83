import { describe, expect, it } from "vitest";
import { PageValidator } from "../fuzz/validate.ts";
import { SITE, work } from "../site/site.ts";

const artwork = (field: string, value: string): string =>
  JSON.stringify(work(31, "Marsh")).replace(/\}$/, `,"${field}":${value}}`);
const text = (value: string): string => JSON.stringify(value);
const list = (item: string, n: number): string => `[${`${item},`.repeat(n - 1)}${item}]`;

/** Sources of a size, each as expensive to read as possible. */
const HOSTILE: Record<string, (n: number) => string> = {
  "a long list of objects": (n) => artwork("location", list("{}", n)),
  "a long list of subjects": (n) =>
    artwork("subjects", list('{"id":1,"name":"a","level":1,"parent_id":2}', n / 10)),
  "a long list of sizes": (n) =>
    artwork(
      "master_images",
      `[{"sizes":${list('[1,"0-1","/a"]', n / 5)},"default_url":"/a","current_size":"0-1","height_ratio":1,"max_width":1}]`,
    ),
  "many unknown fields": (n) =>
    artwork("x", `1,${Array.from({ length: n / 4 }, (_, i) => `"x${i}":1`).join()}`),
  "many unknown fields beside many wrong values": (n) =>
    artwork("subjects", `${list("1", n / 4)},${Array.from({ length: n / 4 }, (_, i) => `"x${i}":1`).join()}`),
  "many halves of characters": (n) => artwork("x", list('"\\ud800"', n / 4)),
  "many numbers that cannot be kept": (n) => artwork("x", list("1e400", n / 4)),
  "a long text of escapes": (n) => artwork("medium", `"${"\\u0041".repeat(n)}"`),
  "a number of many digits": (n) => artwork("popularity", "1".repeat(n)),
  "brackets that are never closed": (n) => artwork("location", "[".repeat(n)),
  "a text that is never closed": (n) => `{"title":"${"a".repeat(n)}`,
  "a text of backslashes": (n) => artwork("medium", `"${"\\\\".repeat(n)}"`),
  "white space": (n) => `${" \n".repeat(n)}{`,
  "a long list of ids": (n) => artwork("mltArtists", text("1 ".repeat(n))),
  "a long code": (n) =>
    artwork("resources", `[{"type":${text(`${"A_".repeat(n)}!`)},"publication_date":"2001-01-01T00:00:00"}]`),
  "a long address": (n) => artwork("shop_url", text(`https://example.org/${"a/".repeat(n)}\u0001`)),
  "a long date": (n) => artwork("onlinePubDate", text(`2001-01-01 00:00:00.${"0".repeat(n)}x`)),
  "a long range": (n) =>
    artwork(
      "master_images",
      `[{"sizes":[[1,${text(`${"0".repeat(n)}-`)},"/a"]],"default_url":"/a","current_size":"0-1"}]`,
    ),
  "long HTML": (n) => artwork("description", text("<p>Marsh <em>and</em> pool.</p>".repeat(n / 30))),
  "HTML of nested elements": (n) =>
    artwork("description", text("<div>".repeat(n / 11) + "</div>".repeat(n / 11))),
  "HTML of elements that are never closed": (n) => artwork("description", text("<b>".repeat(n / 3))),
  "HTML of tags in the wrong order": (n) => artwork("description", text("<b><i></b></i>".repeat(n / 14))),
  "HTML of forbidden elements": (n) => artwork("description", text("<blink>".repeat(n / 7))),
  "HTML of misplaced texts": (n) => artwork("description", text(`<table>${"x<br>".repeat(n / 5)}</table>`)),
  "HTML of stray closing tags": (n) => artwork("description", text("</b>".repeat(n / 4))),
  "HTML of less-than signs": (n) => artwork("description", text("<".repeat(n))),
  "HTML of comments that are never closed": (n) => artwork("description", text("<!--".repeat(n / 4))),
  "HTML of one tag with many attributes": (n) => artwork("description", text(`<p ${"a ".repeat(n / 2)}>`)),
  "HTML of entities": (n) => artwork("description", text(`<p>${"&amp".repeat(n / 4)}</p>`)),
  "HTML with a long link": (n) => artwork("description", text(`<a href="${" ".repeat(n)}javascript:">x</a>`)),
  "HTML with a long scheme": (n) => artwork("description", text(`<a href="${"a".repeat(n)}">x</a>`)),
  "HTML in escapes": (n) =>
    artwork("description", `"${"\\u003cp\\u003ea\\u003c/p\\u003e\\n".repeat(n / 20)}\\u003cblink\\u003e"`),
};

const SMALL = 80_000;
const FACTOR = 8;

const validator = new PageValidator({ ...SITE, append_slash: true, owned_paths: [] });

const TRIES = 3;

/** Processor time in milliseconds: the minimum of some attempts. An attempt within `enough` is the last. */
function cost(source: string, enough = 0): number {
  const bytes = Buffer.from(source);
  let least = Number.POSITIVE_INFINITY;
  for (let n = 0; n < TRIES && least > enough; n++) {
    const before = process.cpuUsage();
    validator.validate(bytes, "artworks.ArtworkPage");
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

describe("an expensive source", () => {
  it.each(Object.entries(HOSTILE))("%s: takes time in proportion to its size", (_, make) => {
    cost(make(SMALL / 10));
    const small = cost(make(SMALL));
    // Quadratic time would be sixty-four times as much.
    const bound = 25 * (small + 20);
    expect(cost(make(SMALL * FACTOR), bound)).toBeLessThanOrEqual(bound);
  });
});
