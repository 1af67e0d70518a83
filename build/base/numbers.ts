/** With commas between thousands: 62,489. A locale's format costs more to load than a small site to build. */
export const thousands = (count: number): string => String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");

export const plural = (count: number, one: string): string =>
  `${thousands(count)} ${one}${count === 1 ? "" : "s"}`;
