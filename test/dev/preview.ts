import { afterEach, beforeEach } from "vitest";
import { develop, type Developing, type DevelopOptions } from "../../build/dev/develop.ts";
import { reserveFreePort } from "../../build/hosting/port.ts";
import { readHeaders } from "../../build/hosting/conformance.ts";
import type { Built } from "../../build/site/outcome.ts";
import { placeOfEachTest } from "../each.ts";
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

/** A workplace that is new before each test, and its preview, which runs from `start` until the test ends. */
export function previewOfEachTest(name: string, sources?: Record<string, unknown>) {
  const place = placeOfEachTest(name, sources);
  const built: Built[] = [];
  const troubles: unknown[] = [];
  let running: Developing | undefined;
  const stop = async (): Promise<void> => {
    await running?.close();
    running = undefined;
  };
  beforeEach(() => {
    for (const list of [built, troubles]) list.length = 0;
  });
  afterEach(stop);
  return {
    place,
    built,
    troubles,
    start: async (more: Partial<DevelopOptions> = {}): Promise<void> => {
      await stop();
      running = await startPreview(place, {
        onBuilt: (result) => built.push(result),
        onTrouble: (trouble) => troubles.push(trouble),
        ...more,
      });
    },
    urlOf: (path: string): string => `${running?.baseUrl}${path}`,
  };
}
