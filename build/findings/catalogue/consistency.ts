import { entry } from "../entry.ts";

/** What does not fit together over several pages. */
export const consistency = {
  inconsistent: entry<{
    kind: string;
    key: string;
    field: string;
    found: string;
    usual: string;
    times: number;
  }>({
    severity: "warning",
    message: ({ kind, key, field, found, usual, times }) =>
      `The ${kind} ${key} has the ${field} “${found}” here, but “${usual}” on ${times === 1 ? "another page" : `${times} other pages`}.`,
    hint: ({ field, usual }) => `Write “${usual}” here, or correct the ${field} on all the pages.`,
    example: {
      wrong: '{"id": 113, "name": "Britain"} where other pages say "UK"',
      right: '{"id": 113, "name": "UK"}',
    },
  }),
  "acno-clash": entry<{ acno: string; other: string }>({
    severity: "warning",
    message: ({ acno, other }) => `Two works have the accession number ${acno}: this one and ${other}.`,
    hint: () => "Check the records of both works, and correct the wrong number.",
    example: { wrong: '"acno": "N00530" on two works', right: "one number for each work" },
  }),
  "dead-link": entry<{ href: string; nearest?: string | undefined }>({
    severity: "warning",
    message: ({ href }) => `The link “${href}” does not lead to a page of this site.`,
    hint: ({ nearest }) =>
      nearest === undefined
        ? "Correct the address, or remove the link."
        : `Did you mean “${nearest}”? Otherwise, remove the link.`,
    example: { wrong: '<a href="/visit/caffe/">', right: '<a href="/visit/cafe/">' },
  }),
};
