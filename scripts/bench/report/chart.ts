import type { Measurements, BenchRun } from "../bench.ts";
import { BUILD, COPY, NOTHING } from "../run/own.ts";
import { spread } from "./statistics.ts";
import { describe, type Occasion } from "./table.ts";
import { count, seconds } from "./words.ts";

interface Point {
  pages: number;
  median: number;
  least: number;
  most: number;
}

interface Series {
  name: string;
  /** A colour class of `STYLE`. */
  tone: string;
  points: Point[];
}

const WIDTH = 900;
const HEIGHT = 520;
const PLOT = { left: 70, right: 660, top: 84, bottom: 410 };
const LABEL_GAP = 17;
const NOTE_GAP = 16;

/** Colours that colour-blind people can distinguish, on a light and a dark background. */
const STYLE = `
  .ground { fill: #ffffff; }
  text { font: 13px system-ui, sans-serif; fill: #1f2328; }
  .title { font-size: 17px; font-weight: 600; }
  .note { font-size: 11.5px; fill: #59636e; }
  .grid { stroke: #d1d9e0; stroke-width: 1; }
  .build { stroke: #0550ae; fill: #0550ae; }
  .again { stroke: #4a9fe0; fill: #4a9fe0; }
  .copy { stroke: #6e7781; fill: #6e7781; }
  .competitor0 { stroke: #bc4c00; fill: #bc4c00; }
  .competitor1 { stroke: #1a7f37; fill: #1a7f37; }
  .competitor2 { stroke: #a6378c; fill: #a6378c; }
  .competitor3 { stroke: #8250df; fill: #8250df; }
  path.line { fill: none; stroke-width: 2; }
  path.line.build { stroke-width: 3.5; }
  path.line.again { stroke-dasharray: 5 4; }
  path.line.copy { stroke-dasharray: 2 4; }
  text.label { stroke: #ffffff; stroke-width: 4; stroke-linejoin: round; paint-order: stroke; }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #0d1117; }
    text { fill: #e6edf3; }
    .note { fill: #9198a1; }
    .grid { stroke: #3d444d; }
    .build { stroke: #79c0ff; fill: #79c0ff; }
    .again { stroke: #4a8fd0; fill: #4a8fd0; }
    .copy { stroke: #9198a1; fill: #9198a1; }
    .competitor0 { stroke: #f0883e; fill: #f0883e; }
    .competitor1 { stroke: #56d364; fill: #56d364; }
    .competitor2 { stroke: #e085cf; fill: #e085cf; }
    .competitor3 { stroke: #b392f0; fill: #b392f0; }
    path.line { fill: none; }
    text.label { stroke: #0d1117; }
  }`;

/** An SVG chart of the time of every candidate by number of pages, with logarithmic axes. */
export function chart({ machine, runs }: Measurements, { date, command }: Occasion): string {
  const place = runs[0]?.fileSystem ?? "";
  const here = runs.filter(({ fileSystem }) => fileSystem === place);
  const series = seriesOf(here);
  const x = axis(
    here.map(({ pages }) => pages),
    PLOT.left,
    PLOT.right,
  );
  const walls = series.flatMap(({ points }) => points.flatMap(({ least, most }) => [least, most]));
  const y = axis(walls, PLOT.bottom, PLOT.top);
  const notes = [...failuresOf(here), `${date}, ${command}`, ...wrap(describe(machine))];
  const height = Math.max(HEIGHT, PLOT.bottom + 62 + notes.length * NOTE_GAP);

  const body = [
    `<rect class="ground" width="${WIDTH}" height="${height}" rx="6"/>`,
    `<text class="title" x="20" y="32">Seconds to write every page, by number of pages (${place})</text>`,
    `<text class="note" x="20" y="54">Whole processes, medians of several rounds; bars show the least and the most. Both axes are logarithmic.</text>`,
    ...ticks(y.from, y.to).map(
      (tick) =>
        `<path class="grid" d="M${PLOT.left} ${at(y, tick)}H${PLOT.right}"/>` +
        `<text x="${PLOT.left - 8}" y="${at(y, tick, 4)}" text-anchor="end">${tick}</text>`,
    ),
    ...here.map(
      ({ pages }) =>
        `<path class="grid" d="M${at(x, pages)} ${PLOT.top}V${PLOT.bottom}"/>` +
        `<text x="${at(x, pages)}" y="${PLOT.bottom + 20}" text-anchor="middle">${count(pages)}</text>`,
    ),
    ...series.map((one) => draw(one, x, y)),
    ...labels(series, x, y),
    ...notes.map(
      (note, index) =>
        `<text class="note" x="20" y="${PLOT.bottom + 52 + index * NOTE_GAP}">${escape(note)}</text>`,
    ),
  ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img">`,
    `<title>Build time by number of pages</title>`,
    `<style>${STYLE}\n</style>`,
    ...body,
    "</svg>",
    "",
  ].join("\n");
}

