/** A small valid site with every page type, in editors' layout. Each mistake is made in one of its files. */
export const ACCESS = "visit/access.json";
export const WORK = "art/works/_d/marsh-d00001.json";

const text = (...lines: string[]): string => `{\n${lines.map((line) => `  ${line}`).join("\n")}\n}\n`;

const page = (id: number, type: string, title: string): string =>
  text(`"id": ${id},`, `"meta": { "type": "${type}" },`, `"title": "${title}"`);

export const general = (id: number, title: string): string => page(id, "standardpages.GeneralPage", title);

const work = (id: number, title: string, year: number): string =>
  text(
    `"id": ${id},`,
    '"meta": { "type": "artworks.ArtworkPage" },',
    `"title": "${title}",`,
    `"acno": "D0000${id - 30}",`,
    `"acquisitionYear": ${year},`,
    '"start_year": 1850,',
    '"end_year": 1850,',
    '"mltYear": 1850,',
    '"classification": { "id": 2 },',
    '"groups": [{ "id": 21, "shortTitle": "The sea" }],',
    '"subjects": [{ "id": 101, "name": "nature", "level": 1, "parent_id": 1 }]',
  );

export const VALID: Readonly<Record<string, string>> = {
  "_site.json": text(
    '"base_url": "https://api.example.org",',
    '"site_url": "https://www.example.org",',
    '"media_url": "https://media.example.org",',
    '"owned_paths": ["/visit/", "/art/"]',
  ),
  "_history.json": text('"retired": [],', '"moved": []'),
  "index.json": page(1, "home.HomePage", "Home"),
  "visit/index.json": general(10, "Visit"),
  [ACCESS]: text(
    '"id": 12,',
    '"meta": {',
    '  "type": "standardpages.GeneralPage",',
    '  "show_in_menus": true,',
    '  "seo_title": "Getting around",',
    '  "first_published_at": "2026-06-30T09:30:00+01:00"',
    "},",
    '"title": "Access"',
  ),
  "visit/_winter.json": general(13, "Winter closure"),
  "visit/hours/index.json": general(14, "Opening times"),
  "visit/hours/easter.json": general(15, "Easter"),
  "art/index.json": general(20, "Art"),
  "art/works/index.json": page(30, "artworks.ArtworkIndexPage", "Works"),
  [WORK]: text(
    '"id": 31,',
    '"meta": { "type": "artworks.ArtworkPage" },',
    '"title": "Marsh",',
    '"acno": "D00001",',
    '"description": "<p>The <em>Marsh</em> at <a href=\\"/visit/access/\\">dusk</a>.</p>",',
    '"medium": "Ink on paper",',
    '"mltSubjects": "101 1012",',
    '"onlinePubDate": "2019-05-06 12:00:00.0",',
    '"acquisitionYear": 1900,',
    '"start_year": 1848,',
    '"end_year": 1849,',
    '"mltYear": 1848,',
    '"isLoanedOut": false,',
    '"classification": { "id": 2 },',
    '"contributors": [{ "fc": "Ada Vane", "date": "1812–1888", "url": "https://www.example.org/art/" }],',
    '"groups": [{ "id": 21, "shortTitle": "The sea" }],',
    '"subjects": [',
    '  { "id": 101, "name": "nature", "level": 1, "parent_id": 1 },',
    '  { "id": 1012, "name": "shore", "level": 2, "parent_id": 101 }',
    "],",
    '"exhibitions": [',
    "  {",
    '    "id": 7,',
    '    "type": "Loan-out",',
    '    "title": "Water",',
    '    "startDate": "2026-02-03",',
    '    "endDate": "2026-06-30"',
    "  }",
    "],",
    '"resources": [',
    '  { "type": "DISPLAY_CAPTION", "content": "<p>Wet.</p>", "publication_date": "2026-06-30T10:00:00" }',
    "],",
    '"master_images": [',
    "  {",
    '    "sizes": [[600, "0-599", "/images/marsh-600.jpg"], [900, "600-899", "/images/marsh-900.jpg"]],',
    '    "default_url": "/images/marsh-600.jpg",',
    '    "current_size": "0-599",',
    '    "alt_text": "A marsh at dusk",',
    '    "height_ratio": 0.62,',
    '    "max_width": 900',
    "  }",
    "]",
  ),
  "art/works/_d/pool-d00002.json": work(32, "Pool", 1901),
  "art/works/_d/fen-d00003.json": work(33, "Fen", 1902),
};
