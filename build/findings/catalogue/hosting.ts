export const hosting = {};
