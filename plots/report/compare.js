/* SPDX-License-Identifier: Apache-2.0
 *
 * Two runs of the report compared: which two is chosen, the verdicts are those that the page has.
 * Uses the tables and quantities of page.js.
 */
"use strict";

// pairs: [[baselines], run, rows]; what a row does not have is null
function compared([verdict, at, metric, change, low, high, p, base, now, why, more]) {
  const [, device, id] = data.cases[at];
  const size = change !== null ? Math.abs(Math.log(Math.max(0, 1 + change)))
    : base === 0 && now ? Infinity : "";
  if (more) why = [why, more + " would decide it"].filter(Boolean).join("; ");
  const row = {verdict, id, device, change, low, high, p, base, now, why, size};
  return metric < 0 ? row : {...row, metric};
}
const percent = change => (change > 0 ? "+" : "") + (100 * change).toFixed(Math.abs(change) < 0.1 ? 1 : 0) + " %";
const ratio = change => (1 + change).toFixed(3);
const verdictColumns = [
  ["verdict", row => row.verdict, row => data.verdicts[row.verdict], false, undefined,
    row => ({regression: "worse", failed: "worse", improvement: "better"})[data.verdicts[row.verdict]] || ""],
  ["metric", row => row.metric === undefined ? "" : metrics[row.metric][0]],
  ["case", row => row.id],
  ["size of change", row => row.size, row => row.change === null ? (row.size && "from 0") : percent(row.change), true],
  ["ratio", row => row.change ?? "", row => row.change === null ? "" : ratio(row.change), true],
  ["95 % interval", row => row.low ?? "",
    row => row.low === null || row.high === null ? "" : ratio(row.low) + " to " + ratio(row.high)],
  ["p", row => row.p ?? "", row => row.p === null ? "" : row.p < 0.001 ? row.p.toExponential(0) : row.p.toFixed(3), true],
  ["baseline", row => row.base ?? "", row => quantity(row.base, unit(row)), true, unit],
  ["run", row => row.now ?? "", row => quantity(row.now, unit(row)), true, unit],
  ["device", row => devices[row.device][1]],
  ["why", row => row.why ?? ""],
];

function showPair(place, pair) {
  // as compare lists them: by what the verdict weighs, then by size
  const found = pair[2].map(compared).sort((a, b) =>
    a.verdict - b.verdict || (b.size === "" ? -1 : b.size) - (a.size === "" ? -1 : a.size));
  place.replaceChildren();
  const counts = make("div", undefined, place);
  counts.className = "tools";
  longTable(place, found, verdictColumns);
  const filter = place.querySelector("input");
  data.verdicts.forEach((name, verdict) => {
    const n = found.filter(row => row.verdict === verdict).length;
    if (n === 0) return;
    make("button", `${n} ${name}`, counts).addEventListener("click", () => {
      filter.value = filter.value === name ? "" : name;
      filter.dispatchEvent(new Event("input"));
    });
  });
}

function comparison(section) {
  if (data.pairs.length === 0) {
    make("p", "No two of these runs have a case in common.", section);
    return;
  }
  const name = run => data.runs[run][0] + " (" + data.runs[run][1] + ")";
  const tools = make("div", undefined, section), place = make("div", undefined, section);
  tools.className = "tools";
  const [base, run] = ["baseline", "run"].map(text => make("select", undefined, make("label", text + " ", tools)));
  const runs = [...new Set(data.pairs.map(pair => pair[1]))].sort((a, b) => b - a);
  for (const r of runs) make("option", name(r), run).value = r;
  const show = () => showPair(place, data.pairs[base.value]);
  function fillBases() { // those that the run was compared with, the latest first
    base.replaceChildren();
    data.pairs.map((pair, i) => [pair, i]).filter(([pair]) => pair[1] === Number(run.value))
      .sort(([a], [b]) => b[0][0] - a[0][0])
      .forEach(([pair, i]) => { make("option", pair[0].map(name).join(", "), base).value = i; });
  }
  run.addEventListener("change", () => { fillBases(); show(); });
  base.addEventListener("change", show);
  const first = Math.max(0, data.pairs.findIndex(pair => pair[2].some(row => row[7] !== null)));
  run.value = data.pairs[first][1];
  fillBases();
  base.value = first;
  show();
  const shown = new Set(data.pairs.flatMap(pair => [...pair[0], pair[1]])).size;
  make("p", `${data.pairs.length} pairs of ${shown} runs are offered: those with a case in common, as many as a page holds. ` +
    "Others: coopbench compare --baseline RUN RUN", section);
}
if (data.runs.length > 1) comparison(document.getElementById("compare"));
