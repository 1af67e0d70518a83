import { h, plural } from "../../browse/dom.js";
import { showProposal } from "../../browse/editing.js";
import type { ShownChange } from "../changes.ts";
import { openOnGitHub, tokenAddress } from "../github/client.ts";
import type { PullRequest } from "../github/propose.ts";
import type { GitHubStore, PullRequestChecks } from "../github/store.ts";
import { isEqual } from "../form/values.ts";
import { Conflict } from "../store.ts";
import { changesOf, changeViews, readChanges } from "./changes-view.ts";
import { failureText } from "./form-parts.ts";
import { hasLoadedImages, keepToken, keptToken, PROPOSAL_CHANGED, type EditorHost } from "./host.ts";
import { button, checkboxOf, fieldOf, labelled, div } from "./parts.ts";

const outward = (url: string, text: string): HTMLElement =>
  h("a", { href: url, target: "_blank", rel: "noopener noreferrer" }, text);

const STATES = {
  running: "Running",
  waiting: "Waiting for an administrator",
  passed: "Passed",
  failed: "Failed",
  skipped: "Skipped",
} as const;

export interface PanelOptions {
  store: GitHubStore;
  host: EditorHost;
  /** Adds the edits of the open form to the proposal. @returns false after a failure */
  addOpenForm?: () => Promise<boolean>;
  /** Called after a token was entered or removed. */
  onToken?: () => void;
  /** Whether the changes are shown elsewhere. */
  hasNoList?: boolean;
}

/** The panel of collected changes: with a token, it proposes one pull request; else it links to GitHub's own editor. */
export function proposalPanel({ store, host, addOpenForm, onToken, hasNoList = false }: PanelOptions) {
  let shown: readonly ShownChange[] = [];
  /** The number of the latest update: what an earlier one has read is dropped. */
  let latest = 0;
  const summary = h("p", {});
  const list = h("ul", { class: "changes", "aria-label": "Changed pages" });
  const status = h("div", { class: "form-status", role: "status" });
  const result = div("proposal-result");
  const title = h("input", { type: "text", id: "proposal-title", autocomplete: "off" });
  const body = h("textarea", { id: "proposal-body", rows: "3" });
  const propose = button("Propose changes", () => onPropose(), { class: "primary" });
  const say = (text: string): void => {
    status.textContent = text;
  };

  const update = async (): Promise<void> => {
    const turn = ++latest;
    const files = store.changes;
    showChanges(changesOf(host, files));
    void showProposal();
    if (host.keepsChanges?.() === false)
      say("This browser does not keep the collected changes: propose them before you close the page.");
    summary.textContent = "";
    const read = await readChanges(host, files);
    if (turn !== latest) return;
    if (!isEqual(read.changes, shown)) showChanges(read.changes);
    summary.textContent = read.summary;
  };

  const showChanges = (changes: readonly ShownChange[]): void => {
    shown = changes;
    list.replaceChildren(...changeViews(changes, buttonsOf));
    summary.hidden = list.hidden = changes.length === 0;
    title.placeholder = titleOf(changes);
  };

  const buttonsOf = ({ title: name, files }: ShownChange): HTMLElement => {
    const hint = h("span", { class: "aside", role: "status" });
    const sources = files.filter(({ encoding }) => encoding === undefined);
    const links = sources.map((change) => {
      const { url, clipboard } = openOnGitHub(store.repository, change);
      const link = outward(url, files.length > 1 ? `Open ${change.file} on GitHub` : "Open on GitHub");
      if (clipboard !== null)
        link.addEventListener("click", () => {
          void navigator.clipboard.writeText(clipboard).then(
            () => (hint.textContent = "The new text is on the clipboard: paste it over the old one."),
            () => (hint.textContent = "The text could not be copied. Allow this page to use the clipboard."),
          );
        });
      return link;
    });
    const remove = (): void => {
      const named = files.map(({ file }) => file);
      store.discard(named, host.pages, host.site);
      void update();
    };
    return div(
      "element-buttons",
      ...links,
      button("Remove", remove, { "aria-label": `Remove ${name} from the proposal` }),
      hint,
    );
  };

  const onPropose = async (): Promise<void> => {
    propose.disabled = true;
    result.replaceChildren();
    try {
      if ((await addOpenForm?.()) === false) return;
      void update();
      if (shown.length === 0) {
        say("There are no changes to propose.");
        return;
      }
      if (!store.client.hasToken) {
        say("Enter an access token, or open each file on GitHub.");
        element.querySelector<HTMLElement>("#proposal-token")?.focus();
        return;
      }
      const count = (): number => shown.reduce((sum, { errors }) => sum + errors, 0);
      // An image that seems to be missing may be newer than the list.
      if (count() > 0 && (await hasLoadedImages(host, host.latestImages))) void update();
      const errors = count();
      say("Proposing…");
      const name = title.value.trim() || titleOf(shown);
      const made = await store.propose({ title: name, body: body.value, draft: errors > 0 });
      title.value = "";
      body.value = "";
      void update();
      say(
        errors > 0
          ? `Proposed as a draft, because the pages have ${plural(errors, "error")}.`
          : "The changes are proposed.",
      );
      await showMade(made);
    } catch (cause) {
      say(messageOf(cause));
    } finally {
      propose.disabled = false;
    }
  };

  const showMade = async (made: PullRequest): Promise<void> => {
    const checks = div("proposal-checks");
    const load = async (): Promise<void> => {
      try {
        checks.replaceChildren(checksView(await store.checks(made)));
        refresh.textContent = "Refresh the checks";
      } catch (cause) {
        checks.replaceChildren(messageOf(cause));
      }
    };
    const refresh = button("Show the checks", load);
    const link = outward(made.url, `Pull request ${made.number}`);
    result.replaceChildren(h("p", {}, link), checks, refresh);
    link.focus();
    await load();
  };

  const element = h(
    "section",
    { class: "proposal edit-form", "aria-label": "Proposal" },
    h("h2", {}, "Proposal"),
    ...(hasNoList ? [] : [summary, list]),
    tokenForm(store, onToken),
    labelled("Title of the proposal", title),
    labelled("Note for the reviewer", body),
    propose,
    status,
    result,
  );
  /** Another tab has changed the proposal. */
  const onChanged = (): void => {
    if (element.isConnected) void update();
    else document.removeEventListener(PROPOSAL_CHANGED, onChanged);
  };
  document.addEventListener(PROPOSAL_CHANGED, onChanged);
  void update();
  return { element, update };
}

