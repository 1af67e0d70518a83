/** A text with at most `most` characters, for messages. It is not cut inside a surrogate pair. */
export const shortened = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 3).replace(/[\uD800-\uDBFF]$/, "")}…` : text;
