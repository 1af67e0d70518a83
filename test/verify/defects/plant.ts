import type { CheckName } from "../../../build/verify/verify.ts";
import type { Defect, Draft, Received } from "../good-host.ts";

/** A defect, and exactly those checks that it must fail; by default, it is shown by one page. */
export type Planted = [name: string, fails: CheckName[], defect: Defect, ids?: number[]];

type Spoil = (draft: Draft, received: Received) => unknown;

const only =
  (isSpoilt: (received: Received, draft: Draft) => boolean, defect: Defect): Defect =>
  (draft, received, response) =>
    isSpoilt(received, draft) ? defect(draft, received, response) : undefined;

export const isRoot = ({ path }: Received): boolean => path === "/api/v2/pages/";

/** A defect of a GET of a page. */
export const onPage = (defect: Defect): Defect =>
  only(
    ({ page, path, method }, { status }) =>
      page !== undefined && path.endsWith("/") && method === "GET" && status === 200,
    defect,
  );

/** A defect in every response of a page, so that HEAD and the redirect's target agree with GET. */
export const onAnyPage = (spoil: Spoil): Defect =>
  only(({ page }, { status }) => page !== undefined && status === 200, spoil);

export const onMissing = (spoil: Spoil): Defect =>
  only(({ page }, { status }) => page === undefined && status === 404, spoil);

export const onMethod = (method: string, defect: Defect): Defect =>
  only((received) => received.method === method && received.page !== undefined, defect);

/** A defect in the responses at a path. */
export const at = (path: string | RegExp, spoil: Spoil): Defect =>
  only((received) => (typeof path === "string" ? received.path === path : path.test(received.path)), spoil);

export const onRedirect = (spoil: Spoil): Defect => only((_, { status }) => status === 301, spoil);

export const set =
  (change: Partial<Draft>): Spoil =>
  (draft) =>
    Object.assign(draft, change);

export const without =
  (name: string): Spoil =>
  ({ headers }) =>
    delete headers[name];

export const withHeader =
  (name: string, value: string | string[]): Spoil =>
  ({ headers }) =>
    (headers[name] = value);

/** A change of the text of every page, or of the page with an id. */
export const wrongBody = (change: (text: string, id: number) => string, id?: number): Defect =>
  onAnyPage((draft, { page = 0 }) => {
    if (id === undefined || page === id) draft.body = change(draft.body.toString(), page);
  });

export const replaced = (from: string | RegExp, to: string, id?: number): Defect =>
  wrongBody((text) => text.replace(from, to), id);

export const HTML = "<!doctype html><title>Hello</title>";