/** @param onToken called after a token was entered or removed */
function tokenForm({ client, repository }: GitHubStore, onToken: () => void = () => undefined): HTMLElement {
  const access = h("p", { class: "help", role: "status" });
  const input = h("input", {
    type: "password",
    id: "proposal-token",
    autocomplete: "off",
    "aria-describedby": "proposal-token-help",
  });
  const keeps = h("input", { type: "checkbox", id: "proposal-keep", checked: keptToken() !== undefined });
  const tokenToKeep = (): string | undefined => (keeps.checked && input.value.trim()) || undefined;
  const showAccess = async (): Promise<void> => {
    access.textContent = "Checking the token…";
    try {
      const { login, may, message = "" } = await client.access();
      const ways = {
        push: `Signed in as ${login}.`,
        fork: `Signed in as ${login}, who may not write to the repository: the proposal is made through a fork.`,
        read: message,
      };
      access.textContent = ways[may];
    } catch (cause) {
      access.textContent = messageOf(cause);
    }
  };
  const use = (): void => {
    client.setToken(input.value);
    keepToken(tokenToKeep());
    if (client.hasToken) void showAccess();
    else access.textContent = "Without a token, open each file on GitHub.";
    onToken();
  };
  keeps.addEventListener("change", () => keepToken(tokenToKeep()));
  input.value = keptToken() ?? "";
  if (client.hasToken) void showAccess();
  return h(
    "fieldset",
    { class: "group" },
    h("legend", {}, "Access to GitHub"),
    fieldOf(
      h("label", { for: "proposal-token" }, "Access token"),
      div("control-line", input, button("Use this token", use)),
      h(
        "p",
        { class: "help", id: "proposal-token-help" },
        `With an access token, this page proposes all changes to ${repository.name} at once. `,
        outward(tokenAddress(repository, "fine-grained"), "Make a token"),
        " with “Contents” and “Pull requests”, both “Read and write”; or ",
        outward(tokenAddress(repository, "classic"), "a classic token"),
        " if you may not write to the repository.",
      ),
      checkboxOf(keeps, "Keep the token in this browser tab"),
    ),
    access,
  );
}

function checksView({ checks, isHidden, url }: PullRequestChecks): HTMLElement {
  const link = outward(url, "All checks on GitHub");
  if (isHidden) return h("p", {}, "The token may not read the checks. ", link);
  if (checks.length === 0) return h("p", {}, "There are no checks yet. ", link);
  const items = checks.map(({ name, state, url: page }) =>
    h("li", { class: `is-${state}` }, `${STATES[state]}: `, page === null ? name : outward(page, name)),
  );
  return h("div", {}, h("ul", { "aria-label": "Checks" }, ...items), h("p", {}, link));
}

function titleOf(changes: readonly ShownChange[]): string {
  const [first] = changes;
  if (first === undefined) return "";
  if (changes.length > 1) return `Edit ${plural(changes.length, "page")}`;
  return `${VERBS[first.kind]} ${first.title}`;
}

const VERBS = {
  new: "Add",
  changed: "Edit",
  moved: "Move",
  removed: "Remove",
  published: "Publish",
  unpublished: "Unpublish",
} as const;

function messageOf(cause: unknown): string {
  if (cause instanceof Conflict)
    return `${cause.message} Open its form and save again: you can choose between both versions there.`;
  return failureText(cause, "That did not work. Your changes are kept; try again.");
}
