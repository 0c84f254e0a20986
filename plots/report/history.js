/* SPDX-License-Identifier: Apache-2.0
 *
 * Charts of the report's history, with the median of each level, and marks where a level or the
 * environment changed, which lead to the rows of the table. Uses the tables and quantities of page.js.
 */
"use strict";

const shapes = { // of the marks, around 0, 0
  worse: "M-8,-7L8,-7L0,8Z", better: "M-8,7L8,7L0,-8Z", environment: "M0,-9L8,0L0,9L-8,0Z",
  accepted: "M-7,0L-2,6L8,-6L5,-8L-2,1L-5,-3Z", cores: "M-7,-7L7,-7L7,7L-7,7Z",
};
const isUnlike = point => point.mark > 0 && point.mark < 4; // the run before, on the same machine
const rowOf = change => document.getElementById("change-" + change.number);

function describe(row) {
  const [run, start, commit] = data.runs[row.run];
  return [run, start, commit && "commit " + commit, metrics[row.metric][0] + ": " +
    quantity(row.median, unit(row)), interval(row), "n = " + row.n, marks[row.mark]]
    .filter(Boolean).join("\n");
}

const median = values => {
  const sorted = [...values].sort((a, b) => a - b), half = sorted.length >> 1;
  return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
};

// The places of the points of each level: those of one environment, from one change to the next.
function levelsOf(series) {
  const steps = new Set(series.changes.filter(change => change.verdict !== "environment").map(change => change.at));
  const levels = [], current = new Map();
  let next = 0, environment = 0;
  series.points.forEach((p, i) => {
    for (; next < series.environments.length && series.environments[next][0] <= p.run; next++)
      environment = series.environments[next][1];
    if (steps.has(i) || !current.has(environment)) levels.push(current.set(environment, []).get(environment));
    current.get(environment).push(i);
  });
  return levels;
}

// A line at the median of each level: of the values that are shown.
function drawLevels(svg, series, x, y) {
  const points = series.points;
  for (const level of levelsOf(series)) {
    const value = median(level.map(i => points[i].median)), n = level.length;
    const from = Math.max(0, level[0] - 0.4), to = Math.min(points.length - 1, level[n - 1] + 0.4);
    const line = makeSvg("line", {x1: x(from), x2: x(to), y1: y(value), y2: y(value), class: "level"}, svg);
    makeSvg("title", {}, line, `median of ${n} run${n === 1 ? "" : "s"}: ${quantity(value, unit(points[0]))}`);
  }
}

// What a change's row says, but for what it unfolds.
const summary = row => [...row.cells].slice(0, -1).map(cell => cell.textContent).filter(Boolean).join(" ") + "\n" +
  row.querySelector("summary").textContent;

// A mark is a link to the row of its change, which unfolds (below).
function drawMarks(svg, series, x, top, bottom) {
  for (const change of series.changes) {
    const at = x(change.at - 0.5), row = rowOf(change);
    if (!row) continue; // of more than the table has
    const link = makeSvg("a", {href: "#" + row.id, class: "mark " + change.verdict, "aria-label": summary(row)}, svg);
    makeSvg("rect", {x: at - 8, y: top - 10, width: 16, height: bottom - top + 10, class: "reach"}, link);
    makeSvg("line", {x1: at, x2: at, y1: top, y2: bottom}, link);
    const shape = makeSvg("path", {d: shapes[change.verdict], class: "point",
      transform: `translate(${at} ${top - 2})`}, link);
    makeSvg("title", {}, shape, summary(row));
    link.addEventListener("click", () => unfold(row)); // also where the address has it already
  }
}

function drawLegend(place, series) {
  const legend = make("p", undefined, place);
  legend.className = "legend";
  for (const verdict of new Set(series.changes.map(change => change.verdict))) {
    const key = makeSvg("svg", {viewBox: "-10 -10 20 20", width: 14, height: 14, "aria-hidden": true}, legend);
    makeSvg("path", {d: shapes[verdict], class: "mark " + verdict}, key);
    make("span", verdict, legend);
  }
  make("span", "line: median of a level", legend);
  if (series.points.some(isUnlike)) make("span", "large point: unlike the run before", legend);
}

