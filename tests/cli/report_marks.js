// SPDX-License-Identifier: Apache-2.0
//
// A copy of a page with a history gets this script, which uses the marks of its chart.
const seen = [], say = (name, value) => seen.push(name + "=" + value);
const later = () => new Promise(resolve => setTimeout(resolve, 100));
const isInView = element => {
  const box = element.getBoundingClientRect();
  return box.height > 0 && box.top >= 0 && box.top < window.innerHeight;
};
async function use() {
  await later();
  say("address", location.hash);
  say("open", [...document.querySelectorAll("tr[id^=change-] details")].map(d => d.open).join());
  const marks = [...document.querySelectorAll("#chart a.mark")];
  say("marks", marks.map(a => a.getAttribute("class").split(" ")[1]).join());
  say("levels", document.querySelectorAll("#chart line.level").length);
  say("legend", document.querySelector("#chart .legend").textContent);
  const colours = marks.map(a => getComputedStyle(a.querySelector("path")).fill);
  say("colours", new Set(colours).size === new Set(marks.map(a => a.getAttribute("class"))).size);
  for (const mark of marks) {
    const shape = mark.querySelector("path"), row = document.querySelector(mark.getAttribute("href"));
    document.getElementById("chart").scrollIntoView();
    const box = shape.getBoundingClientRect(), x = box.left + box.width / 2, y = box.top + box.height / 2;
    const hit = document.elementFromPoint(x, y);
    hit.dispatchEvent(new PointerEvent("pointermove", {clientX: x, clientY: y, bubbles: true}));
    say("tip", document.getElementById("tip").textContent.replaceAll("\n", " "));
    say("label", mark.getAttribute("aria-label").replaceAll("\n", " "));
    mark.focus();
    say("focused", document.activeElement === mark);
    row.querySelector("details").open = false;
    hit.dispatchEvent(new MouseEvent("click", {bubbles: true, cancelable: true}));
    await later();
    say("led-to", location.hash);
    say("unfolded", row.querySelector("details").open && isInView(row.querySelector("summary")));
    say("row-focused", document.activeElement === row);
    say("row", row.innerText.replaceAll(/\s+/g, " "));
  }
  const other = document.querySelector("#series tbody tr:last-child td");
  other.click();
  say("other-levels", document.querySelectorAll("#chart line.level").length);
  document.querySelector("#change-1 td.pick").click();
  say("back", document.querySelectorAll("#chart a.mark").length === marks.length);
}
use().catch(error => say("failed", error)).finally(() => {
  document.getElementById("data").remove(); // not to be printed
  document.body.append(Object.assign(document.createElement("pre"), {id: "seen", textContent: seen.join("\n")}));
});
