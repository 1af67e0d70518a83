import { hasFolder, isDraftFile, newFile, type NewPlace } from "../form/place.ts";
import { StoreFailure, type Store } from "../store.ts";

/** The file and the text of a new page. If its parent has no folder for subpages, the store gives it one. */
export async function newSource(
  store: Store,
  { parentFile, ...place }: Omit<NewPlace, "parentFile"> & { parentFile: string | undefined },
  text: string,
): Promise<{ file: string; text: string }> {
  if (parentFile === undefined)
    throw new StoreFailure("The parent page has no source file. Choose another parent.");
  if (isDraftFile(parentFile) && !hasFolder(parentFile))
    throw new StoreFailure("The parent page is a draft, which has no subpages. Publish it first.");
  const parent = hasFolder(parentFile) ? parentFile : await store.giveFolder(parentFile);
  const file = newFile({ ...place, parentFile: parent });
  // A new source begins with its schema, as `npm run new` writes it.
  const schema = JSON.stringify(await store.schemaReference(file));
  return {
    file,
    text: text.replace(/^\{(\s*)/, (_, space: string) => `{${space}"$schema": ${schema},${space}`),
  };
}
