// SPDX-License-Identifier: Apache-2.0
//
// A copy of the page gets this script, which uses it as people do, and leaves what it saw in an element.
const seen = [], say = (name, value) => seen.push(name + "=" + value);
try {
  const move = (target, x, y) => target.dispatchEvent(
    new PointerEvent("pointermove", {clientX: x, clientY: y, bubbles: true}));
  const tipText = () => document.getElementById("tip").textContent.replaceAll("\n", " ");
  const svg = document.querySelector("#figure-fig7 svg");
  if (svg) {
    const box = svg.getBoundingClientRect();
    say("picture", box.width > 300 && box.height > 100);
    const point = svg.querySelector(".point").getBoundingClientRect();
    move(svg, point.left + point.width / 2 + 3, point.top + point.height / 2 - 3);
    say("figure-tip", tipText());
    move(svg, box.left + 1, box.bottom - 1);
    say("nowhere-tip", tipText() === "");
    say("titles", document.querySelectorAll("figure title, figure desc").length);
    say("figure-filter", getComputedStyle(svg).filter);
  }
  say("used", true);
  say("back", getComputedStyle(document.body).backgroundColor);
  const head = [...document.querySelectorAll("#cases th")].find(th => th.textContent === "median");
  const medians = () => [...document.querySelectorAll("#cases tbody tr")].map(
    row => number(row.cells[head.cellIndex].textContent));
  const ordered = (list, sign) => list.every((v, i) => !i || isNaN(v) || isNaN(list[i - 1]) || sign * (v - list[i - 1]) >= 0);
  const filter = document.querySelector("#cases input");
  filter.value = "TICKET protocol_time";
  filter.dispatchEvent(new Event("input"));
  say("filtered", document.querySelectorAll("#cases tbody tr").length);
  head.click();
  say("ascending", ordered(medians(), 1) && medians().length > 1);
  head.click();
  say("descending", ordered(medians(), -1));
  const device = document.querySelector("#devices th");
  device.click();
  say("devices", [...document.querySelectorAll("#devices tbody tr")].map(r => r.cells[0].textContent).join(" / "));
  const point = document.querySelector("#chart circle.point");
  if (point) {
    const box = point.getBoundingClientRect();
    move(point, box.left, box.top);
    say("chart-tip", tipText());
    say("points", document.querySelectorAll("#chart circle.point").length);
  }
  const pair = document.querySelector("#compare table");
  if (pair) {
    const [base, run] = document.querySelectorAll("#compare select");
    const body = () => [...document.querySelectorAll("#compare tbody tr")];
    const cells = i => body().map(row => row.cells[i].textContent);
    const counts = () => [...document.querySelectorAll("#compare button")].map(b => b.textContent).filter(t => /\d/.test(t)).join(", ");
    const size = text => Math.abs(Math.log1p(parseFloat(text) / 100));
    const choose = (select, text) => {
      select.value = [...select.options].find(o => o.textContent.startsWith(text)).value;
      select.dispatchEvent(new Event("change"));
    };
    say("run", run.selectedOptions[0].textContent);
    say("baselines", base.options.length);
    say("counts", counts());
    const weights = () => cells(0).map(verdict => data.verdicts.indexOf(verdict));
    say("by-size", cells(3).map(size).every((v, i, all) => !i || weights()[i] !== weights()[i - 1] || isNaN(v) ||
      v < all[i - 1] + 0.01) && body().length > 1);
    say("by-weight", ordered(weights(), 1) && body().length > 1);
    document.querySelectorAll("#compare th")[4].click();
    say("by-ratio", ordered(cells(4).map(Number), 1));
    say("columns", body()[0].cells.length);
    say("fits", pair.scrollWidth <= pair.parentNode.clientWidth);
    if (run.options.length > 2) {
      choose(run, "run-35 ");
      choose(base, "run-30 ");
      say("other", counts());
      choose(base, "run-29 ");
      say("changed", counts());
      say("first", cells(0)[0]);
      [...document.querySelectorAll("#compare button")].find(b => b.textContent.endsWith("regression")).click();
      say("only", [...new Set(cells(0))].join());
      say("class", body()[0].cells[0].className);
    }
  }
  say("images", document.images.length);
} catch (error) { say("failed", error); }
document.getElementById("data").remove(); // not to be printed
document.body.append(Object.assign(document.createElement("pre"), {id: "seen", textContent: seen.join("\n")}));
