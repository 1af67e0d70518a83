import type { Site } from "../../page/site.ts";
import type { PageType } from "../../page/types.ts";
import { bytesOf } from "./bytes.ts";
import { childAddress, homeAddress, type Parent } from "../../sources/tree.ts";

/** What the page encodedParent contributes, ready to be copied. */
export interface EncodedParent {
  type: PageType | "root";
  /** The address below which the page's slug follows; of the home page the address itself. */
  address: DataView;
  parent: DataView;
}

export function encodeParent(parent: Parent | "root" | undefined, site: Site): EncodedParent | undefined {
  if (parent === "root")
    return {
      type: parent,
      address: bytesOf(JSON.stringify(homeAddress(site))),
      parent: bytesOf("null"),
    };
  if (parent?.type === undefined || parent.summary === undefined) return undefined;
  const address = JSON.stringify(childAddress(parent.address, "", { ...site, append_slash: false })).slice(
    0,
    -1,
  );
  return {
    type: parent.type,
    address: bytesOf(address),
    parent: bytesOf(JSON.stringify(parent.summary)),
  };
}
