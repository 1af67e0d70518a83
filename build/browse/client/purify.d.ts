// The build puts DOMPurify beside the other modules under this name.
export { default } from "dompurify";
