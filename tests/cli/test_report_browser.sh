#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The HTML page in a browser. Needs no device: nothing is measured.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
cli=$SOURCE_DIR/tests/cli
fixture=$SOURCE_DIR/tests/fixtures/export/run.json
reference=$SOURCE_DIR/results/reference

browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || {
  echo "skipped: there is no chromium"
  exit 77
}

# The pages of test_report.sh and test_report_history.sh, which check how they are made.
cp -r "$reference"/pocl-3.1/discover run
python3 "$cli/report_history.py" <(reference pocl-3.1/discover)
ln -s run-3 many/latest
python3 "$cli/report_hostile.py" "$fixture"
"$COOPBENCH" report "$fixture" -o made >out
"$COOPBENCH" report "$reference"/pocl-3.1 -o all >out 2>err
for runs in run many hostile; do
  "$COOPBENCH" report $runs >out 2>err
done

# see SCRIPT PAGE[#PART] OPTION...: loads the page and runs the script in it; what it saw is in out, without a message on
# the console.
see() {
  local page=${2%%#*} part=${2#"${2%%#*}"}
  sed "s#</body>#<script>\n$(sed 's/[&\\#]/\\&/g; s/$/\\n/' "$cli/$1" | tr -d '\n')</script></body>#" "$page" >used.html
  timeout 60 "$browser" --headless --no-sandbox --disable-gpu --enable-logging=stderr --user-data-dir="$PWD/browser" \
    "${@:3}" --virtual-time-budget=3000 --dump-dom "file://$PWD/used.html$part" >dom 2>console || fail "the browser failed on $2"
  sed -n '/<pre id="seen">/,/<\/pre>/p' dom >out
  grep -E 'CONSOLE|Uncaught|Refused' console >err || true
  check "$2: messages on the console" test ! -s err
}
# use PAGE OPTION...: the same with a script for any page.
use() {
  see report_use.js "$@"
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
check_stdout 'chart-tip=run-0 2026-10-01T00:00:00Z .*(search|protocol)_time: [0-9.]+ (m|µ|n)s'
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
from documents import scale
for name, factor in ("before", 1), ("after", 3):
    run = json.load(open("many/run-0/run.json"))
    run["run_id"], run["time"]["start"] = name, f"2026-11-0{1 if name == 'before' else 2}T00:00:00Z"
    for k, metric in enumerate(m for c in run["cases"] for m in c["metrics"] if m["unit"] == "ns"):
        if k > 0:
            del metric["round_medians"]
        scale(metric, factor if k > 0 else (factor + 1) / 2)
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

# The marks of a history with one step, one value that strays and one new driver: each is a link to its row.
python3 "$cli/history_runs.py" <(reference pocl-3.1/primitives) stepped 80
check_exit 0 "$COOPBENCH" report stepped
check_exit 0 python3 "$cli/report_page.py" stepped/report.html
see report_marks.js stepped/report.html --window-size=1280,1000
check_stdout '>address=$'
check_stdout '^open=false,false$'
check_stdout '^marks=worse,environment$'
check_stdout '^levels=3$'
check_stdout '^legend=worseenvironmentline: median of a level'
check_stdout '^colours=true$'
check_stdout '^tip=▼ worse run-040 primitives/.* throughput 2.* Mops/s 1.* Mops/s -5\.. % commits 000000abc027\.\.000000abc028$'
check_stdout '^tip=◆ environment run-020 driver_version of the device was "3\.1\+debian", is "9\.9"$'
check "a label that is not the tip" test "$(sed -n 's/^label=//p' out)" = "$(sed -n 's/^tip=//p' out)"
check_stdout '^led-to=#change-1$'
check_stdout '^led-to=#change-2$'
for what in focused unfolded row-focused; do
  check "not twice: $what" test "$(grep -c "^$what=true$" out)" = 2
done
check_stdout '^row=▼ worse .* Since run-040 .* The run before: run-041 .* between levels of 40 and 20 runs .*git bisect start 000000abc028 000000abc027'
check_stdout '^other-levels=1$' # core_speed, of which neither way is better
check_stdout '^back=true'
check "no failure" test "$(grep -c '^failed=' out)" = 0
see report_marks.js stepped/report.html#change-2 # as somebody is sent
check_stdout '^open=false,true$'

# Two machines that take turns: each has levels of its own.
cp -r stepped turns
sed -i 's/"cpu": "[^"]*"/"cpu": "another processor"/' turns/run-*[13579]/run.json
check_exit 0 "$COOPBENCH" report turns
see report_marks.js turns/report.html
check_stdout '^marks=environment,worse,worse,environment,environment$'
check_stdout '^levels=6$'

# What is accepted has a mark of its own, with the reason.
line=$(sed -n 's/.*id="change-1".*<td>\(primitives[^<]*\)<.*/\1/p' stepped/report.html)
echo "$line@run-040 throughput -5.0% <b>meant</b> & so on" >stepped/accepted.txt
check_exit 0 "$COOPBENCH" report stepped
check_exit 0 python3 "$cli/report_page.py" stepped/report.html
see report_marks.js stepped/report.html --blink-settings=preferredColorScheme=0
check_stdout '^marks=accepted,environment$'
check_stdout '^tip=✓ accepted run-040 .*-5\.. % &lt;b&gt;meant&lt;/b&gt; &amp; so on$'
check_stdout '^row=✓ accepted .* Accepted in stepped/accepted.txt, line 1'
check_exit 0 "$COOPBENCH" report stepped --accepted nothing.txt
check "the other file was read" grep -q '▼ worse' stepped/report.html
check_exit 2 "$COOPBENCH" report stepped --accepted stepped
