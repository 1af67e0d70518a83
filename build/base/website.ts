/** The files for websites, by their paths in the output and below the API's base URL (“Pages for a website” in docs/reference.md). */
export const WEBSITE_FOLDER = "index";
export const INDEX_FILE = `${WEBSITE_FOLDER}/index.json`;
/** The times of the last changes of the sources. */
export const CHANGED_FILE = `${WEBSITE_FOLDER}/changed.json`;

/** The pages directly below a page. */
export const childrenPath = (id: number): string => `${WEBSITE_FOLDER}/pages/${id}.json`;

/** The id in the path of such a file; undefined for any other path. */
export function parentInPath(path: string): number | undefined {
  const [, id] = /^index\/pages\/([1-9]\d{0,15})\.json$/.exec(path) ?? [];
  return id === undefined ? undefined : Number(id);
}

/** The addresses whose hash begins with some hexadecimal digits. */
export const addressesPath = (digits: string): string => `${WEBSITE_FOLDER}/addresses/${digits}.json`;
