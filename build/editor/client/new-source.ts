import { hasFolder, isDraftFile, newFile, type NewPlace } from "../form/place.ts";
import { StoreFailure } from "../store.ts";
import type { EditorHost } from "./host.ts";

/** The file of a new page, and its `$schema`. If its parent has no folder for subpages, the store gives it one. */
export async function newSource(
  { pages, store }: Pick<EditorHost, "pages" | "store">,
  { parentFile, ...place }: Omit<NewPlace, "parentFile"> & { parentFile: string | undefined },
): Promise<{ file: string; schema: string }> {
  if (parentFile === undefined)
    throw new StoreFailure("The parent page has no source file. Choose another parent.");
  if (isDraftFile(parentFile) && !hasFolder(parentFile))
    throw new StoreFailure("The parent page is a draft, which has no subpages. Publish it first.");
  const parent = hasFolder(parentFile) ? parentFile : await store.giveFolder(parentFile);
  const file = newFile(pages, { ...place, parentFile: parent });
  return { file, schema: await store.schemaReference(file) };
}
