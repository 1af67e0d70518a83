import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Kinds of entries that a test puts in the place of a file or folder of the build. */
export const SPECIAL = ["fifo", "socket", "device", "link", "file", "folder"] as const;
export type Special = (typeof SPECIAL)[number];

/** Replaces a path with an entry of a kind; `elsewhere` is the target of a link. */
export async function makeSpecial(kind: Special, path: string, elsewhere: string): Promise<void> {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(dirname(path), { recursive: true });
  if (kind === "fifo") execFileSync("mkfifo", [path]);
  else if (kind === "device") execFileSync("mknod", [path, "c", "1", "5"]);
  else if (kind === "link") symlinkSync(elsewhere, path);
  else if (kind === "file") writeFileSync(path, "not ours\n");
  else if (kind === "folder") {
    mkdirSync(path);
    writeFileSync(join(path, "note.txt"), "not ours\n");
  } else {
    // When a server ends, it removes the path at which it created its socket.
    const server = createServer().listen(`${path}.made`);
    await once(server, "listening");
    renameSync(`${path}.made`, path);
    server.close();
  }
}

/** Only root can make devices, and not in every container. */
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
