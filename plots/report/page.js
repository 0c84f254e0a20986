/* SPDX-License-Identifier: Apache-2.0
 *
 * The script of the report: tables that sort, values under the pointer. All
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
