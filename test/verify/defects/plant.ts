import type { CheckName } from "../../../build/verify/verify.ts";
import type { Asked, Defect, Draft } from "../good-host.ts";

/** A defect, and exactly those checks that it must fail. */
export interface Planted {
  defect: Defect;
  fails: CheckName[];
  /** The requested pages, for a defect that one page does not show. */
  ids?: number[];
}

export const isPage = ({ page, path, method }: Asked): boolean =>
  page !== undefined && path.endsWith("/") && method === "GET";
export const isMissing = ({ page }: Asked, { status }: Draft): boolean =>
  page === undefined && status === 404;
export const isRoot = ({ path }: Asked): boolean => path === "/api/v2/pages/";

export const onPage =
  (spoil: Defect): Defect =>
  (draft, asked, response) =>
    isPage(asked) && draft.status === 200 ? spoil(draft, asked, response) : undefined;

/** A defect in every response of a page, so that HEAD and the redirect's target agree with GET. */
export const pageHeader = (spoil: (headers: Draft["headers"]) => void): Defect =>
  onAnyPage(({ headers }) => spoil(headers));

export function onAnyPage(spoil: Defect): Defect {
  return (draft, asked, response) =>
    asked.page !== undefined && draft.status === 200 ? spoil(draft, asked, response) : undefined;
}

export const onMissing =
  (spoil: Defect): Defect =>
  (draft, asked, response) =>
    isMissing(asked, draft) ? spoil(draft, asked, response) : undefined;

export const onMethod =
  (methods: string[], spoil: Defect): Defect =>
  (draft, asked, response) =>
    methods.includes(asked.method) && asked.page !== undefined ? spoil(draft, asked, response) : undefined;

export const wrongBody = (change: (text: string, asked: Asked) => string): Defect =>
  onAnyPage((draft, asked) => (draft.body = change(draft.body.toString(), asked)));

export const HTML = "<!doctype html><title>Hello</title>";
