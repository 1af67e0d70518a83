export { applyEdits, lineEnding, type Edit } from "../json/edit.ts";
