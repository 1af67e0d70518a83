/*
 * An empty field takes one line, a closed section or row only that of its name. Their controls are in the document all
 * the same, and open when they get the focus: by a click, by a script, or when a finding leads there.
 */

const CONTROLS = "a[href], button, input, select, textarea, summary, [contenteditable]";

const isClosed = (control: Element): boolean => control.matches("details:not([open]) > :not(summary) *");

/** Takes the controls of a closed part out of the order of the Tab key and from screen readers, until it is opened. */
export function fold(part: HTMLDetailsElement): void {
  const content = part.querySelector(":scope > :not(summary)");
  if (part.open) content?.removeAttribute("aria-hidden");
  else content?.setAttribute("aria-hidden", "true");
  for (const control of content?.querySelectorAll<HTMLElement>(part.open ? "[data-tab]" : CONTROLS) ?? [])
    if (isClosed(control) && control.tabIndex >= 0) {
      control.dataset["tab"] = "";
      control.tabIndex = -1;
    } else if (!isClosed(control)) {
      delete control.dataset["tab"];
      control.removeAttribute("tabindex");
    }
}

export function unfold(element: Element | null): void {
  for (let at = element?.closest("details"); at; at = at.parentElement?.closest("details") ?? null) {
    if (at.open) continue;
    at.open = true;
    fold(at);
  }
}

/** Shows the empty fields around an element in full. */
function fill(element: Element): void {
  const empty = ".is-empty:not(.is-list)";
  for (let at = element.closest(empty); at; at = at.parentElement?.closest(empty) ?? null)
    at.classList.remove("is-empty");
}

/** Lets the parts of a form open when one of their controls gets the focus. */
export function followFolds(form: HTMLElement): void {
  form.addEventListener("focusin", ({ target }) => {
    if (!(target instanceof Element)) return;
    unfold(target.tagName === "SUMMARY" ? (target.parentElement?.parentElement ?? null) : target);
    // A button stays where it is pressed.
    if (target.tagName !== "BUTTON") fill(target);
  });
  form.addEventListener("click", ({ target }) => target instanceof Element && fill(target));
  // The event does not bubble.
  form.addEventListener("toggle", ({ target }) => target instanceof HTMLDetailsElement && fold(target), true);
}
