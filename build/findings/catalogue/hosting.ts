import { shortened } from "../../base/shortened.ts";
import { entry } from "../entry.ts";

const short = (text: string): string => shortened(text, 62);

/** The block of the pages in `_headers`. */
const pagesBlock = (...headers: string[]): string => ["/api/v2/pages/*", ...headers].join("\n  ");

export const hosting = {
  "headers-syntax": entry({
    message: ({ found }) => `“${short(found)}” is neither a path, nor a header (Name: value), nor a comment.`,
    hint: "Begin a block with a path (/api/v2/pages/*), a header with its name and a colon, and a comment with #.",
    facts: { found: "Allow GET" },
    example: { wrong: pagesBlock("Allow GET"), right: pagesBlock("Allow: GET, HEAD, OPTIONS") },
  }),
  "headers-unset": entry({
    message: ({ found }) => `“${short(found)}” removes a header, which only one of the hosts understands.`,
    hint: "Delete this line, and write only the headers to send.",
    facts: { found: "! ETag" },
    example: { wrong: pagesBlock("! ETag"), right: pagesBlock("Vary: Accept") },
  }),
  "headers-no-path": entry({
    message: ({ name }) => `The header ${short(name)} comes before any path, so it applies to no address.`,
    hint: "Add a line with the path above it, for example: /api/v2/pages/*",
    facts: { name: "Vary" },
    example: { wrong: "Vary: Accept", right: pagesBlock("Vary: Accept") },
  }),
  "headers-path": entry({
    message: ({ path }) => `The path “${short(path)}” does not mean the same on every host.`,
    hint: "Write one address (/robots.txt), or a folder followed by /* (/api/v2/pages/*), using only letters, digits and . _ ~ -",
    facts: { path: "/api/v2/pages/:id/" },
    example: { wrong: "/api/v2/pages/:id/", right: "/api/v2/pages/*" },
  }),
  "headers-character": entry({
    message: ({ name, found }) =>
      `The value of ${short(name)} contains ${found}, which not every host can send.`,
    hint: "Use plain ASCII letters, digits and punctuation, without $ \\ { }.",
    facts: { name: "X-Note", found: "“é”" },
    example: { wrong: pagesBlock("X-Note: café"), right: pagesBlock("X-Note: cafe") },
  }),
  "headers-line-length": entry({
    message: ({ length, limit }) =>
      `This line has ${length} characters; hosts ignore lines of more than ${limit}.`,
    hint: ({ limit }) => `Shorten the line to ${limit} characters or fewer.`,
    facts: { length: 3010, limit: 2000 },
    example: { wrong: "  X-Note: (3,000 characters)", right: "  X-Note: a short one" },
  }),
  "headers-block-count": entry({
    message: ({ limit }) =>
      `This block comes after the ${limit} that hosts read: it and everything below it would be ignored.`,
    hint: ({ limit }) => `Keep at most ${limit} paths in the file.`,
    facts: { limit: 100 },
    example: { wrong: "/1.txt … /101.txt, a block each", right: "/api/v2/pages/*, one block" },
  }),
  "headers-empty-block": entry({
    message: ({ path }) => `The path ${short(path)} has no headers.`,
    hint: "Write its headers below it, or delete the path.",
    facts: { path: "/robots.txt" },
    example: { wrong: "/robots.txt", right: "/robots.txt\n  X-Content-Type-Options: nosniff" },
  }),
  "headers-duplicate": entry({
    message: ({ name, line }) =>
      `${short(name)} appears twice in this block (first on line ${line}), and hosts join the two values.`,
    hint: "Keep the correct line and delete the other.",
    facts: { name: "Vary", line: 2 },
    example: { wrong: pagesBlock("Vary: Accept", "Vary: Accept"), right: pagesBlock("Vary: Accept") },
  }),
  "headers-joined": entry({
    message: ({ path, other, line }) =>
      `${short(path)} and ${short(other)} (line ${line}) match some of the same addresses, and hosts join the headers of both.`,
    hint: "Keep one block for each address: move the headers into one of the two.",
    facts: { path: "/api/v2/pages/*", other: "/*", line: 1 },
    example: {
      wrong: "/*\n  Vary: Origin\n/api/v2/pages/*\n  Vary: Accept",
      right: pagesBlock("Vary: Accept"),
    },
  }),
  "headers-reserved": entry({
    message: ({ name }) => `The server itself sets ${name}; a fixed value would break its responses.`,
    hint: "Delete this line.",
    facts: { name: "Content-Length" },
    example: { wrong: pagesBlock("Content-Length: 0"), right: pagesBlock("Content-Type: application/json") },
  }),
  "headers-api-block": entry({
    message: ({ path }) => `There is no block for ${path}, whose headers every page needs.`,
    hint: ({ path }) => `Add a line ${path}, and its headers below it.`,
    facts: { path: "/api/v2/pages/*" },
    example: { wrong: "/pages/*\n  Vary: Accept", right: pagesBlock("Vary: Accept") },
  }),
  "headers-missing": entry({
    message: ({ path, name }) => `The block ${path} has no ${name}, which the response for every page needs.`,
    hint: ({ name, expected }) => `Add the line: ${name}: ${expected}`,
    facts: { path: "/api/v2/pages/*", name: "Allow", expected: "GET, HEAD, OPTIONS" },
    example: {
      wrong: pagesBlock("Vary: Accept"),
      right: pagesBlock("Allow: GET, HEAD, OPTIONS", "Vary: Accept"),
    },
  }),
  "headers-value": entry({
    message: ({ name, found, rule }) => `${name} is “${short(found)}” here, but ${rule}.`,
    hint: ({ name, expected }) => `Write: ${name}: ${expected}`,
    facts: {
      name: "Allow",
      found: "GET",
      rule: "pages are read with GET, HEAD and OPTIONS",
      expected: "GET, HEAD, OPTIONS",
    },
    example: { wrong: pagesBlock("Allow: GET"), right: pagesBlock("Allow: GET, HEAD, OPTIONS") },
  }),
  "headers-connect": entry({
    message: ({ path, origin }) =>
      `The block ${path} does not allow connections to ${origin}, which the editor needs: _site.json has “repository”.`,
    hint: ({ line }) => `Write: ${line}`,
    facts: {
      path: "/index.html",
      origin: "https://api.github.com",
      line: "Content-Security-Policy: default-src 'self'; connect-src 'self' https://api.github.com",
    },
    example: {
      wrong: "/index.html\n  Content-Security-Policy: default-src 'self'; connect-src 'self'",
      right:
        "/index.html\n  Content-Security-Policy: default-src 'self'; connect-src 'self' https://api.github.com",
    },
  }),
};
