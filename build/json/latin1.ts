/*
 * Texts with one character for each byte of their UTF-8, as `JSON.parse` reads them from latin1. ASCII is the same in both
 * formats, and most texts are ASCII.
 */

const ASCII = /^[^\x80-\uffff]*$/;

export const encoded = (text: string): string =>
  ASCII.test(text) ? text : Buffer.from(text, "utf8").toString("latin1");

export const decoded = (text: string): string =>
  ASCII.test(text) ? text : Buffer.from(text, "latin1").toString("utf8");
