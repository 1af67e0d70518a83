import { connect } from "node:net";

export interface Received {
  status: number;
  headers: Headers;
  body: string;
}

/** Sends a request as written, with the port for PORT, and reads until the connection is closed. */
export function sendRaw(port: number, head: string, body?: string): Promise<Received> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    let text = "";
    socket.on("error", reject);
    socket.setEncoding("utf8").on("data", (more: string) => (text += more));
    socket.on("close", () => {
      const [top = "", ...rest] = text.split("\r\n\r\n");
      const [first = "", ...lines] = top.split("\r\n");
      const headers = new Headers(lines.map((line) => line.split(": ", 2) as [string, string]));
      resolve({ status: Number(first.split(" ")[1]), headers, body: rest.join("\r\n\r\n") });
    });
    const length = body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
    const lines = [...head.replaceAll("PORT", String(port)).split("\n"), ...length, "Connection: close"];
    socket.write(`${lines.join("\r\n")}\r\n\r\n${body ?? ""}`);
  });
}
