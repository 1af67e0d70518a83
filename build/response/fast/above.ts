import type { Site } from "../../page/site.ts";
import type { PageType } from "../../page/types.ts";
import { bytesOf } from "./bytes.ts";
import { childAddress, homeAddress, type Owner } from "../../sources/tree.ts";

/** What the page above contributes, ready to be copied. */
export interface Above {
  type: PageType | "root";
  /** The address below which the page's slug follows; of the home page the address itself. */
  address: DataView;
  parent: DataView;
}

export function aboveOf(owner: Owner | "root" | undefined, site: Site): Above | undefined {
  if (owner === "root")
    return {
      type: owner,
      address: bytesOf(JSON.stringify(homeAddress(site))),
      parent: bytesOf("null"),
    };
  if (owner?.type === undefined || owner.summary === undefined) return undefined;
  const address = JSON.stringify(childAddress(owner.address, "", { ...site, append_slash: false })).slice(
    0,
    -1,
  );
  return {
    type: owner.type,
    address: bytesOf(address),
    parent: bytesOf(JSON.stringify(owner.summary)),
  };
}
