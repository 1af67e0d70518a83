import type { Claims } from "../../check/claims.ts";
import type { Finding } from "../../findings/finding.ts";
import type { Publication } from "../output/publish.ts";
import type { ReadPages } from "../read.ts";
import type { Replacement } from "../replace.ts";
import type { Showcase } from "../showcase.ts";

/** What the parts of an output are staged from, after all pages have been read. */
export interface Staging {
  publication: Publication;
  pages: ReadPages;
  claims: Claims;
  replacement: Replacement;
  showcase: Showcase;
}

/** A part of the output beside its pages. */
export interface Part<State> {
  /** Whether nothing of it has to change, if no page does. */
  isUnchanged: () => boolean;
  /** Stages all changes before anything is renamed. @returns errors: then nothing is published. */
  stage: (staging: Staging) => Promise<Finding[]>;
  /** Removes obsolete files after the staged files are renamed. */
  commit: () => void;
  /** What the next build has to know, after all is published. */
  state: () => State;
}
