import { beforeEach, describe, expect, it } from "vitest";
import { SiteThings } from "../../build/dev/site-things.ts";
import { SourceFolder } from "../../build/dev/source-folder.ts";
import { SITE, work, workplace, write, type Workplace } from "../pipeline/site.ts";

const subject = (id: number, name: string) => ({ id, name, level: 2, parent_id: 9 });

describe("the things of a site", () => {
  let place: Workplace;
  let things: SiteThings;

  beforeEach(() => {
    place = workplace("things");
    write(place.content, "_site.json", SITE);
    write(
      place.content,
      "a.json",
      work(1, "A", { subjects: [subject(1, "Water"), subject(2, "Waterfall")] }),
    );
    write(
      place.content,
      "_b.json",
      work(2, "B", {
        subjects: [subject(2, "Waterfall"), subject(2, "Waterfall"), subject(3, "Café")],
        contributors: [{ fc: "J.M.W. Turner", url: "https://www.example.org/turner" }, { fc: "Nobody" }],
        appt_venue: "PR",
        appt_venue_name: "Print room",
        classification: { id: 7 },
        medium: "Etching on paper",
      }),
    );
    write(place.content, "broken.json", '{"id": 3');
    things = new SiteThings(place.content);
  });

  it("are found by their words, the most frequent first, each once", async () => {
    const found = await things.find("subject", "WATER");
    expect(found.map(({ written, pages }) => [written["name"], pages])).toEqual([
      ["Waterfall", 2],
      ["Water", 1],
    ]);
    expect(found[0]?.written).toEqual(subject(2, "Waterfall"));
    expect((await things.find("subject", "cafe")).map(({ written }) => written["id"])).toEqual([3]);
  });

  it("include every kind that a page can mention and that has an identifier", async () => {
    const written = async (kind: string, words: string) =>
      (await things.find(kind, words)).map((one) => one.written);
    expect(await written("contributor", "turner")).toEqual([
      { fc: "J.M.W. Turner", url: "https://www.example.org/turner" },
    ]);
    expect(await written("contributor", "nobody")).toEqual([]);
    expect(await written("venue", "print")).toEqual([{ appt_venue: "PR", appt_venue_name: "Print room" }]);
    // A classification has no name, so it is found by the media of its works.
    expect(await things.find("classification", "etching")).toEqual([
      { written: { id: 7 }, pages: 1, note: "Etching on paper" },
    ]);
    expect(await written("colour", "")).toEqual([]);
  });

  it("are read again after a change", async () => {
    expect(await things.find("subject", "sea")).toEqual([]);
    write(place.content, "c.json", work(4, "C", { subjects: [subject(8, "Sea")] }));
    things.forget();
    expect(await things.find("subject", "sea")).toHaveLength(1);
  });

  it("come with the site's settings and the images beside the pages", () => {
    const folder = new SourceFolder(place.content, { fileOf: () => undefined });
    expect(folder.site()).toMatchObject({ media_url: SITE.media_url, append_slash: true });
    expect(folder.images()).toEqual([]);
    for (const name of ["pier.jpg", "works/a b.png", ".hidden", "notes.txt"])
      write(place.content, `_media/${name}`, "image");
    // They come from another host.
    expect(folder.images()).toEqual([]);
    write(place.content, "_site.json", { ...SITE, media_url: `${SITE.base_url}/media` });
    expect(folder.images()).toEqual(["/pier.jpg", "/works/a%20b.png"]);
    write(place.content, "_site.json", { ...SITE, media_url: SITE.base_url });
    expect(folder.images()).toEqual(["/media/pier.jpg", "/media/works/a%20b.png"]);
    write(place.content, "_site.json", { ...SITE, media_url: "nowhere" });
    expect(folder.site()).toBeNull();
  });
});
