export const html = {};
