#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The HTML page of one run and of many. Needs no device: nothing is measured.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
fixture=$SOURCE_DIR/tests/fixtures/export/run.json
reference=$SOURCE_DIR/results/reference

# --- Pages ----------------------------------------------------------------------------------------
cat >page.py <<'PYTHON'
# Elements are closed in order, nothing is loaded from elsewhere, and no text of a run is markup.
import html.parser, json, re, sys
VOID = {"meta", "link", "input", "br"}

class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.text, self.tags, self.ids = [], {}, [], []
    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        for key, value in attributes:
            assert not key.startswith("on"), f"<{tag} {key}>"
            if key == "id":
                self.ids.append(value)
            if key in ("src", "href", "xlink:href", "srcset", "action", "data", "poster"):
                assert value.startswith(("#", "data:")), f"<{tag} {key}={value}>"
            if key == "style" or key in ("fill", "filter", "clip-path"):
                assert not re.search(r"url\((?!#)", value), value
        if tag not in VOID:
            self.open.append(tag)
    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        self.handle_endtag(tag)
    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open and self.open[-1] == tag, f"</{tag}> in {self.open[-3:]} at {self.getpos()}"
            self.open.pop()
    def handle_data(self, data):
        key = self.open[-1] if self.open else ""
        self.text[key] = self.text.get(key, "") + data

text = open(sys.argv[1], encoding="utf-8").read()
page = Page()
page.feed(text)
page.close()
assert not page.open, page.open
assert not {"img", "iframe", "object", "embed", "b"} & set(page.tags)
twice = {i for i in page.ids if page.ids.count(i) > 1}
assert not twice, sorted(twice)[:5]
assert page.tags.count("script") == 3 and page.tags.count("style") == 1 and page.tags.count("link") == 1
assert not re.search(r"@import|url\(|https?://", page.text["style"])
assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|fetch\(|XMLHttp|import ", page.text["script"])
data = json.loads(re.search(r'id="data">(.*?)</script>', text, re.S)[1])
rows = sum(max(1, len(c[5])) for c in data["cases"])
print("runs", len(data["runs"]), "cases", len(data["cases"]), "rows", rows, "figures", page.tags.count("figure"), "tables", page.tags.count("table"))
print("pairs", len(data["pairs"]), "compared", sum(len(p[2]) for p in data["pairs"]))
print(page.text.get("td", ""))
PYTHON

check_exit 0 "$COOPBENCH" report "$fixture" -o made
check_stdout '^made/report.html$'
check_exit 0 python3 page.py made/report.html
check_stdout '^runs 1 cases 8 rows 11 '
check "the hostile name is not there as text" \
  grep -qF "&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt; &amp; &quot;quoted&quot; | \`x\`" made/report.html
check "the reason is not there as text" grep -qF 'passed 200 ms &lt;b&gt;&amp;&lt;/b&gt;' made/report.html

cp -r "$reference"/pocl-3.1/discover run
check_exit 0 "$COOPBENCH" report run
check_stdout '^run/report.html$'
check_exit 0 python3 page.py run/report.html
check_stdout '^runs 1 cases 36 '
check "not said what the numbers mean" grep -q '<li>8 workgroups run at once, ' run/report.html
check "a command is not code" grep -q '<li><code>coopbench primitives --cpu</code> tells' run/report.html
check "a word's option is not code" grep -q '<dd>.*<code>--tune</code> finds' run/report.html
check "no table of the benchmark" grep -q '<th>configuration</th>' run/report.html
if command -v gnuplot >/dev/null; then
  check "no picture" grep -q '<figure id="figure-fig7"><svg' run/report.html
fi

# Without gnuplot, there is a page, and it says so.
program=$(realpath "$COOPBENCH")
mkdir empty
check_exit 0 env PATH="$PWD/empty" "$program" report run -o without
check "not said that gnuplot is missing" grep -q 'Not drawn: .*gnuplot-nox' without/report.html
check "names a folder that is gone" test -z "$(grep -o 'coopbench-report-' without/report.html)"
check_exit 0 python3 page.py without/report.html

# Real runs of several devices, and a folder without runs among them.
check_exit 0 "$COOPBENCH" report "$reference"/* -o all
check_stderr 'Warning: no run in .*/plots'
check_exit 0 python3 page.py all/report.html
check "a device is listed again for each run, or for each card" test "$(
  sed -n '/<section id="devices">/,/<\/section>/p' all/report.html | grep -c '^<tr><td>NVIDIA H200<')" = 1
