import type { ServerResponse } from "node:http";
import { listening } from "../listening.ts";

/** `respond` gets the path and the number of requests so far. Returns `use`'s result and the number. */
export async function served<T>(
  respond: (path: string, response: ServerResponse, count: number) => void,
  use: (address: URL) => Promise<T>,
): Promise<{ outcome: T; count: number }> {
  let count = 0;
  const { url: address, close } = await listening(({ url = "" }, response) =>
    respond(url, response, ++count),
  );
  try {
    return { outcome: await use(address), count };
  } finally {
    await close();
  }
}