// A chart of one metric of one case: a point for each run, with its interval.
function drawChart(series) {
  const place = document.getElementById("chart"), width = 1100, height = 340, left = 110, right = 20;
  const top = 60, bottom = 50, points = series.points, u = unit(points[0]);
  const svg = makeSvg("svg", {viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": series.id});
  makeSvg("text", {x: left, y: 22, "font-size": 14}, svg,
    `${devices[series.device][1]}: ${series.id}, ${metrics[series.metric][0]}`);
  const lows = points.map(p => Math.min(p.median, p.low ?? p.median));
  const highs = points.map(p => Math.max(p.median, p.high ?? p.median));
  let low = Math.min(...lows), high = Math.max(...highs);
  const room = (high - low || Math.abs(high) || 1) * 0.1;
  [low, high] = [low - room, high + room];
  const x = i => left + (width - left - right) * (points.length > 1 ? i / (points.length - 1) : 0.5);
  const y = value => top + (height - top - bottom) * (high - value) / (high - low);
  for (let i = 0; i <= 4; i++) {
    const value = low + (high - low) * i / 4;
    makeSvg("line", {x1: left, x2: width - right, y1: y(value), y2: y(value), class: "grid"}, svg);
    makeSvg("text", {x: left - 8, y: y(value) + 4, "font-size": 12, "text-anchor": "end"}, svg,
      quantity(value, u));
  }
  makeSvg("polyline", {points: points.map((p, i) => `${x(i)},${y(p.median)}`).join(" "),
    class: "line"}, svg);
  drawLevels(svg, series, x, y);
  points.forEach((p, i) => {
    if (typeof p.low === "number" && typeof p.high === "number")
      makeSvg("line", {x1: x(i), x2: x(i), y1: y(p.low), y2: y(p.high), class: "interval"}, svg);
    const point = makeSvg("circle", {cx: x(i), cy: y(p.median), r: isUnlike(p) ? 7 : 4, class: "point"}, svg);
    makeSvg("title", {}, point, describe(p));
  });
  for (const [i, anchor] of [[0, "start"], [points.length - 1, "end"]])
    makeSvg("text", {x: x(i), y: height - 18, "font-size": 12, "text-anchor": anchor}, svg,
      data.runs[points[i].run][1]);
  drawMarks(svg, series, x, top, height - bottom);
  place.replaceChildren(svg);
  drawLegend(place, series);
  tellPoints(svg);
}

// Shows all of a change: its row, unfolded, in the table, which scrolls.
function unfold(row) {
  row.querySelector("details").open = true;
  row.focus({preventScroll: true});
  row.scrollIntoView({block: "nearest"});
}

function followAddress() {
  const row = document.getElementById(location.hash.slice(1));
  if (row && row.matches("tr[id^=change-]")) unfold(row);
}

function history() {
  const found = new Map();
  for (const row of rows) {
    if (row.metric === undefined) continue;
    const key = [devices[row.device][0], row.id, row.metric].join("\t");
    if (!found.has(key)) found.set(key, {...row, points: [], changes: [], environments: []});
    found.get(key).points.push(row);
  }
  for (const [number, verdict, run, device, id, metric, environments] of data.changes) {
    const series = found.get([devices[device][0], id, metric].join("\t"));
    const at = series ? series.points.findIndex(p => p.run === run) : -1;
    if (at > 0 && environments !== undefined) series.environments = data.environments[environments];
    if (at > 0) series.changes.push({number, verdict, at, series});
  }
  const list = [...found.values()].filter(series => series.points.length > 1);
  for (const series of list) {
    const [before, last] = series.points.slice(-2);
    series.last = last;
    series.change = before.median ? (last.median - before.median) / Math.abs(before.median) : 0;
    series.changes.sort((a, b) => a.at - b.at);
    series.steps = series.changes.filter(change => change.verdict !== "environment").length;
    series.row = Math.min(...series.changes.map(change => change.number || 1e9), 1e9 + 1);
  }
  list.sort((a, b) => a.row - b.row); // as the table of changes
  if (list.length === 0) return;
  longTable(document.getElementById("series"), list, [
    ["case (click for its chart)", s => s.id],
    ["metric", s => metrics[s.metric][0]],
    ["device", s => devices[s.device][1]],
    ["runs", s => s.points.length, undefined, true],
    ["last", s => s.last.median, s => quantity(s.last.median, unit(s)), true, unit],
    ["change", s => s.change, s => (100 * s.change).toFixed(1) + " %", true],
    ["changes of level", s => s.steps, undefined, true],
  ], drawChart);
  drawChart(list[0]);
  for (const change of list.flatMap(series => series.changes)) {
    const cell = rowOf(change)?.cells[2]; // the case, which an environment has none of
    if (!cell || cell.textContent === "") continue;
    cell.classList.add("pick");
    cell.addEventListener("click", () => {
      drawChart(change.series);
      document.getElementById("chart").scrollIntoView({block: "nearest"});
    });
  }
  followAddress();
}
if (document.getElementById("series")) history();
addEventListener("hashchange", followAddress);
