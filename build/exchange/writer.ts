import { schemaReference } from "../outputs/contract/location.ts";
import { formatJson } from "../source/json/format.ts";
import { StagedFolder, assertEmpty } from "../site/output/staged-folder.ts";
import { SITE } from "../source/site-files.ts";
import { MEDIA_FOLDER } from "../source/image-kinds.ts";

const STAGING = ".importing";

/** @throws Failure if an import cannot write into a folder. */
export const assertNoSources = (folder: string): void => void assertEmpty(folder, STAGING);

/** Writes sources into a folder that is empty or does not exist yet, either all of them or none. */
export class SourceWriter extends StagedFolder {
  /** Whether the site's sources have a schema of their own. */
  hasOwnSchema = false;

  /** @param kept the names of files that may be in the folder already */
  constructor(folder: string, kept: readonly string[] = []) {
    super(folder, STAGING, "import", kept);
  }

  /** `path` is relative to the folder, with slashes. */
  write(path: string, source: object): void {
    this.writeFile(path, formatJson(source));
  }

  /** Returns false if another image has the name, on a disk that does not distinguish case. */
  writeImage(path: string, bytes: Uint8Array): boolean {
    try {
      this.writeFile(`${MEDIA_FOLDER}/${path}`, bytes);
      return true;
    } catch (cause) {
      if (!["EEXIST", "ENOTDIR", "ENAMETOOLONG"].includes((cause as NodeJS.ErrnoException).code ?? ""))
        throw cause;
      return false;
    }
  }

  /** The `$schema` of a source at this path, for callers that write it. */
  schemaOf(path: string): string {
    return schemaReference(this.folder, path, this.hasOwnSchema);
  }

  override commit(): void {
    // Without `_site.json`, no build takes the other sources for a whole site.
    super.commit(SITE);
  }

  /** Commits for more work on the sources. If it fails, the folder is as empty as before. */
  async commitFor<T>(work: () => Promise<T>): Promise<T> {
    try {
      this.place(SITE);
      const result = await work();
      this.end();
      return result;
    } catch (cause) {
      this.abandon();
      throw cause;
    }
  }
}
