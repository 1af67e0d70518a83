import * as fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import type { ZodRawShape } from "zod";
import { ClaimCollector } from "../../build/check/claims.ts";
import { checkBelow } from "../../build/check/parent.ts";
import { parseJson } from "../../build/json/parse.ts";
import type { Derivation, TextOf } from "../../build/page/derive.ts";
import { openFastPath } from "../../build/response/fast-path.ts";
import { render } from "../../build/response/render.ts";
import { parent, site } from "./place.ts";
import { anyValue } from "./sound.ts";

/*
 * Tests every kind of row of `page/derive.ts` in positions where no current row is: in optional objects, in objects
 * that many pages repeat, and derived from fields that are missing or printed differently from their spelling.
 */

vi.mock("../../build/page/page.ts", async (original) => {
  const page = await original<typeof import("../../build/page/page.ts")>();
  const { derived, flag, id, identified, list, text, textOrDerived } =
    await import("../../build/page/field.ts");
  const z = await import("zod");
  const from = "others";
  const label: TextOf = {
    kind: "text",
    from,
    fields: ["shortTitle", "isOld"],
    text: ([title, isOld]) => `${String(title)} “${String(isOld)}”`,
  };
  const rows = {
    constant: { kind: "constant", from, value: "é" },
    address: { kind: "place", from, part: "address" },
    copy: { kind: "copy", from, path: ["catalogue_group", "title"] },
    copyOfList: { kind: "copy", from, path: ["location_card", "data", "card_label"] },
    ofPlain: { kind: "each", from, list: "master_images", field: "default_url" },
    ofRepeated: { kind: "each", from, list: "groups", field: "isOld" },
    ofSizes: { kind: "text", from, fields: ["sizes"], text: ([sizes]) => JSON.stringify(sizes) },
  } satisfies Record<string, Derivation>;
  const artwork = page.sourceSchemas["artworks.ArtworkPage"];
  const { master_images, catalogue_group } = artwork.shape;
  const image = master_images.unwrap().element.extend({ ofSizes: derived(z.string(), rows.ofSizes) });
  const group = (kind: string, more: ZodRawShape) =>
    list(
      identified(
        z.strictObject({ id: id(), shortTitle: text(), isOld: flag(), label: textOrDerived(label), ...more }),
        kind,
        "id",
        "shortTitle",
      ),
    );
  const extended = artwork.extend({
    groups: group("group", { name: derived(z.string(), label) }),
    giftGroups: group("gift group", { on: derived(z.string(), rows.address) }),
    master_images: list(image),
    catalogue_group: catalogue_group
      .unwrap()
      .extend({ on: derived(z.string(), rows.address) })
      .prefault({}),
    constant: derived(z.string(), rows.constant),
    address: derived(z.string(), rows.address),
    copy: derived(z.string(), rows.copy),
    copyOfList: derived(z.array(z.string()), rows.copyOfList),
    ofPlain: derived(z.array(z.string()), rows.ofPlain),
    ofRepeated: derived(z.array(z.boolean()), rows.ofRepeated),
  });
  return { ...page, sourceSchemas: { ...page.sourceSchemas, "artworks.ArtworkPage": extended } };
});

const { sourceSchemas } = await import("../../build/page/page.ts");

const positionOf = (slug: string) => ({
  slug,
  address: `${parent.address}${slug}/`,
  parent: parent.summary ?? null,
});

describe("a derived field of any kind", () => {
  it("has the same value on both paths", () => {
    const fastPath = openFastPath(site, new ClaimCollector());
    let taken = 0;
    let withTitle = 0;
    fc.assert(
      fc.property(
        anyValue(sourceSchemas["artworks.ArtworkPage"]),
        fc.constantFrom("a", "b-c"),
        (source, slug) => {
          const at = positionOf(slug);
          const bytes = Buffer.from(JSON.stringify(source));
          const { page, nodes } = checkBelow(parseJson("page.json", bytes), parent, site);
          const fast = fastPath.take(bytes, parent, slug)?.bytes.toString();
          if (fast === undefined) return;
          taken++;
          expect(fast).toBe(page && render(page, at, site, nodes).toString());
          const response = JSON.parse(fast) as Record<string, unknown> & { groups: { name: string }[] };
          if (response["copy"] !== "") withTitle++;
          expect(response["constant"]).toBe("é");
          expect(response["address"]).toBe(at.address);
          expect(response["copy"]).toBe((response["catalogue_group"] as { title: string }).title);
        },
      ),
      { numRuns: 300, seed: 1, endOnFailure: true },
    );
    // If an optional object with a field from the page's position is missing, the full path prints the page.
    expect(taken).toBeGreaterThan(50);
    expect(withTitle).toBeGreaterThan(20);
  });
});
