import { expect, test } from "vitest";
import { Thread } from "../../build/base/threads.ts";

test("an error of a task has the system's code, and the thread takes further tasks", async () => {
  const thread = new Thread("outputs/shards");
  try {
    const missing = thread.run({ number: 0, files: [{ id: 1, path: "/missing" }] });
    await expect(missing).rejects.toMatchObject({ code: "ENOENT", path: "/missing" });
    expect(await thread.run({ number: 1, files: [] })).toEqual([expect.any(String), 0]);
  } finally {
    await thread.end();
  }
});

test("an error of the thread ends its tasks", async () => {
  const thread = new Thread("missing");
  await expect(thread.run({})).rejects.toThrow("missing");
});
