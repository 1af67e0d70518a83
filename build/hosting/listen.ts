import { isIPv4, isIPv6 } from "node:net";

export interface Listen {
  /** An IP address, without brackets. */
  address: string;
  port: number;
}

/** Parses `ADDRESS:PORT`, with an IPv6 address in brackets; undefined for any other text. */
export function parseListen(text: string): Listen | undefined {
  const [, six, four, digits] = /^(?:\[([\da-fA-F:.]+)\]|([\d.]+)):(\d{1,5})$/.exec(text) ?? [];
  const address = six ?? four;
  const port = Number(digits);
  if (address === undefined || port < 1 || port > 65_535) return undefined;
  return (six === undefined ? isIPv4(address) : isIPv6(address)) ? { address, port } : undefined;
}

export const printListen = ({ address, port }: Listen): string =>
  `${isIPv6(address) ? `[${address}]` : address}:${port}`;
