import { h, plural } from "../../browse/client/dom.js";
import { findingItem, type PlacedControl, type ShownFinding } from "./context.ts";

/** The findings of the whole page, beside the form: their number, and a button for each. */
export class FindingSummary {
  readonly element = h("aside", { class: "finding-summary", "aria-label": "Findings" });
  private readonly onChosen: (finding: ShownFinding) => void;
  private key = "";

  constructor(onChosen: (finding: ShownFinding) => void) {
    this.onChosen = onChosen;
  }

  /**
   * @param rest findings that belong to no field
   * @param isUntouched whether the editor has entered nothing yet
   */
  show(
    findings: readonly ShownFinding[],
    rest: readonly ShownFinding[],
    placeFor: (path: string) => PlacedControl | undefined,
    isUntouched: boolean,
  ): void {
    const key = JSON.stringify([findings, isUntouched]);
    if (key === this.key) return;
    this.key = key;
    const errors = findings.filter(({ severity }) => severity === "error").length;
    const warnings = findings.length - errors;
    const counts = [
      ...(errors > 0 ? [plural(errors, "error")] : []),
      ...(warnings > 0 ? [plural(warnings, "warning")] : []),
    ];
    const items = findings
      .filter(({ path }) => placeFor(path) !== undefined)
      .map((finding) =>
        h(
          "li",
          { class: `is-${finding.severity}` },
          h(
            "button",
            { type: "button", class: "to-finding", click: () => this.onChosen(finding), dir: "auto" },
            finding.message,
          ),
        ),
      );
    this.element.replaceChildren(
      h("h2", {}, "Findings"),
      h(
        "p",
        { role: "status" },
        counts.length > 0 ? counts.join(", ") : isUntouched ? "Nothing entered yet." : "No findings.",
      ),
      ...rest.map((finding) => findingItem(finding)),
      items.length === 0 ? "" : h("ol", {}, ...items),
    );
  }
}