cards=$(gzip -cd "$reference"/*/*/run.json.gz | grep -o '"id":	"uuid:[^"]*"' | sort -u | wc -l)
check "not all cards of a kind are named" test "$(
  sed -n '/<section id="devices">/,/<\/section>/p' all/report.html | grep -o 'uuid:' | wc -l)" = "$cards"

# --- History --------------------------------------------------------------------------------------
cat >history.py <<'PYTHON'
# 40 runs; from the 31st on, times are 1.3 times as long. Each is itself the later of its folder.
import copy, json, os, random, sys
random.seed(7)
base = json.load(open(sys.argv[1]))
for i in range(40):
    run = copy.deepcopy(base)
    run["run_id"], run["time"]["start"] = f"run-{i}", f"2026-10-{1 + i // 24:02}T{i % 24:02}:00:00Z"
    for metric in (m for c in run["cases"] for m in c["metrics"] if m["unit"] == "ns"):
        factor = (1.3 if i >= 30 else 1) * random.uniform(0.999, 1.001)
        for key in metric.keys() & {"mean", "min", "q1", "median", "q3", "max", "ci95_low", "ci95_high"}:
            metric[key] *= factor
    for metric in (m for c in run["cases"] for m in c["metrics"]):
        metric["round_medians"] = [metric["median"] * random.uniform(0.999, 1.001) for _ in range(10)]
    os.makedirs(f"many/run-{i}")
    open(f"many/run-{i}/run.json", "w").write(json.dumps(run))
PYTHON
python3 history.py <(reference pocl-3.1/discover)
ln -s run-3 many/latest
check_exit 0 "$COOPBENCH" report many
check_stdout '^many/report.html$'
check_exit 0 python3 page.py many/report.html
check_stdout '^runs 40 cases 1440 '
check "no change found" grep -Eq '<p>[1-9][0-9]* changes from one run' many/report.html
check "a change in another run" test -z \
  "$(grep '<td class="mark' many/report.html | grep -v '^<tr><td>run-30<')"
check "a change that is not +30 %" test -z \
  "$(grep '<td class="mark' many/report.html | grep -Ev '\+(29|30)\.[0-9] %')"

check "a column for one device" test "$(
  sed -n '/<section id="history">/,/<\/section>/p' many/report.html | grep -c '<th>device</th>')" = 0
check "local memory in bytes" grep -q '<td class="r">[0-9.]* [KM]iB</td>' many/report.html

# A metric that is another in another unit is no second change.
python3 - <(reference pocl-3.1/memory) <<'PYTHON'
import json, os, sys
run = json.load(open(sys.argv[1]))
for i, factor in enumerate((1, 2)):
    run["run_id"], run["time"]["start"] = f"twice-{i}", f"2026-10-0{1 + i}T00:00:00Z"
    for metric in (m for c in run["cases"] for m in c["metrics"] if m["unit"] == "ns"):
        for key in metric.keys() & {"median", "ci95_low", "ci95_high"}:
            metric[key] *= factor
    os.makedirs(f"twice/twice-{i}")
    json.dump(run, open(f"twice/twice-{i}/run.json", "w"))
PYTHON
check_exit 0 "$COOPBENCH" report twice
check "time has not changed" grep -q '<td>time</td>.*<td class="mark' twice/report.html
check "a change is listed twice" test "$(grep -c '<td>access_time</td>.*<td class="mark' twice/report.html)" = 0

