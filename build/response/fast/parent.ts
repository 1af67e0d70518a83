import type { Site } from "../../page/site.ts";
import type { PageType } from "../../page/types.ts";
import { bytesOf } from "./bytes.ts";
import { childAddress, homeAddress, type Parent } from "../../sources/tree.ts";

/** What a page's response needs of its parent, ready to be copied. */
export interface EncodedParent {
  type: PageType | "root";
  /** The address below which the page's slug follows; of the home page the address itself. */
  address: DataView;
  parent: DataView;
}

/** Undefined where the parent is not sound. */
export function encodeParent(parent: Parent | "root", site: Site): EncodedParent | undefined {
  if (parent === "root")
    return {
      type: parent,
      address: bytesOf(JSON.stringify(homeAddress(site))),
      parent: bytesOf("null"),
    };
  if (parent.type === undefined || parent.summary === undefined) return undefined;
  const address = childAddress(parent.address, "", { ...site, append_slash: false });
  return {
    type: parent.type,
    address: bytesOf(JSON.stringify(address).slice(0, -1)),
    parent: bytesOf(JSON.stringify(parent.summary)),
  };
}
