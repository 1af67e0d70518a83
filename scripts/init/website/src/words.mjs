// The website's own words. Add a language here; what it lacks is English.
const en = {
  skip: "Skip to content", menu: "Main", breadcrumb: "Breadcrumb", languages: "Languages", home: "Home", news: "What is new", more: "See all",
  search: "Search", noScript: "The search needs JavaScript.", found: "Results", notBuilt: "The search works on the built website.",
  missing: "Page not found", missingHelp: "The address may be wrong, or the page is gone. Search for it, or begin at the home page:",
  all: "All", below: "In this section", artist: "Artist", period: "Period", pages: "Pages", page: "Page", next: "Next", previous: "Previous",
  count: (n) => `${n.toLocaleString("en")} ${n === 1 ? "page" : "pages"}`, related: "Related", yes: "Yes", medium: "Medium", dimensions: "Dimensions",
  acquired: "Acquisition", number: "Accession number", onDisplay: "On display", exhibitions: "Exhibitions", subjects: "Subjects",
};
const cy = {
  skip: "Neidio i’r cynnwys", menu: "Prif ddewislen", breadcrumb: "Llwybr", languages: "Ieithoedd", home: "Hafan", news: "Beth sy’n newydd",
  more: "Gweld popeth", search: "Chwilio", noScript: "Mae angen JavaScript i chwilio.", found: "Canlyniadau",
  notBuilt: "Mae’r chwilio’n gweithio ar y wefan orffenedig.", missing: "Heb ddod o hyd i’r dudalen",
  missingHelp: "Efallai fod y cyfeiriad yn anghywir, neu fod y dudalen wedi mynd. Chwiliwch, neu dechreuwch ar yr hafan:", all: "Pob un",
  below: "Yn yr adran hon", artist: "Artist", period: "Cyfnod", pages: "Tudalennau", page: "Tudalen", next: "Nesaf", previous: "Blaenorol",
  count: (n) => `${n} tudalen`, related: "Cysylltiedig", yes: "Ie", medium: "Cyfrwng", dimensions: "Dimensiynau", acquired: "Caffaeliad",
  number: "Rhif derbyn", onDisplay: "I’w weld", exhibitions: "Arddangosfeydd", subjects: "Pynciau",
};
const languages = { en, cy };

/** The words of a language such as cy or fr-CA. */
export const wordsOf = (locale) => ({ ...en, ...languages[locale.split("-")[0]] });
