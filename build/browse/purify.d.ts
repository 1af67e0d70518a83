// The build stores DOMPurify beside the other modules under this name.
export { default } from "dompurify";
