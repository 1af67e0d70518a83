import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { PROGRAM_FOLDER } from "../build/base/folders.ts";
import { DESCRIPTIONS, helpText } from "./command.ts";
import { COMMANDS, fileOf, NAMES } from "./commands.mjs";
import type { Options, Usage } from "./usage.ts";

export interface Description {
  usage: Usage;
  options: Options;
}

/** The usage and options of all commands. No command runs. */
export async function describeCommands(): Promise<Map<string, Description>> {
  const described = new Map<string, Description>();
  const listen = (message: unknown): void => {
    const description = message as Description;
    described.set(description.usage.name, description);
  };
  DESCRIPTIONS.subscribe(listen);
  try {
    // The query loads a separate copy, because one of the commands is the caller, which is still loading.
    for (const name of NAMES)
      await import(`${pathToFileURL(join(PROGRAM_FOLDER, "scripts", `${fileOf(name)}.ts`)).href}?described`);
  } finally {
    DESCRIPTIONS.unsubscribe(listen);
  }
  return described;
}

const INTRODUCTION = `# Commands

<!-- Written by npm run generate:commands, from the option tables in scripts/. Changes belong there. -->

This page has the help of every command, as \`--help\` prints it. With \`npm run\`, options need a \`--\` before them;
[Commands and npm versions](start.md#commands-and-npm-versions) explains why. The exit statuses have [the same meaning
everywhere](reference.md#exit-statuses).

**\`--site DIR\`** is an option of every command that reads a site. The default paths \`content\`, \`public\` and \`_headers\` are in the site
folder, and so are the folders \`.cache\` and \`.preview\`. A site without \`_headers\` uses the program's.
`;

/** The text of docs/commands.md: the help of all commands, grouped by reader. */
export function commandsPage(described: ReadonlyMap<string, Description>): string {
  const groups = Object.entries<Record<string, string>>(COMMANDS);
  const index = groups.map(([group, commands]) => {
    const links = Object.keys(commands).map((name) => `[${name}](#${name.replaceAll(":", "")})`);
    return `- **${group}:** ${links.join(", ")}\n`;
  });
  const sections = groups.map(([group, commands]) => {
    const parts = Object.keys(commands).map((name) => sectionOf(name, described.get(name)));
    return `\n## ${group}\n${parts.join("")}`;
  });
  return [INTRODUCTION, "\n", ...index, ...sections].join("");
}

function sectionOf(name: string, described: Description | undefined): string {
  if (described === undefined) throw new Error(`scripts/${fileOf(name)}.ts describes no command ${name}`);
  return `\n### ${name}\n\n\`\`\`text\n${helpText(described.usage, described.options)}\`\`\`\n`;
}