check "a change without its unit" test -z \
  "$(grep '<td class="mark' many/report.html | grep -Ev '<td class="r">[0-9.]+ (n|µ|m)s</td><td class="r">[0-9.]+ (n|µ|m)s</td>')"

# A quick look that is newer than a full run does not take its place; a newer full one does.
python3 - <(reference pocl-3.1/discover) <<'PYTHON'
import copy, json, os, sys
base = json.load(open(sys.argv[1]))
for i, (name, keep) in enumerate([("old", 1), ("full", 1), ("quick", 6)]):
    run = copy.deepcopy(base)
    run["run_id"], run["time"]["start"] = name, f"2026-10-0{1 + i}T00:00:00Z"
    run["cases"] = run["cases"][::keep]
    os.makedirs("sparse/" + name)
    json.dump(run, open(f"sparse/{name}/run.json", "w"))
PYTHON
check_exit 0 "$COOPBENCH" report sparse
check_exit 0 python3 page.py sparse/report.html
check "the tables are not of the full run" grep -q '<summary>Tables of run full</summary>' sparse/report.html
check "the tables are of the quick run" test -z "$(grep 'Tables of run quick' sparse/report.html)"
check "not said that there is a newer run" grep -q \
  'Of run <strong>full</strong> of 2026-10-02T00:00:00Z, whose pictures are the fullest. .*A newer run, <strong>quick</strong> of 2026-10-03T00:00:00Z, has 6 cases where this one has 36\.' \
  sparse/report.html
rm -r sparse/quick
check_exit 0 "$COOPBENCH" report sparse
check "not said that it is the newest" grep -q 'run <strong>full</strong> of 2026-10-02T00:00:00Z, the newest\.' sparse/report.html

# --- Comparison -----------------------------------------------------------------------------------
cat >pairs.py <<'PYTHON'
# The page's verdicts are those of coopbench compare: pairs.py PAGE BASELINE,... RUN <compare.json
import json, re, sys
data = json.loads(re.search(r'id="data">(.*?)</script>', open(sys.argv[1]).read(), re.S)[1])
names = [r[0] for r in data["runs"]]
[rows] = [p[2] for p in data["pairs"]
          if [names[b] for b in p[0]] == sys.argv[2].split(",") and names[p[1]] == sys.argv[3]]
found = {}
for verdict, case, metric, change, *_ in rows:
    name = data["metrics"][metric].split("\t")[0] if metric >= 0 else None
    found[data["cases"][case][2], name] = data["verdicts"][verdict], change
told = {(r["case"], r.get("metric")): (r["verdict"], r.get("change")) for r in json.load(sys.stdin)["comparisons"]}
assert found.keys() == told.keys(), found.keys() ^ told.keys()
for key in told:
    (a, x), (b, y) = found[key], told[key]
    assert a == b and (x == y or abs(x - y) <= 1e-5 * abs(y)), (key, found[key], told[key])
print(len(told), "agree:", sorted({v for v, _ in told.values()}))
PYTHON
# same_verdicts PAGE BASELINE,... RUN OPTION...
same_verdicts() {
  local bases
  IFS=, read -ra bases <<<"${2}"
  "$COOPBENCH" compare "${bases[@]/#/--baseline=many/}" "many/$3" --format json --fail-on none "${@:4}" >told.json
  check_exit 0 python3 pairs.py "$1" "$2" "$3" <told.json
}
same_verdicts many/report.html run-0 run-39
check_stdout "regression.*same"
same_verdicts many/report.html run-37 run-38

check_exit 0 "$COOPBENCH" report many --baseline run-1 -b many/run-2,run-3 --threshold 40% -o based
check_exit 0 python3 page.py based/report.html
check_stdout '^pairs 37 '
same_verdicts based/report.html run-1,run-2,run-3 run-39 --threshold 40%
check "a change of 30 % is one at a threshold of 40 %" test "$(grep -c regression out)" = 0
check_exit 0 "$COOPBENCH" report many/run-9 --baseline many/run-5 -o based # which is read for that
check_exit 0 python3 page.py based/report.html
check_stdout '^runs 2 '
check_exit 2 "$COOPBENCH" report many --baseline nowhere
check_stderr '--baseline: nowhere: .*expected the folder of a run'
check_exit 2 "$COOPBENCH" report many --threshold none
check_stderr 'expected a percentage'

