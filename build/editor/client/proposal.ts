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
import { keepToken, keptToken, PROPOSAL_CHANGED, type EditorHost } from "./host.ts";
import { hasLoadedImages } from "./images.ts";
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

interface PanelOptions {
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
export class ProposalPanel {
  readonly element = h("section", { class: "proposal edit-form", "aria-label": "Proposal" });
  private readonly options: PanelOptions;
  private readonly store: GitHubStore;
  private changes: readonly ShownChange[] = [];
  /** The number of the latest update: what an earlier one has read is dropped. */
  private turn = 0;
  private readonly summary = h("p", {});
  private readonly list = h("ul", { class: "changes", "aria-label": "Changed pages" });
  private readonly status = h("div", { class: "form-status", role: "status" });
  private readonly result = div("proposal-result");
  private readonly access = h("p", { class: "help", role: "status" });
  private readonly title = h("input", { type: "text", id: "proposal-title", autocomplete: "off" });
  private readonly body = h("textarea", { id: "proposal-body", rows: "3" });
  private readonly propose = button("Propose changes", () => this.onPropose(), {
    class: "primary",
  });

  constructor(options: PanelOptions) {
    this.options = options;
    this.store = options.store;
    document.addEventListener(PROPOSAL_CHANGED, this.onChanged);
    this.element.append(
      h("h2", {}, "Proposal"),
      ...(options.hasNoList === true ? [] : [this.summary, this.list]),
      this.tokenForm(),
      labelled("Title of the proposal", this.title),
      labelled("Note for the reviewer", this.body),
      this.propose,
      this.status,
      this.result,
    );
    void this.update();
  }

  async update(): Promise<void> {
    const { host } = this.options;
    const turn = ++this.turn;
    const files = this.store.changes;
    this.showChanges(changesOf(host, files));
    void showProposal();
    if (host.keepsChanges?.() === false)
      this.say("This browser does not keep the collected changes: propose them before you close the page.");
    this.summary.textContent = "";
    const { changes, summary } = await readChanges(host, files);
    if (turn !== this.turn) return;
    if (!isEqual(changes, this.changes)) this.showChanges(changes);
    this.summary.textContent = summary;
  }

  private showChanges(changes: readonly ShownChange[]): void {
    this.changes = changes;
    this.list.replaceChildren(...changeViews(changes, (one) => this.buttonsOf(one)));
    this.summary.hidden = this.list.hidden = changes.length === 0;
    this.title.placeholder = titleOf(changes);
  }

  /** Called after another tab has changed the proposal. */
  private readonly onChanged = (): void => {
    if (this.element.isConnected) void this.update();
    else document.removeEventListener(PROPOSAL_CHANGED, this.onChanged);
  };

  private tokenForm(): HTMLElement {
    const input = h("input", {
      type: "password",
      id: "proposal-token",
      autocomplete: "off",
      "aria-describedby": "proposal-token-help",
    });
    const keeps = h("input", { type: "checkbox", id: "proposal-keep", checked: keptToken() !== undefined });
    const use = (): void => {
      const token = input.value.trim() || undefined;
      this.store.client.setToken(token);
      keepToken(keeps.checked ? token : undefined);
      void this.showAccess();
      this.options.onToken?.();
    };
    keeps.addEventListener("change", () =>
      keepToken(keeps.checked ? input.value.trim() || undefined : undefined),
    );
    const { repository } = this.store;
    input.value = keptToken() ?? "";
    if (this.store.client.hasToken) void this.showAccess();
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
      this.access,
    );
  }

  private async showAccess(): Promise<void> {
    if (!this.store.client.hasToken) {
      this.access.textContent = "Without a token, open each file on GitHub.";
      return;
    }
    this.access.textContent = "Checking the token…";
    try {
      const { login, may, message } = await this.store.client.access();
      const ways = {
        push: `Signed in as ${login}.`,
        fork: `Signed in as ${login}, who may not write to the repository: the proposal is made through a fork.`,
        read: message ?? "",
      };
      this.access.textContent = ways[may];
    } catch (cause) {
      this.access.textContent = messageOf(cause);
    }
  }

  private buttonsOf({ title, files }: ShownChange): HTMLElement {
    const hint = h("span", { class: "aside", role: "status" });
    const sources = files.filter(({ encoding }) => encoding === undefined);
    const links = sources.map((change) => {
      const { url, clipboard } = openOnGitHub(this.store.repository, change);
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
      const { pages, site } = this.options.host;
      this.store.discard(
        files.map(({ file }) => file),
        pages,
        site,
      );
      void this.update();
    };
    return div(
      "element-buttons",
      ...links,
      button("Remove", remove, { "aria-label": `Remove ${title} from the proposal` }),
      hint,
    );
  }

  private async onPropose(): Promise<void> {
    this.propose.disabled = true;
    this.result.replaceChildren();
    try {
      if ((await this.options.addOpenForm?.()) === false) return;
      void this.update();
      if (this.changes.length === 0) {
        this.say("There are no changes to propose.");
        return;
      }
      if (!this.store.client.hasToken) {
        this.say("Enter an access token, or open each file on GitHub.");
        this.element.querySelector<HTMLElement>("#proposal-token")?.focus();
        return;
      }
      const { host } = this.options;
      const count = (): number => this.changes.reduce((sum, { errors }) => sum + errors, 0);
      // An image that seems to be missing may be newer than the list.
      if (count() > 0 && (await hasLoadedImages(host, host.latestImages))) void this.update();
      const errors = count();
      this.say("Proposing…");
      const title = this.title.value.trim() || titleOf(this.changes);
      const made = await this.store.propose({ title, body: this.body.value, draft: errors > 0 });
      this.title.value = "";
      this.body.value = "";
      void this.update();
      this.say(
        errors > 0
          ? `Proposed as a draft, because the pages have ${plural(errors, "error")}.`
          : "The changes are proposed.",
      );
      await this.show(made);
    } catch (cause) {
      this.say(messageOf(cause));
    } finally {
      this.propose.disabled = false;
    }
  }

  private async show(made: PullRequest): Promise<void> {
    const checks = div("proposal-checks");
    const load = async (): Promise<void> => {
      try {
        checks.replaceChildren(checksView(await this.store.checks(made)));
        refresh.textContent = "Refresh the checks";
      } catch (cause) {
        checks.replaceChildren(messageOf(cause));
      }
    };
    const refresh = button("Show the checks", load);
    const link = outward(made.url, `Pull request ${made.number}`);
    this.result.replaceChildren(h("p", {}, link), checks, refresh);
    link.focus();
    await load();
  }

  private say(text: string): void {
    this.status.textContent = text;
  }
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

const VERBS = { new: "Add", changed: "Edit", moved: "Move", removed: "Remove" } as const;

function messageOf(cause: unknown): string {
  if (cause instanceof Conflict)
    return `${cause.message} Open its form and save again: you can choose between both versions there.`;
  return failureText(cause, "That did not work. Your changes are kept; try again.");
}
