import { beforeEach } from "vitest";
import { workplace, type Workplace } from "./site/site.ts";

/** A workplace that is new before each test, with the sources of a site, if there are any. */
export function placeOfEachTest(name: string, sources?: Record<string, unknown>, below?: string) {
  const place = {} as Workplace;
  beforeEach(() => {
    Object.assign(place, workplace(name, below));
    if (sources !== undefined) place.putAll(sources);
  });
  return place;
}
