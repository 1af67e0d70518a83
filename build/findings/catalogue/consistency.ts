export const consistency = {};
