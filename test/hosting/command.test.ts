import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PROJECT } from "../../build/base/project.ts";
import { runSync } from "../command.ts";

describe("npm run hosting", () => {
  it("prints the configuration and nothing else", () => {
    const { status, stdout, stderr } = runSync("hosting", [
      "nginx",
      "--root",
      "some where",
      "--listen",
      "[::1]:8081",
    ]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toContain(`root "${join(PROJECT, "some where")}";`);
    expect(stdout).toContain("listen [::1]:8081;");
  });

  it("prints JSON for serve, and says on stderr how to start it", () => {
    const { status, stdout, stderr } = runSync("hosting", ["serve"]);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ public: join(PROJECT, "public") });
    expect(stderr).toContain("tcp://127.0.0.1:8080");
  });

  it.each([
    [],
    ["iis"],
    ["nginx", "caddy"],
    ["toString"],
    ["nginx", "--root", 'a"; include /etc/passwd; "'],
    ["caddy", "--root", "{$HOME}"],
    ["nginx", "--root", ""],
    ["nginx", "--listen", "80; include /etc/passwd"],
    ["nginx", "--port", "80"],
  ])("refuses %j %j %j", (...args) => {
    const { status, stdout, stderr } = runSync("hosting", args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(stderr).not.toBe("");
  });
});

describe("npm run deploy", () => {
  it.each([["--plan", "gold"], ["--plan"], ["public"], ["--worker"]])(
    "refuses %j %j before it builds",
    (...args) => {
      const { status, stdout, stderr } = runSync("deploy", args);
      expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
      expect(stderr).not.toMatch(/^\s+at /m);
    },
  );
});
