export const PAGES = "/api/v2/pages/";

export const pathOf = (id: number | string): string => `${PAGES}${id}/`;
