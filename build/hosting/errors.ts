/** The bodies of error responses, byte for byte as in Wagtail's API, because clients read them. */
export const NOT_FOUND = '{"message": "No Page matches the given query."}';
export const METHOD_NOT_ALLOWED = '{"detail": "Method not allowed."}';