# Two hostile runs, of which one has failed since, and one with a case twice, which is left out.
python3 - "$fixture" <<'PYTHON'
import copy, json, os, sys
run = json.load(open(sys.argv[1]))
for i, name in enumerate(["first", "second", "twice"]):
    other = copy.deepcopy(run)
    other["run_id"] = f"{name} </script><img src=x onerror=alert(2)>"
    other["time"]["start"] = f"2026-10-0{1 + i}T00:00:00Z"
    if i == 1:
        other["cases"][0].update(status="error", reason="</script><img src=x onerror=alert(3)>")
    if i == 2:
        other["cases"].append(other["cases"][0])
    os.makedirs(f"hostile/{name}")
    json.dump(other, open(f"hostile/{name}/run.json", "w"))
PYTHON
check_exit 0 "$COOPBENCH" report hostile
check_stderr '^Warning: not compared: hostile/twice/run.json: the case .* is there twice$'
check_exit 0 python3 page.py hostile/report.html
check_stdout '^pairs 1 '

# --- Many cases -----------------------------------------------------------------------------------
# many_cases RUN TIMES: a run with its cases so many times, in the folder large.
many_cases() {
  mkdir -p large
  python3 - <(reference "$1") "$2" <<'PYTHON'
import json, sys
run = json.load(open(sys.argv[1]))
run["cases"] = [{**c, "id": f"{c['id']},i={i}"} for i in range(int(sys.argv[2])) for c in run["cases"]]
open("large/run.json", "w").write(json.dumps(run)) # several times as fast as json.dump
PYTHON
}
many_cases pocl-3.1/discover 2800
check_exit 0 timeout 120 "$COOPBENCH" report large
check_exit 0 python3 page.py large/report.html
check_stdout '^runs 1 cases 100800 '
cases=$(reference pocl-3.1/primitives | grep -c '"id":	"primitives/')
many_cases pocl-3.1/primitives 360
check_exit 0 timeout 60 "$COOPBENCH" report large # finding the fastest of 25,000 was quadratic
check_exit 0 python3 page.py large/report.html
check_stdout "^runs 1 cases $((cases * 360)) "

# --- In a browser ---------------------------------------------------------------------------------
# A copy of the page gets a script that uses it as people do, and leaves what it saw in an element.
cat >use.js <<'JAVASCRIPT'
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
JAVASCRIPT

browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || {
  echo "skipped: the page in a browser (there is no chromium)"
  exit # with what was found so far
}

# use PAGE OPTION...: loads it, uses it; what it saw is in out, without a message on the console.
use() {
  sed "s#</body>#<script>\n$(sed 's/[&\\#]/\\&/g; s/$/\\n/' use.js | tr -d '\n')</script></body>#" "$1" >used.html
  timeout 60 "$browser" --headless --no-sandbox --disable-gpu --enable-logging=stderr --user-data-dir="$PWD/browser" \
    "${@:2}" --virtual-time-budget=3000 --dump-dom "file://$PWD/used.html" >dom 2>console || fail "the browser failed on $1"
  sed -n '/<pre id="seen">/,/<\/pre>/p' dom >out
  grep -E 'CONSOLE|Uncaught|Refused' console >err || true
  check "$1: messages on the console" test ! -s err
  check_stdout 'images=0'
  check_stdout 'ascending=true'
  check_stdout 'descending=true'
}

use made/report.html
check_stdout 'devices=&lt;/script&gt;&lt;img src=x onerror=alert\(1\)&gt;'
check_stdout 'filtered=2'
use run/report.html
check_stdout 'picture=true'
check_stdout '^figure-tip=spin lock, 11 recall: [0-9.]+ % ± [0-9.]+ % ' # the series, the value, its unit
check_stdout '^nowhere-tip=true$'
check_stdout '^titles=0$'
check_stdout '^figure-filter=none$'
check_stdout '^back=rgb\(245, 246, 248\)$'
use run/report.html --blink-settings=preferredColorScheme=0
check_stdout '^back=rgb\(20, 23, 27\)$'
check_stdout '^figure-filter=invert'

