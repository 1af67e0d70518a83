/* The parts of the editor that a browser loads when they are first used. */

export { changesPage } from "./changes-page.ts";
export { review } from "./changes-view.ts";
export { conflictView, messageIfTaken } from "./conflict.ts";
export { imagesPage, takePicture } from "./image-picker.ts";
export { openActions } from "./page-actions.ts";
export { proposalPanel } from "./proposal.ts";
export { subpagesOf } from "./subpages.ts";
export { beginTranslation, showLanguages } from "./translations.ts";
