import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { instantAt } from "../../build/base/instant.ts";
import { SourceFolder } from "../../build/dev/source-folder.ts";
import { WatchBuild } from "../../build/site/watch-build.ts";
import { page, SITE, work, workplace, type Workplace } from "../site/site.ts";
import { programModel } from "../../build/model/program-model.ts";

const subject = (id: number, name: string) => ({ id, name, level: 2, parent_id: 9 });

describe("the things of a site", () => {
  let place: Workplace;
  let live: WatchBuild;
  let things: SourceFolder;

  /** Builds after a save, as a preview does. @returns whether the site is published. */
  async function build(): Promise<boolean> {
    const { published } = await live.update("anything", instantAt(Date.UTC(2024)));
    things.forgetThings();
    return published !== undefined;
  }

  const names = async (kind: string, words: string): Promise<unknown[]> =>
    (await things.findThings(kind, words)).map(({ written, pages }) => [written["name"], pages]);

  const classified = async () =>
    (await things.findThings("classification", "")).map((one) => Object.values(one));

  beforeEach(async () => {
    place = workplace("things");
    const { content } = place;
    place.put("_site.json", SITE);
    place.put("index.json", page(100, "home.HomePage", "Home"));
    place.put("works/index.json", page(101, "artworks.ArtworkIndexPage", "Works"));
    place.put("works/a.json", work(1, "A", { subjects: [subject(1, "Water"), subject(2, "Waterfall")] }));
    place.put(
      "works/_b.json",
      work(2, "B", {
        subjects: [subject(2, "Waterfall"), subject(2, "Waterfall"), subject(3, "Café")],
        contributors: [{ fc: "J.M.W. Turner", url: "https://www.example.org/turner" }, { fc: "Nobody" }],
        appt_venue: "PR",
        appt_venue_name: "Print room",
        classification: { id: 7 },
        medium: "Etching on paper",
      }),
    );
    live = new WatchBuild({ ...place, browse: true });
    things = new SourceFolder(content, live, programModel);
    await build();
  });

  afterEach(() => live.close());

  it("are found by their words, the most frequent first, each once", async () => {
    expect(await names("subject", "WATER")).toEqual([
      ["Waterfall", 2],
      ["Water", 1],
    ]);
    expect((await things.findThings("subject", "water fall"))[0]?.written).toEqual(subject(2, "Waterfall"));
    expect(await names("subject", "cafe")).toEqual([["Café", 1]]);
  });

  it("include every kind that a page can mention and that has an identifier", async () => {
    const written = async (kind: string, words: string) =>
      (await things.findThings(kind, words)).map((one) => one.written);
    expect(await written("contributor", "turner")).toEqual([
      { fc: "J.M.W. Turner", url: "https://www.example.org/turner" },
    ]);
    expect(await written("contributor", "unknown")).toEqual([]);
    expect(await written("venue", "print")).toEqual([{ appt_venue: "PR", appt_venue_name: "Print room" }]);
    // A classification has no name, so it is found by the media of its works.
    expect(await things.findThings("classification", "etching")).toEqual([
      { written: { id: 7 }, pages: 1, note: "Etching on paper" },
    ]);
    expect(await written("colour", "")).toEqual([]);
  });

  it("follow every save", async () => {
    expect(await names("subject", "sea")).toEqual([]);
    place.put("works/c.json", work(4, "C", { subjects: [subject(8, "Sea")] }));
    await build();
    expect(await names("subject", "sea")).toEqual([["Sea", 1]]);
    place.put("works/_b.json", work(2, "B", { subjects: [subject(8, "Sea")] }));
    await build();
    expect(await names("subject", "sea")).toEqual([["Sea", 2]]);
    expect(await names("subject", "cafe")).toEqual([]);
    place.drop("works/c.json");
    await build();
    expect(await names("subject", "sea")).toEqual([["Sea", 1]]);
  });

  it("include those of pages that are not live, and have a note from the page with the smallest id", async () => {
    const { meta, ...later } = work(5, "Later", { subjects: [subject(8, "Sea")], format: "Etching" });
    place.put("works/e.json", { ...later, meta: { ...meta, go_live_at: "2030-01-01T00:00:00Z" } });
    place.put("works/c.json", work(6, "C", { format: "Painting" }));
    await build();
    expect(await names("subject", "sea")).toEqual([["Sea", 1]]);
    expect(await classified()).toEqual([
      [{ id: 5 }, 3, ""],
      [{ id: 7 }, 1, "Etching on paper"],
    ]);
    place.drop("works/a.json");
    await build();
    expect(await classified()).toEqual([
      [{ id: 5 }, 2, "Etching"],
      [{ id: 7 }, 1, "Etching on paper"],
    ]);
  });

  it.each(["after a valid build", "from the start"])(
    "follow saves while the site has errors, %s",
    async (since) => {
      place.put("works/broken.json", '{"id": 3');
      if (since === "from the start") {
        live.close();
        live = new WatchBuild({ content: place.content, out: `${place.out}-2`, cache: `${place.cache}-2` });
        things = new SourceFolder(place.content, live, programModel);
      }
      for (const name of ["Sea", "Seaside", "Mere"]) {
        const subjects = [subject(1, "Water"), subject(8, name)];
        place.put("works/c.json", work(4, "C", { titel: "", subjects }));
        expect(await build()).toBe(false);
        expect((await names("subject", "")).slice(0, 2)).toEqual([
          ["Water", 2],
          ["Waterfall", 2],
        ]);
        expect(await names("subject", name)).toEqual([[name, 1]]);
      }
      for (const file of ["broken", "c"]) place.drop(`works/${file}.json`);
      expect(await build()).toBe(true);
      expect(await names("subject", "")).toEqual([
        ["Waterfall", 2],
        ["Café", 1],
        ["Water", 1],
      ]);
    },
  );

  it("come with the site's settings and the images beside the pages", () => {
    const folder = new SourceFolder(place.content, live, programModel);
    expect(folder.site()).toMatchObject({ media_url: SITE.media_url, append_slash: true });
    expect(folder.images()).toEqual([]);
    for (const name of ["pier.jpg", "works/a b.png", ".hidden", "notes.txt"])
      place.put(`_media/${name}`, "image");
    expect(folder.images()).toEqual(["pier.jpg", "works/a b.png"]);
    place.put("_site.json", { ...SITE, media_url: "nowhere" });
    expect(folder.site()).toBeNull();
  });
});
