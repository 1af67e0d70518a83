import { plural } from "../../base/numbers.ts";
import { entry, warning } from "../entry.ts";
import { argument } from "../printable.ts";
import { meantOr, quoted } from "./values.ts";

/** Whether a page names the other page by its id, not by its address. */
const isReference = (href: string): boolean => /^\d+$/.test(href);

export const consistency = {
  inconsistent: warning({
    message: ({ kind, key, field, found, usual, times }) =>
      `The ${kind} ${key} has the ${field} “${found}” here, but “${usual}” on ${times === 1 ? "another page" : `${times} other pages`}.`,
    hint: ({ field, usual }) => `Write “${usual}” here, or correct the ${field} on all the pages.`,
    facts: { kind: "subject", key: "113", field: "name", found: "Britain", usual: "UK", times: 12 },
    example: {
      wrong: '{"id": 113, "name": "Britain"}, and "UK" on other pages',
      right: '{"id": 113, "name": "UK"}',
    },
  }),
  "unlikely-reference": warning<{
    kind: string;
    found: string;
    usual: string;
    times: number;
    /** The text has one edit, another key has the same values, or other pages use only known keys. */
    why: "similar" | "same" | "known";
    /** The name of the field, and the kind as an argument of npx page-api new --list. */
    field: string;
    list: string;
  }>({
    message: ({ kind, field, found, usual, times, why }) =>
      why === "same"
        ? `This ${kind} has the ${field} “${found}” here, but “${usual}” on ${times === 1 ? "another page" : `${times} other pages`}.`
        : why === "known"
          ? `No other page has the ${kind} “${found}”.`
          : `No other page has the ${kind} “${found}”, but ${times} pages have “${usual}”, which differs in one place.`,
    hint: ({ list, usual, why }) =>
      why === "known"
        ? `If it is a mistake, write one of these: ${usual}. To see what they are, run: npx page-api new --list ${list}`
        : `If that one is meant, write ${usual} here.`,
    facts: {
      kind: "subject",
      found: "131",
      usual: "113",
      times: 12,
      why: "similar",
      field: "id",
      list: "subjects",
    },
    example: {
      wrong: '{"id": 131, "name": "UK"}, and {"id": 113, "name": "UK"} on many other pages',
      right: '{"id": 113, "name": "UK"}',
    },
  }),
  "id-clash": entry<{ id: number; file: string; other: string; isDraft?: boolean }>({
    message: ({ id, other, isDraft }) =>
      isDraft === true
        ? `This draft has the id ${id}, which ${other} has too.`
        : `Two pages have the id ${id}: this one and ${other}.`,
    hint: ({ file, isDraft }) =>
      isDraft === true
        ? `Give the draft a free id before it is published: npx page-api fix --ids ${argument(file)}`
        : `The page that is already published keeps the id. If this file is the copy, give it a free id: npx page-api fix --ids ${argument(file)}`,
    facts: { id: 7, file: "visit/tea.json", other: "visit/cafe.json" },
    example: { wrong: '"id": 7 in two files', right: '"id": 7 in one, "id": 8 in the other' },
  }),
  "acno-clash": warning({
    message: ({ acno, other }) => `Two works have the accession number ${acno}: this one and ${other}.`,
    hint: "Check the records of both works, and correct the wrong number.",
    facts: { acno: "N00530", other: "art/artworks/marsh-n00530.json" },
    example: { wrong: '"acno": "N00530" on two works', right: "one number for each work" },
  }),
  "value-clash": entry<{ field: string; found: string; other: string }>({
    message: ({ field, found, other }) =>
      `Two pages have the same “${field}”, ${quoted(found)}: this one and ${other}.`,
    hint: "Check the records of both pages, and correct the wrong value.",
    facts: { field: "number", found: "NMGW.Z.1990.005", other: "collection/otter.json" },
    example: { wrong: '"number": "NMGW.Z.1990.005" on two pages', right: "one number for each page" },
  }),
  "external-id-clash": entry({
    message: ({ key, other }) => `The record ${key} has two pages: this one and ${other}.`,
    hint: "Keep it on the page that follows the record, and delete meta.external_id on the other page.",
    facts: { key: "works:N00530", other: "art/artworks/marsh-n00530.json" },
    example: { wrong: '"external_id": "works:N00530" on two pages', right: "one page for each record" },
  }),
  "retired-id": entry<{ id: number; file?: string | undefined; address: string; keptAt: string }>({
    message: ({ id, address, keptAt }) =>
      `The id ${id} belongs to the retired page ${address} (${keptAt}), so no other page may have it.`,
    hint: ({ file }) =>
      file === undefined
        ? "Keep the entry with the page's last address, and delete the other; or correct the id of one of them."
        : `If this is the retired page, published again, delete its entry in _history.json. Otherwise, give this page a free id: npx page-api fix --ids ${argument(file)}`,
    facts: { id: 7, file: "visit/tea.json", address: "/visit/old/", keptAt: "_history.json, line 4" },
    example: {
      wrong: '"id": 7, and in _history.json {"retired": [{"id": 7, "address": "/visit/old/"}]}',
      right: '"id": 8',
    },
  }),
  "former-address": warning<{ address: string; page: string; retired?: number | undefined }>({
    message: ({ address, page }) =>
      `${address} is listed as an old address, but a page uses it again: ${page}.`,
    hint: ({ retired }) =>
      retired === undefined
        ? "Delete this entry: the address no longer needs a redirect."
        : `Keep this entry, without “to”: it reserves the id ${retired}. The page should have another address, unless it replaces the retired page.`,
    facts: { address: "/visit/cafe/", page: "visit/cafe.json" },
    example: {
      wrong: '{"id": 7, "address": "/visit/"} beside visit/index.json',
      right: "without this entry",
    },
  }),
  "unknown-moved-id": entry({
    message: ({ id }) => `No page, draft or retired page has the id ${id}, so it cannot have moved.`,
    hint: "Correct the id. If the page was deleted, list it under “retired”, with its last address, instead.",
    facts: { id: 7 },
    example: {
      wrong: '"moved": [{"id": 7, "address": "/visit/old/"}], and no page with the id 7',
      right: '"retired": [{"id": 7, "address": "/visit/old/"}]',
    },
  }),
  "unrecorded-address": warning<{ id: number; address: string; now?: string }>({
    message: ({ id, address, now }) =>
      now === undefined
        ? `The page ${id} at ${address} was removed, but _history.json does not list its id and address.`
        : `The page ${id} has moved from ${address} to ${now}, but _history.json does not list its old address.`,
    hint: ({ id, address, now }) =>
      now === undefined
        ? `Add {"id": ${id}, "address": "${address}"} to “retired” in _history.json; npx page-api retire does that by itself.`
        : `Add {"id": ${id}, "address": "${address}"} to “moved” in _history.json; npx page-api move does that by itself.`,
    facts: { id: 7, address: "/visit/cafe/" },
    example: {
      wrong: "git rm content/visit/cafe.json",
      right: "npx page-api retire visit/cafe --to /visit/",
    },
  }),
  "redirect-loop": entry({
    message: ({ address, through }) => `${address} leads back to itself: ${through}.`,
    hint: "Correct “to”: it must redirect to an address that still exists.",
    facts: { address: "/visit/old/", through: "/visit/old/ → /visit/new/ → /visit/old/" },
    example: {
      wrong: '{"address": "/a/", "to": "/b/"} beside {"address": "/b/", "to": "/a/"}',
      right: '"to": "/c/", where /c/ is a page',
    },
  }),
  "redirect-clash": warning({
    message: ({ address, to, other }) =>
      `${address} leads to ${to} here, but to ${other} in a later entry, and only the later one counts.`,
    hint: "Delete “to” in the entry that is wrong.",
    facts: { address: "/visit/old/", to: "/visit/cafe/", other: "/visit/shop/" },
    example: {
      wrong: '{"id": 7, "address": "/a/", "to": "/b/"} beside {"id": 8, "address": "/a/", "to": "/c/"}',
      right: '{"id": 7, "address": "/a/"} beside {"id": 8, "address": "/a/", "to": "/c/"}',
    },
  }),
  "dead-redirect": warning({
    message: ({ to }) => `${to} replaces a retired page, but no page has this address.`,
    hint: "Write the address of a page, or null if no page replaces it. If the address is not one of these pages, correct owned_paths in _site.json.",
    facts: { to: "/visit/caffe/" },
    example: {
      wrong: '"to": "/visit/caffe/", "/visit/" in owned_paths, and no page with the address',
      right: '"to": "/visit/cafe/"',
    },
  }),
  "empty-owned-path": warning<{ path: string; nearest?: string | undefined }>({
    message: ({ path }) =>
      `No page has the address ${path} or one below it, so this entry checks the links to no section.`,
    hint: ({ nearest }) =>
      meantOr(
        nearest,
        "Write the address of a section of this site, or delete the entry.",
        " Otherwise, delete the entry.",
      ),
    facts: { path: "/vist/", nearest: "/visit/" },
    example: { wrong: '"owned_paths": ["/vist/"]', right: '"owned_paths": ["/visit/"]' },
  }),
  "link-not-live": warning({
    message: ({ href, own, target }) =>
      `${isReference(href) ? `The reference to the page ${href}` : `The link “${href}”`} leads to a page that is ${target}, but this page is ${own}.`,
    hint: ({ href, page }) =>
      `Remove the ${isReference(href) ? "reference" : "link"}, or change the dates of this page or of ${page} so that the link never leads nowhere.`,
    facts: {
      href: "/visit/fair/",
      own: "always live",
      target: "live from 1 March 2999, 09:00 UTC",
      page: "visit/fair.json",
    },
    example: {
      wrong: '<a href="/visit/fair/">, and "go_live_at": "2999-03-01T09:00:00Z" in visit/fair.json',
      right: "the link on a page with the same dates",
    },
  }),
  "dead-link": warning<{ href: string; nearest?: string | undefined }>({
    message: ({ href }) => `The link “${href}” does not lead to a page of this site.`,
    hint: ({ nearest }) =>
      meantOr(nearest, "Correct the address, or remove the link.", " Otherwise, remove the link."),
    facts: { href: "/visit/caffe/", nearest: "/visit/cafe/" },
    example: { wrong: '<a href="/visit/caffe/">', right: '<a href="/visit/cafe/">' },
  }),
  "bulk-shard-size": entry({
    message: ({ bytes, limit, pages, id, size }) =>
      `A ZIP file of the bulk download is ${Math.ceil(bytes / 2 ** 20)} MiB; it can be at most ${limit / 2 ** 20} MiB. The largest of its ${plural(pages, "page")} is this one (id ${id}), with ${(size / 2 ** 20).toFixed(1)} MiB.`,
    hint: "Shorten this page, or remove “bulk” from _site.json.",
    facts: { bytes: 27_000_000, limit: 26_214_400, pages: 9, id: 7, size: 4_100_000 },
    example: { wrong: "ten pages of 4 MiB that share a ZIP file", right: "pages of a few KiB" },
  }),
  "wrong-translation": entry<{ problem: string }>({
    message: ({ problem }) => `${problem}, so this page is not a translation.`,
    hint: "Write the id of the page in another language that this page translates, or move the page.",
    facts: { problem: "No page has the id 12" },
    example: { wrong: '"translation_of": 12', right: '"translation_of": 10' },
  }),
};
