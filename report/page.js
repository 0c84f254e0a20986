/* SPDX-License-Identifier: Apache-2.0
 *
 * The script of the report: tables that sort, values under the pointer, charts of the history. All
 * text goes into the page as text (textContent), never as markup.
 */
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const marks = ["", "better", "worse", "changed", "other machine"];
const PAGE = 100; // rows of a long table at a time

function make(tag, text, parent) {
  const element = document.createElement(tag);
  if (text !== undefined) element.textContent = text;
  if (parent) parent.append(element);
  return element;
}

function makeSvg(tag, attributes, parent, text) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const key in attributes) element.setAttribute(key, attributes[key]);
  if (text !== undefined) element.textContent = text;
  if (parent) parent.append(element);
  return element;
}

// --- Quantities ---------------------------------------------------------------------------------
const prefixes = [["G", 1e9], ["M", 1e6], ["k", 1e3], ["", 1], ["m", 1e-3], ["µ", 1e-6], ["n", 1e-9]];

// Never as a power of ten.
const plain = value => Math.abs(value) >= 1e5 ? Math.round(value).toLocaleString("en") : String(+value.toPrecision(5));

function quantity(value, unit) {
  if (value === null || value === undefined) return "";
  if (unit === "1") return plain(value);
  if (unit === "ns") [value, unit] = [value / 1e9, "s"];
  else if (!/^(s||J|W)$|\/[sJ]$/.test(unit)) return plain(value) + " " + unit;
  const [prefix, factor] = prefixes.find(p => Math.abs(value) >= p[1] * 0.9995) || ["n", 1e-9];
  return +(value / factor).toPrecision(4) + " " + (value ? prefix : "") + unit;
}

// The number that a text begins with, for sorting and for axes: "139 µs" is 1.39e-4; else NaN.
function number(text) {
  const found = /^([+-]?[0-9.]+(?:e[+-]?[0-9]+)?)\s?([GMkmµn]?)(?![A-Za-z]{3})/.exec(text.trim());
  if (!found) return NaN;
  const prefix = prefixes.find(p => p[0] === found[2]);
  return parseFloat(found[1]) * (found[2] ? prefix[1] : 1);
}

function compare(a, b) {
  const empty = (a === "" || a === null) - (b === "" || b === null);
  if (empty || a === b) return empty;
  if (typeof a === "number" && typeof b === "number") return a - b;
  const x = number(String(a)), y = number(String(b));
  return isNaN(x) || isNaN(y) ? String(a).localeCompare(String(b), undefined, {numeric: true}) : x - y;
}

