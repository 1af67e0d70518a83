/** The sections of the form: their names in `_types.json` and their headings, in the order in which the form shows them. */
export const SECTIONS = {
  identification: "Identification",
  texts: "Texts",
  images: "Images",
  subjects: "Subjects and groups",
  display: "Display and location",
  acquisition: "Acquisition and credit",
  publishing: "Publishing",
  technical: "Technical",
} as const;

export type SectionName = keyof typeof SECTIONS;

export const SECTION_NAMES = Object.keys(SECTIONS) as SectionName[];

/** The section that the form shows closed. */
export const CLOSED_SECTION: SectionName = "technical";
