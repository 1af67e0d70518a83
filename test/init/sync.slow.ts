import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { PROGRAM_FOLDER } from "../../build/base/folders.ts";
import { ADDITIONS } from "../../scripts/init/files.ts";
import { updateFile } from "../../scripts/init/update.ts";
import { commit, git } from "../change/diff/repository.ts";
import { scratch } from "../scratch.ts";
import { readJson } from "../files.ts";
import { write, writeEmptySite } from "../site/site.ts";
import { jobsOf, pathWith, stepsOf, textOf } from "../workflows/read.ts";

const FILE = ".github/workflows/sync.yml";

const MODULE = `export default {
  name: "works",
  records: "exports/works.csv",
  key: ({ No }) => No,
  page: ({ No, Title }) => ({ parent: "/", slug: "n" + No, meta: { type: "standardpages.GeneralPage" }, title: Title }),
};
`;

/** The part of GitHub that the workflow uses: one line of \`requests\` for each command that changes a pull request. */
const GH = `case "$1 $2" in
  "pr list") [ -e "$STATE/open" ] && echo 7; exit 0;;
  "pr create") touch "$STATE/open";;
  "pr close") rm "$STATE/open"; echo "$1 $2 $3" >> "$STATE/requests"; exit 0;;
esac
while [ "$1" != --body-file ]; do printf '%s ' "$1" >> "$STATE/requests"; shift; done
head -n 3 "$2" | tail -n 1 >> "$STATE/requests"`;

/** A site with the workflow, and its repository on GitHub. */
function nightly() {
  const site = scratch("nightly");
  for (const [path, text] of ADDITIONS.github(site, true)) updateFile(site, path, text);
  writeEmptySite(join(site, "content"));
  writeFileSync(join(site, "works.mjs"), MODULE);
  const [state, origin] = [scratch("github"), scratch("origin")];
  git(origin, "init", "--quiet", "--bare");
  git(site, "init", "--quiet", "--initial-branch", "main");
  git(site, "remote", "add", "origin", origin);
  commit(site);
  const npx = `shift; exec node "${join(PROGRAM_FOLDER, "scripts/run.mjs")}" "$@"`;
  const PATH = pathWith({ gh: GH, npx });
  const steps = jobsOf(join(site, FILE)).flatMap(([, job]) => stepsOf(job));
  /** Runs the night's steps on the main branch. @returns the requests that change a pull request, or the error */
  const night = (rows: string): string => {
    git(site, "checkout", "--quiet", "main");
    const env = {
      ...process.env,
      PATH,
      EXPORT: `mkdir -p exports; printf '${rows}' > exports/works.csv`,
      MODULES: "works.mjs",
      RUNNER_TEMP: state,
      STATE: state,
      GITHUB_STEP_SUMMARY: join(state, "summary.md"),
    };
    for (const { run } of steps) {
      if (textOf(run) === "") continue;
      const { status, stdout, stderr } = spawnSync("bash", ["-e", "-c", textOf(run)], {
        cwd: site,
        encoding: "utf8",
        env,
      });
      if (stdout.includes("::error::")) return stdout;
      expect({ status, stderr }).toMatchObject({ status: 0 });
    }
    git(site, "reset", "--quiet", "--hard", "main");
    const requests = join(state, "requests");
    appendFileSync(requests, "");
    const made = readFileSync(requests, "utf8");
    writeFileSync(requests, "");
    return made;
  };
  return {
    site,
    origin,
    night,
    again: (rows: string): string => {
      const start = git(site, "rev-parse", "HEAD").trim();
      const made = night(rows);
      git(site, "reset", "--quiet", "--hard", start);
      return made;
    },
  };
}

it("the workflow keeps one pull request with the effects of a sync, and opens none if nothing changed", () => {
  const { site, origin, night, again } = nightly();
  expect(again("No,Title\\n1,Mill\\n")).toMatch(/^pr create --head page-api-sync .* 1 page new$/m);
  expect(again("No,Title\\n1,Mill\\n2,Weir\\n")).toBe("pr edit 7 - 2 pages new\n");
  expect(again("No,Title\\n1,Mill\\n2,Weir\\n")).toBe("");
  expect(git(origin, "ls-tree", "-r", "--name-only", "page-api-sync")).toContain("content/n2.json");
  expect(git(origin, "rev-list", "--count", "page-api-sync").trim()).toBe("2");
  // The pull request is merged, and the next night nothing has changed.
  git(site, "fetch", "--quiet", "origin", "page-api-sync");
  git(site, "merge", "--quiet", "FETCH_HEAD");
  // A proposal that is still open has nothing to propose any more.
  expect(night("No,Title\\n1,Mill\\n2,Weir\\n")).toBe("pr close 7\n");
  expect(night("No,Title\\n1,Mill\\n2,Weir\\n")).toBe("");
  expect(existsSync(join(site, "content/.sync"))).toBe(false);
});

it("the workflow keeps the commits of reviewers, and ends if they conflict with the main branch", () => {
  const { site, origin, again } = nightly();
  const branch = "page-api-sync";
  const show = (file: string): string => git(origin, "show", `${branch}:content/${file}`);
  again("No,Title\\n1,Mill\\n");
  const reviewer = scratch("reviewer");
  git(reviewer, "clone", "--quiet", "--branch", branch, origin, ".");
  const review = (file: string, change: (text: string) => string): void => {
    const path = join(reviewer, "content", file);
    writeFileSync(path, change(readFileSync(path, "utf8")));
    commit(reviewer);
    git(reviewer, "push", "--quiet", "origin", branch);
  };
  review("n1.json", (text) => text.replace('"external_id"', '"seo_title": "Reviewed", "external_id"'));
  const reviewed = git(reviewer, "rev-parse", "HEAD").trim();
  write(site, "content/_site.json", {
    ...(readJson(site, "content/_site.json") as object),
    append_slash: false,
  });
  commit(site);
  expect(again("No,Title\\n1,Mills\\n2,Weir\\n")).toBe("pr edit 7 - 2 pages new\n");
  expect(JSON.parse(show("n1.json"))).toMatchObject({ title: "Mills", meta: { seo_title: "Reviewed" } });
  expect(show("n2.json")).toContain("Weir");
  expect(show("_site.json")).toContain("append_slash");
  git(origin, "merge-base", "--is-ancestor", reviewed, branch);
  expect(again("No,Title\\n1,Mills\\n2,Weir\\n")).toBe("");

  git(reviewer, "pull", "--quiet", "origin", branch);
  review("index.json", (text) => text.replace('"Home"', '"Home, reviewed"'));
  const before = git(origin, "rev-parse", branch);
  write(site, "content/index.json", {
    ...(readJson(site, "content/index.json") as object),
    title: "Home, edited",
  });
  commit(site);
  expect(again("No,Title\\n1,Mills\\n")).toContain("conflicts with the main branch");
  expect(git(origin, "rev-parse", branch)).toBe(before);
});
