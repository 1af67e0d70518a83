import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { reserveFreePort } from "../../build/hosting/port.ts";
import type { Redirect } from "../../build/check/history.ts";
import { REDIRECT_FORMATS } from "../../build/change/redirects.ts";
import { inShell, type Host } from "../../build/hosting/config/host.ts";
import { whileRunning } from "../../build/hosting/run.ts";
import { scratch } from "../scratch.ts";
import { missing } from "../verify/hosts/installed.ts";
import { firstPort } from "../ports.ts";

/* The redirects printed for a server lead to their targets on that server. */

const REDIRECTS: Redirect[] = [
  { from: "/old/", to: "/caf%C3%A9/" },
  { from: "/älter/a b/", to: "/café/" },
  { from: "/a.b/$1/", to: "/100%25/$1/x&y;z,%22/" },
  { from: "/query/", to: "/search/?q=caf%C3%A9&p=$1#top" },
  { from: "/else/where/", to: "https://shop.example.org/caf%C3%A9/?a=%20" },
  { from: "/gone/" },
];

const CONFIGURATIONS: Record<string, (redirects: string, port: number, folder: string) => string> = {
  nginx: (redirects, port) => `
pid nginx.pid;
events {}
http {
  client_body_temp_path body-temp;
  proxy_temp_path proxy-temp;
  fastcgi_temp_path fastcgi-temp;
  uwsgi_temp_path uwsgi-temp;
  scgi_temp_path scgi-temp;
  access_log off;
  server {
    listen 127.0.0.1:${port};
    location = /ready { return 200; }
    ${redirects}
  }
}`,
  apache: (redirects, port, folder) => `
ServerRoot "${folder}"
ServerName localhost
Listen 127.0.0.1:${port}
LoadModule mpm_event_module /usr/lib/apache2/modules/mod_mpm_event.so
LoadModule authz_core_module /usr/lib/apache2/modules/mod_authz_core.so
LoadModule alias_module /usr/lib/apache2/modules/mod_alias.so
User www-data
Group www-data
PidFile httpd.pid
ErrorLog error.log
DocumentRoot "${folder}"
RedirectMatch 301 "^/ready$" "/"
${redirects}
`,
};

const hosts = [
  {
    name: "nginx",
    program: "nginx",
    start: `nginx -p "$PWD" -c "$PWD/server.conf" -e stderr -g "daemon off;"`,
  },
  { name: "apache", program: "apache2", start: `apache2 -d "$PWD" -f "$PWD/server.conf" -DFOREGROUND` },
];

/** An address as a browser requests it; a dollar sign may be encoded or not. */
const asked = (address: string, base: string): string =>
  new URL(address, base).href.toLowerCase().replaceAll("%24", "$");

it.for(hosts)("redirects of $name", async ({ name, program, start }, { skip }) => {
  const reason = missing({ program });
  skip(reason !== undefined, reason);
  const folder = scratch("redirects");
  const { port, release } = await reserveFreePort(firstPort());
  const lines = REDIRECT_FORMATS[name as keyof typeof REDIRECT_FORMATS](REDIRECTS).join("\n");
  writeFileSync(join(folder, "server.conf"), CONFIGURATIONS[name]?.(lines, port, folder) ?? "");
  const host: Host = { name, title: name, launch: () => inShell(start), limits: {} };
  const base = `http://127.0.0.1:${port}`;
  const listen = { address: "127.0.0.1", port };
  await release();
  const ready = { url: `${base}/ready` };
  await whileRunning(host, { root: folder, listen, rules: [], folder, ready }, async () => {
    const found: unknown[] = [];
    for (const from of REDIRECTS.flatMap((one) => [one.from, one.from.replace(/\/$/, "")])) {
      const { status, headers } = await fetch(new URL(from, base), { redirect: "manual" });
      const location = headers.get("Location");
      found.push([from, status, location && asked(location, base)]);
    }
    expect(found).toEqual(
      REDIRECTS.flatMap(({ from, to }) =>
        [from, from.replace(/\/$/, "")].map((one) =>
          to === undefined ? [one, 410, null] : [one, 301, asked(to, base)],
        ),
      ),
    );
  });
});
