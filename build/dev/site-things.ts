import {
  needsNote,
  noteOf,
  searchedThing,
  searchThings,
  type SearchedThing,
  type Thing,
} from "../editor/form/things.ts";
import { describedThings, valuesReader } from "../editor/published.ts";
import type { EntityKind } from "../page/page.ts";
import type { WatchBuild } from "../pipeline/watch-build.ts";
import { SourceReader } from "../sources/read.ts";

/** By kind. */
type Kinds = ReadonlyMap<string, readonly SearchedThing[]>;

/** The things of a site, such as subjects, for the pickers of the editor: those of its pages and drafts. */
export class SiteThings {
  private readonly content: string;
  private readonly live: Pick<WatchBuild, "claims">;
  private known: Promise<Kinds> | undefined;

  constructor(content: string, live: Pick<WatchBuild, "claims">) {
    this.content = content;
    this.live = live;
  }

  /** Called when the sources have changed. */
  forget(): void {
    this.known = undefined;
  }

  /** The things of a kind that contain all the words, the most frequent first. */
  async find(kind: string, words: string): Promise<Thing[]> {
    this.known ??= this.collect();
    return searchThings((await this.known).get(kind) ?? [], words);
  }

  private async collect(): Promise<Kinds> {
    const found = await this.live.claims();
    if (found === undefined) return new Map();
    const { entities, claims, idOf, pathOf } = found;
    const reader = new SourceReader();
    const noteOn = (kind: EntityKind, file: number): string => {
      try {
        const { bytes } = reader.readBytes(`${this.content}/${pathOf(file)}`, pathOf(file));
        return noteOf(kind, JSON.parse(bytes?.toString("utf8") ?? ""));
      } catch {
        // The source is not valid JSON any more, or has just been removed.
        return "";
      }
    };
    return new Map(
      describedThings(entities, claims, idOf).map(([kind, things]) => {
        const { identity } = kind;
        const valuesOf = valuesReader(kind);
        const searched = things.map((thing, rank) => {
          const note = needsNote(identity, rank) ? noteOn(kind, thing.example) : "";
          return searchedThing(identity, valuesOf(thing), thing.pages, note, idOf(thing.example));
        });
        return [identity.kind, searched];
      }),
    );
  }
}
