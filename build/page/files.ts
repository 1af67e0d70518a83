/** What the addresses in the responses are made of, by its name at the top of the content folder. */
export const SITE = "_site.json";

/** What once was published, by its name there. */
export const HISTORY = "_history.json";