# On a phone, wide tables and pictures scroll in boxes of their own, not the page. (The browser's own
# window is never as narrow.)
for page in many all made hostile; do
  python3 - $page/report.html >narrow.html <<'PYTHON'
import html, sys
print(f'<iframe style="width: 400px; height: 800px; border: 0" srcdoc="{html.escape(open(sys.argv[1]).read())}"></iframe>'
      """<script>addEventListener("load", () => {
        const inner = document.querySelector("iframe"), page = inner.contentDocument.documentElement;
        const seen = `width=${inner.contentWindow.innerWidth} sideways=${page.scrollWidth > page.clientWidth} rows=${
          page.querySelectorAll("#cases tbody tr").length} cut=${
          [...page.querySelectorAll(".cards td")].some(td => td.getBoundingClientRect().right > 400)}`;
        document.body.replaceChildren(seen);
      });</script>""")
PYTHON
  timeout 60 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$PWD/browser" \
    --virtual-time-budget=3000 --dump-dom "file://$PWD/narrow.html" >out 2>err || fail "the browser failed on $page"
  check_stdout '>width=400 sideways=false rows=[1-9][0-9]* cut=false'
done
use many/report.html --window-size=1280,1000
check_stdout '^fits=true$'
check_stdout 'chart-tip=run-0 2026-10-01T00:00:00Z .*protocol_time: [0-9.]+ (m|µ|n)s'
check_stdout 'points=40'
check_stdout '^run=run-39 \(2026-10-02T15:00:00Z\)$'
check_stdout '^baselines=39$'
check_stdout '^counts=([0-9]+ inconclusive, )?[0-9]+ same$'
check_stdout '^by-size=true$'
check_stdout '^by-weight=true$'
check_stdout '^by-ratio=true$'
check_stdout '^columns=10$' # no device: there is only one
check_stdout '^other=([0-9]+ inconclusive, )?[0-9]+ same$'
check_stdout '^changed=[1-9][0-9]* regression'
check_stdout '^first=regression$'
check_stdout '^only=regression$'
check_stdout '^class=worse$'
use hostile/report.html
check_stdout '^run=second &lt;/script&gt;&lt;img src=x onerror=alert\(2\)&gt; '
check_stdout '^counts=1 failed, '

# Single processes: drawn without interval and p, and never above what is known to be worse.
python3 - <<'PYTHON'
import json, os
for name, factor in ("before", 1), ("after", 3):
    run = json.load(open("many/run-0/run.json"))
    run["run_id"], run["time"]["start"] = name, f"2026-11-0{1 if name == 'before' else 2}T00:00:00Z"
    for k, metric in enumerate(m for c in run["cases"] for m in c["metrics"] if m["unit"] == "ns"):
        if k > 0:
            del metric["round_medians"]
        for key in metric.keys() & {"median", "ci95_low", "ci95_high"}:
            metric[key] *= factor if k > 0 else (factor + 1) / 2
        if k == 0:
            metric["n"], metric["ci95_low"], metric["ci95_high"] = 20, metric["median"], metric["median"]
            metric["round_medians"] = [value * (factor + 1) / 2 for value in metric["round_medians"]]
    os.makedirs(f"singles/{name}")
    json.dump(run, open(f"singles/{name}/run.json", "w"))
PYTHON
check_exit 0 "$COOPBENCH" report singles
use singles/report.html
check_stdout '^counts=1 regression, [0-9]+ inconclusive'
check_stdout '^by-weight=true$'
check "no reason in the page" grep -q 'one process a side cannot tell.*10 rounds would decide it' dom
check "NaN in the page" test "$(grep -c 'NaN\|nan,' singles/report.html)" = "$(grep -c 'NaN\|nan,' made/report.html)"
