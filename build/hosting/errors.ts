/** The bodies of errors, byte for byte: those of Wagtail's API, whose clients read them. */
export const NOT_FOUND = '{"message": "No Page matches the given query."}';
export const METHOD_NOT_ALLOWED = '{"detail": "Method not allowed."}';
