import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { nginx } from "../../../build/hosting/config/nginx.ts";
import { printListen } from "../../../build/hosting/listen.ts";
import { verifyServed, whileServed } from "./host-test.ts";
import type { Host } from "../../../build/hosting/config/host.ts";
import { missing } from "./installed.ts";

/** An operator's configuration with another server, and with settings that would be wrong for the pages. */
const EXISTING = (listen: string): string => `
pid nginx.pid;
events {}
http {
  client_body_temp_path body-temp;
  proxy_temp_path proxy-temp;
  fastcgi_temp_path fastcgi-temp;
  uwsgi_temp_path uwsgi-temp;
  scgi_temp_path scgi-temp;
  access_log off;
  include /etc/nginx/mime.types;
  default_type application/octet-stream;
  add_header Cache-Control "max-age=3600";
  autoindex on;
  include page-api.conf;
  server {
    listen ${listen};
    server_name other.example.org;
    return 200 "another site";
  }
}
`;

const included: Host = {
  ...nginx,
  title: "nginx, a server block in an existing configuration",
  configuration: { file: "nginx.conf", print: ({ listen }) => EXISTING(printListen(listen)) },
  launch: (options, folder) => {
    writeFileSync(join(folder, "page-api.conf"), nginx.configuration?.printServerBlock?.(options) ?? "");
    return nginx.launch(options, folder);
  },
};

it.skipIf(missing(nginx) !== undefined)(
  "the server block of nginx keeps the contract in an existing configuration",
  async () => {
    const { checks } = await whileServed(included, { first: 18_380 }, (base, out) =>
      verifyServed(included, base, out),
    );
    expect(checks.length).toBeGreaterThan(20);
    expect(checks.filter(({ status }) => status === "failed")).toEqual([]);
  },
);
