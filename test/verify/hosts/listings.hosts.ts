import { describe, expect, it } from "vitest";
import { configuredHosts } from "../../../build/hosting/config/index.ts";
import { verifyServed, whileServed } from "./host-test.ts";
import { missing } from "./installed.ts";

/** By the name of a host, a mistake in its configuration that lets it list folders, each server with its own text. */
const MISTAKES: Readonly<Record<string, readonly [from: string, to: string]>> = {
  nginx: ["location / { try_files $uri =404; }", "location / { autoindex on; }"],
  caddy: ["\n\t\tfile_server\n", "\n\t\tfile_server browse\n"],
  apache: [
    "Options None",
    "Options Indexes\n</Directory>\nLoadModule autoindex_module /usr/lib/apache2/modules/mod_autoindex.so\n<Directory />",
  ],
  lighttpd: [
    'else $HTTP["url"] =~ "/[^./]+/?$|',
    'else $HTTP["url"] =~ "/$" {\n  dir-listing.activate = "enable"\n}\nelse $HTTP["url"] =~ "/[^./]+/?$|',
  ],
  serve: ['"directoryListing": false', '"directoryListing": true'],
};

describe.each(configuredHosts)("a listing of $title", (host) => {
  it.skipIf(missing(host) !== undefined)("is found", async () => {
    const { file, print } = host.configuration;
    const [from, to] = MISTAKES[host.name] ?? ["a mistake that is not written down", ""];
    const configuration = {
      file,
      print: (options: Parameters<typeof print>[0]) => {
        const right = print(options);
        expect(right).toContain(from);
        return right.replaceAll(from, () => to);
      },
    };
    const { checks } = await whileServed({ ...host, configuration }, { first: 18_480 }, (base, out) =>
      verifyServed(host, base, out),
    );
    expect(checks.find(({ name }) => name === "listing")).toMatchObject({ status: "failed" });
  });
});
