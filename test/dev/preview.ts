import { develop, type Developing, type DevelopOptions } from "../../build/dev/develop.ts";
import { reserveFreePort } from "../../build/hosting/port.ts";
import { readHeaders } from "../../build/hosting/conformance.ts";
import type { Workplace } from "../site/site.ts";
import { firstPort } from "../ports.ts";

export async function startPreview(
  { content, out, cache }: Pick<Workplace, "content" | "out" | "cache">,
  more: Partial<DevelopOptions> = {},
): Promise<Developing> {
  const { port, release } = await reserveFreePort(firstPort());
  await release();
  return develop({
    content,
    out,
    cache,
    port,
    rules: readHeaders().rules,
    onBuilt: () => undefined,
    onTrouble: () => undefined,
    ...more,
  });
}
