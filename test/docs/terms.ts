/**
 * Removed terms, each with its standard term (docs/glossary.md). The tests look for them only in running text, so codes
 * of findings, options and quoted output keep their names.
 */
export const REMOVED: [RegExp, string][] = [
  [/\bpages? to look at\b/i, "browse UI"],
  [/\banswer(?:s|ed|ing)?\b/i, "response, responds"],
  [/\b(?:tells?|told|says|said)\b/i, "lists, shows, reports, warns, explains"],
  [/\bputs\b/i, "uploads, PUT requests"],
  [/\bthe interface\b/i, "the API, the API contract"],
  [/\b(?:stands|lies|lie|lying)\b/i, "is, appears, is stored"],
  [/\bpages? above\b/i, "parent page"],
  [/\bpages? below (?:it|them|that)\b/i, "subpages"],
  [/\bformer address(?:es)?\b/i, "old address"],
  [/\bled on\b/i, "redirected"],
  [/\balone\b/i, "only"],
  [/\bmend(?:s|ed)?\b/i, "fix"],
  [/\banew\b/i, "again"],
  [/\b(?:somebody|nobody|another hand|of others)\b/i, "third-party, another process, user or program"],
  [/\bwork(?:s|ed)?[ -](?:it |them )?out\b/i, "derived, filled in automatically"],
  [/\bsmall (?:and capital )?letters\b/i, "lowercase, uppercase"],
  [/\bwitness(?:es)?\b/i, "cross-check"],
  [/\bharmless\b/i, "compatible"],
  [/\bvanish(?:es|ed)?\b/i, "removed"],
  [/\b(?:go|goes|going|went) back\b/i, "roll back"],
  [/\bway out\b/i, "export"],
  [/\b(?:reckon|judged|noted)\b/i, "estimate, validate"],
  [/\byardstick\b/i, "baseline"],
  [/\bstorms?\b/i, "burst"],
  [/\brooms?\b(?! for)/i, "layer"],
  [/\b(?:preview:edge|hosts:table)\b/, "preview:cloudflare, generate:hosts"],
  [/\baside\b/i, "staged"],
  [/\bgroup folder\b/i, "grouping folder"],
];
