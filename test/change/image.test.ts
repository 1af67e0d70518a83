import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { SaveRefused, undo, type Undo } from "../../build/change/apply.ts";
import { ImageTaken, saveImage } from "../../build/change/save.ts";
import { MAX_IMAGE_BYTES } from "../../build/source/image-kinds.ts";
import { filesBelow } from "../files.ts";
import { pngOf, placeWith } from "../site/site.ts";

it("writes a new image of up to 25 MiB by the rules of the build, and nothing else", () => {
  const { content, folder } = placeWith("image");
  const before = filesBelow(folder);
  const png = pngOf(40, 30);
  const save = (path: string, bytes = png): Undo | undefined => {
    let done: Undo | undefined;
    saveImage(content, path, bytes, { onDone: (all) => (done = all) });
    return done;
  };
  const reasonOf = (path: string, bytes?: Buffer): unknown => {
    try {
      save(path, bytes);
    } catch (cause) {
      return cause instanceof SaveRefused ? cause.reason : cause;
    }
    return undefined;
  };
  for (const path of [
    "",
    "../x.png",
    "a/../../x.png",
    ".x.png",
    "a//x.png",
    "a\\x.png",
    "x\0.png",
    ".git/x.png",
  ])
    expect([path, reasonOf(path)]).toEqual([path, "place"]);
  for (const path of ["x.json", "x", "x.PNG", "_x.png", "a:b.png", "x.svg", "con.png"])
    expect([path, reasonOf(path)]).toEqual([path, "content"]);
  expect(reasonOf("x.jpg")).toBe("content");
  expect(reasonOf("x.png", Buffer.from("<html>"))).toBe("content");
  expect(reasonOf("x.png", Buffer.alloc(MAX_IMAGE_BYTES + 1, png))).toBe("size");
  expect(filesBelow(folder)).toEqual(before);

  const large = Buffer.concat([png, Buffer.alloc(MAX_IMAGE_BYTES - png.length)]);
  const done = save("maps/ground-floor.png", large);
  expect(readFileSync(join(content, "_media/maps/ground-floor.png")).equals(large)).toBe(true);
  for (const path of ["maps/ground-floor.png", "maps/Ground-Floor.png"])
    expect(reasonOf(path)).toBeInstanceOf(ImageTaken);
  if (done !== undefined) undo(content, done);
  expect(filesBelow(folder)).toEqual(before);

  mkdirSync(join(folder, "outside"));
  mkdirSync(join(content, "_media"), { recursive: true });
  symlinkSync(join(folder, "outside"), join(content, "_media/linked"));
  expect(reasonOf("linked/x.png")).toBe("place");
  expect(existsSync(join(folder, "outside/x.png"))).toBe(false);
});