function seriesOf(runs: readonly BenchRun[]): Series[] {
  const rows = [...new Set(runs.flatMap(({ results }) => results.map(({ row }) => row)))];
  const competitors = rows.filter(({ kind }) => kind === "competitor");
  const drawn = [
    { row: BUILD, name: "this build", tone: "build" },
    { row: NOTHING, name: "npm run build, nothing to do", tone: "again" },
    { row: COPY, name: COPY.name, tone: "copy" },
    ...competitors.map((row, index) => ({ row, name: row.name, tone: `competitor${index % 4}` })),
  ];
  return drawn
    .map(({ row, name, tone }) => {
      const points = runs.flatMap(({ pages, results }) => {
        const result = results.find((one) => one.row === row);
        if (result === undefined || result.failure !== undefined || result.samples.size === 0) return [];
        const { median, least, most } = spread([...result.samples.values()].map(({ wall }) => wall));
        return [{ pages, median, least, most }];
      });
      return { name, tone, points };
    })
    .filter(({ points }) => points.length > 0);
}

const failuresOf = (runs: readonly BenchRun[]): string[] =>
  runs.flatMap(({ pages, results }) =>
    results.flatMap(({ row, failure }) =>
      failure === undefined ? [] : [`${row.name}, ${count(pages)} pages: ${failure}`],
    ),
  );

interface Axis {
  from: number;
  to: number;
  /** Pixels. */
  start: number;
  end: number;
}

/** An axis with a margin at both ends, so that no point is on the frame. */
function axis(values: readonly number[], start: number, end: number): Axis {
  return { from: Math.min(...values) / 1.25, to: Math.max(...values) * 1.25, start, end };
}

/** The position of a value in pixels, with one decimal, so that the same figures give the same file. */
function at({ from, to, start, end }: Axis, value: number, shift = 0): string {
  const share = Math.log(value / from) / Math.log(to / from);
  return (start + share * (end - start) + shift).toFixed(1);
}

/** The powers of ten, times 1, 2 and 5; only the powers if there would be too many. */
export function ticks(from: number, to: number): number[] {
  const all = [];
  for (let power = Math.floor(Math.log10(from)); power <= Math.ceil(Math.log10(to)); power++) {
    for (const factor of [1, 2, 5]) all.push(Number(`${factor}e${power}`));
  }
  const within = all.filter((tick) => tick >= from && tick <= to);
  return within.length <= 10 ? within : within.filter((tick) => Number.isInteger(Math.log10(tick)));
}

function draw({ tone, points }: Series, x: Axis, y: Axis): string {
  const path = points.map(({ pages, median }, i) => `${i === 0 ? "M" : "L"}${at(x, pages)} ${at(y, median)}`);
  const marks = points.map(
    ({ pages, median, least, most }) =>
      `<path class="${tone}" d="M${at(x, pages)} ${at(y, least)}V${at(y, most)}"/>` +
      `<circle class="${tone}" cx="${at(x, pages)}" cy="${at(y, median)}" r="3.5"/>`,
  );
  return `<path class="line ${tone}" d="${path.join("")}"/>${marks.join("")}`;
}

/** The name of each line at its end, moved down if others end close to it. */
function labels(series: readonly Series[], x: Axis, y: Axis): string[] {
  const ends = series
    .flatMap(({ name, tone, points }) => {
      const last = points.at(-1);
      return last === undefined ? [] : [{ name, tone, last, height: Number(at(y, last.median)) }];
    })
    .sort((a, b) => a.height - b.height);
  const lowest = new Map<number, number>();
  return ends.map(({ name, tone, last: { pages, median }, height }) => {
    const place = Math.max(height, (lowest.get(pages) ?? -Infinity) + LABEL_GAP);
    lowest.set(pages, place);
    const text = `${escape(name)}: ${seconds(median)} s`;
    return `<text class="label ${tone}" x="${at(x, pages, 10)}" y="${(place + 4).toFixed(1)}">${text}</text>`;
  });
}

function wrap(text: string, width = 130): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = `${lines.at(-1)} ${word}`.trim();
    if (line.length > width) lines.push(word);
    else lines[lines.length - 1] = line;
  }
  return lines;
}

const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
