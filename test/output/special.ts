import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** What may stand where a file or a folder of the build belongs. */
export const SPECIAL = ["fifo", "socket", "device", "link", "file", "folder"] as const;
export type Special = (typeof SPECIAL)[number];

/** Puts one at a path, in the place of what lies there; `elsewhere` is what a link leads to. */
export async function makeSpecial(kind: Special, path: string, elsewhere: string): Promise<void> {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(dirname(path), { recursive: true });
  if (kind === "fifo") execFileSync("mkfifo", [path]);
  else if (kind === "device") execFileSync("mknod", [path, "c", "1", "5"]);
  else if (kind === "link") symlinkSync(elsewhere, path);
  else if (kind === "file") writeFileSync(path, "somebody's\n");
  else if (kind === "folder") {
    mkdirSync(path);
    writeFileSync(join(path, "note.txt"), "somebody's\n");
  } else {
    // A server removes its socket as it ends, by the path that it was made at.
    const server = createServer().listen(`${path}.made`);
    await once(server, "listening");
    renameSync(`${path}.made`, path);
    server.close();
  }
}

/** Devices are made by root alone, and not in every container. */
export function canMakeDevices(): boolean {
  const folder = mkdtempSync(join(tmpdir(), "device-"));
  try {
    execFileSync("mknod", [join(folder, "zero"), "c", "1", "5"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
