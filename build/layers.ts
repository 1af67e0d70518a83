/**
 * The folders of the program, with their contents in “The map” in docs/architecture.md. A folder imports only from those
 * above it. From `dev` on, they are commands, which do not import from each other. A test checks every import, type
 * imports included. `build/contract/` has no code: it contains the generated schemas.
 */
export const FOLDERS = [
  "base",
  "findings",
  "source",
  "model",
  "check",
  "browse",
  "hosting",
  "outputs",
  "site",
  "change",
  "editor",
  "dev",
  "release",
  "exchange",
  "verify",
] as const;

export const FIRST_COMMAND = "dev" satisfies (typeof FOLDERS)[number];