// --- Tables that are in the page ----------------------------------------------------------------
function showOrder(head, descending) {
  for (const other of head.parentNode.cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", descending ? "descending" : "ascending");
}

function sortTable(head) {
  const body = head.closest("table").tBodies[0], column = head.cellIndex;
  const descending = head.getAttribute("aria-sort") === "ascending";
  const text = row => row.cells[column] ? row.cells[column].textContent : "";
  const rows = [...body.rows].sort((a, b) => compare(text(a), text(b)) * (descending ? -1 : 1));
  body.append(...rows);
  showOrder(head, descending);
}

for (const head of document.querySelectorAll("table.sort th"))
  head.addEventListener("click", () => sortTable(head));

// On phones, rows are cards, whose cells have names (page.css).
for (const table of document.querySelectorAll("table.cards"))
  for (const row of table.tBodies[0].rows)
    [...row.cells].forEach((cell, i) => { cell.dataset.name = table.tHead.rows[0].cells[i].textContent; });

// --- Long tables, a page at a time --------------------------------------------------------------
// columns: [name, value of a row, shown text of a row (else the value), flush right, group of a row:
// values are in order within it, class of a row's cell]
function longTable(place, rows, columns, onPick) {
  if (devices.length < 2) columns = columns.filter(column => column[0] !== "device");
  let sorted = rows, shown = rows, from = 0;
  const tools = make("div", undefined, place), wide = make("div", undefined, place);
  tools.className = "tools";
  wide.className = "wide";
  const filter = make("input", undefined, tools);
  filter.placeholder = "filter: words that a row has";
  const back = make("button", "\u2190", tools), on = make("button", "\u2192", tools);
  const count = make("span", undefined, tools);
  count.className = "count";
  const table = make("table", undefined, wide);
  table.className = "sort cards";
  const heads = make("tr", undefined, make("thead", undefined, table));
  const body = make("tbody", undefined, table);
  const show = (row, c) => c[2] ? c[2](row) : row === undefined ? "" : c[1](row);
  function draw() {
    from = Math.max(0, Math.min(from, shown.length - 1 - (shown.length - 1) % PAGE));
    const last = Math.min(from + PAGE, shown.length);
    count.textContent = shown.length ? `${from + 1} to ${last} of ${shown.length}` : "none";
    body.replaceChildren(...shown.slice(from, last).map(row => {
      const line = make("tr");
      columns.forEach((c, i) => {
        const cell = make("td", show(row, c) ?? "", line);
        cell.dataset.name = c[0];
        if (c[3]) cell.className = "r";
        if (c[5]) cell.className = c[5](row);
        if (i === 0 && onPick) {
          cell.className = "pick";
          cell.addEventListener("click", () => onPick(row));
        }
      });
      return line;
    }));
  }
  for (const column of columns) {
    const head = make("th", column[0], heads);
    head.addEventListener("click", () => {
      const sign = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
      const group = column[4] || (() => "");
      sorted = [...rows].sort((a, b) => compare(group(a), group(b)) ||
        sign * compare(column[1](a), column[1](b)));
      showOrder(head, sign < 0);
      select();
    });
  }
  function select() {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    shown = words.length === 0 ? sorted : sorted.filter(row => {
      const text = columns.map(c => show(row, c)).join("\t").toLowerCase();
      return words.every(word => text.includes(word));
    });
    from = 0;
    draw();
  }
  filter.addEventListener("input", select);
  back.addEventListener("click", () => { from -= PAGE; draw(); });
  on.addEventListener("click", () => { if (from + PAGE < shown.length) from += PAGE; draw(); });
  draw();
}

// --- Rows: one for each metric, or for a case without ---------------------------------------------
const metrics = data.metrics.map(text => text.split("\t")); // name, unit, better
const devices = data.devices.map(text => text.split("\t")); // slug, name
const rows = [];
for (const [run, device, id, status, reason, values] of data.cases) {
  const row = {run, device, id, status, reason};
  if (values.length === 0) rows.push(row);
  for (const [metric, median, low, high, n, mark] of values)
    rows.push({...row, metric, median, low, high, n, mark});
}
const unit = row => row.metric === undefined ? "" : metrics[row.metric][1];
const interval = row => typeof row.low === "number" && typeof row.high === "number"
  ? quantity(row.low, unit(row)) + " to " + quantity(row.high, unit(row)) : "";
const caseColumns = [
  ["device", row => devices[row.device][1]],
  ["case", row => row.id],
  ["metric", row => row.metric === undefined ? "" : metrics[row.metric][0]],
  ["median", row => row.median ?? "", row => quantity(row.median, unit(row)), true, unit],
  ["95 % interval", row => row.low ?? "", interval],
  ["n", row => row.n ?? "", undefined, true],
  ["status", row => row.status],
  ["reason", row => row.reason],
];
if (data.runs.length > 1) caseColumns.unshift(["run", row => data.runs[row.run][0]]);
longTable(document.getElementById("cases"), rows, caseColumns);

// --- Points that tell their value ----------------------------------------------------------------
const tip = make("div", undefined, document.body), NEAR = 40; // pixels
tip.id = "tip";

function showTip(x, y, text) {
  tip.textContent = text;
  const left = x + 14, over = left + tip.offsetWidth - window.innerWidth + 8;
  tip.style.left = (over > 0 ? Math.max(8, left - over) : left) + "px";
  const below = y + 16, room = window.innerHeight - tip.offsetHeight - 8;
  tip.style.top = (below > room ? Math.max(8, y - tip.offsetHeight - 12) : below) + "px";
}

// The text of the point nearest to the pointer, in place of the browser's own, which is slow and
// wants the pointer exactly on it.
function tellPoints(svg) {
  const points = [...svg.querySelectorAll(".point")].map(element => {
    const title = element.querySelector("title");
    title.remove();
    element.setAttribute("aria-label", title.textContent);
    return {element, text: title.textContent};
  });
  function nearest(x, y) {
    let best = {away: NEAR};
    for (const point of points) {
      const box = point.element.getBoundingClientRect();
      const away = Math.hypot(box.left + box.width / 2 - x, box.top + box.height / 2 - y);
      if (away < best.away) best = {...point, away};
    }
    return best.text || "";
  }
  for (const type of ["pointermove", "pointerdown"])
    svg.addEventListener(type, event => showTip(event.clientX, event.clientY, nearest(event.clientX, event.clientY)));
  svg.addEventListener("pointerleave", () => { tip.textContent = ""; });
}
for (const svg of document.querySelectorAll("figure svg")) tellPoints(svg);

// --- History --------------------------------------------------------------------------------------
function describe(row) {
  const [run, start, commit] = data.runs[row.run];
  return [run, start, commit && "commit " + commit, metrics[row.metric][0] + ": " +
    quantity(row.median, unit(row)), interval(row), "n = " + row.n, marks[row.mark]]
    .filter(Boolean).join("\n");
}

// A chart of one metric of one case: a point for each run, with its interval.
function drawChart(series) {
  const place = document.getElementById("chart"), width = 1100, height = 320, left = 110, right = 20;
  const top = 40, bottom = 50, points = series.points, u = unit(points[0]);
  const svg = makeSvg("svg", {viewBox: `0 0 ${width} ${height}`, role: "img"});
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
  points.forEach((p, i) => {
    if (typeof p.low === "number" && typeof p.high === "number")
      makeSvg("line", {x1: x(i), x2: x(i), y1: y(p.low), y2: y(p.high), class: "interval"}, svg);
    const point = makeSvg("circle", {cx: x(i), cy: y(p.median), r: p.mark ? 7 : 4,
      class: "point " + marks[p.mark].split(" ")[0]}, svg);
    makeSvg("title", {}, point, describe(p));
  });
  for (const [i, anchor] of [[0, "start"], [points.length - 1, "end"]])
    makeSvg("text", {x: x(i), y: height - 18, "font-size": 12, "text-anchor": anchor}, svg,
      data.runs[points[i].run][1]);
  place.replaceChildren(svg);
  tellPoints(svg);
}

function history() {
  const found = new Map();
  for (const row of rows) {
    if (row.metric === undefined) continue;
    const key = [devices[row.device][0], row.id, row.metric].join("\t");
    if (!found.has(key)) found.set(key, {...row, points: []});
    found.get(key).points.push(row);
  }
  const list = [...found.values()].filter(series => series.points.length > 1);
  for (const series of list) {
    const [before, last] = series.points.slice(-2);
    series.last = last;
    series.change = before.median ? (last.median - before.median) / Math.abs(before.median) : 0;
    series.marks = series.points.filter(p => p.mark > 0 && p.mark < 4).length;
  }
  const worse = series => series.points.filter(p => marks[p.mark] === "worse").length;
  list.sort((a, b) => worse(b) - worse(a) || b.marks - a.marks);
  if (list.length === 0) return;
  longTable(document.getElementById("series"), list, [
    ["case (click for its chart)", s => s.id],
    ["metric", s => metrics[s.metric][0]],
    ["device", s => devices[s.device][1]],
    ["runs", s => s.points.length, undefined, true],
    ["last", s => s.last.median, s => quantity(s.last.median, unit(s)), true, unit],
    ["change", s => s.change, s => (100 * s.change).toFixed(1) + " %", true],
    ["changes", s => s.marks, undefined, true],
  ], drawChart);
  drawChart(list[0]);
}
if (document.getElementById("series")) history();
