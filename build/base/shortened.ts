/** A text with at most `most` characters, for messages. */
export const shortened = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 3)}…` : text;
