/** A count with commas between thousands: 62,489. Loading a locale's format takes longer than building a small site. */
export const thousands = (count: number): string => String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");

export const plural = (count: number, one: string): string =>
  `${thousands(count)} ${one}${count === 1 ? "" : "s"}`;
