#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Takes docs/history.png anew: what the report says of the runs that tests/cli/test_history.sh plants, after a click on the
# mark of a change. Needs Chromium. COOPBENCH: the program that writes the page.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
coopbench=${COOPBENCH:-$root/build/coopbench}
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || {
  echo "scripts/history-picture.sh: there is no chromium" >&2
  exit 1
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

gzip -cd "$root/results/reference/pocl-3.1/primitives/run.json.gz" >base.json
python3 "$root/tests/cli/history_runs.py" base.json results 80
"$coopbench" report results >/dev/null

# Only the history, down to the legend of the chart.
script='addEventListener("load", () => {
  for (const part of document.querySelectorAll("body > header, footer, section:not(#history), #series, #series ~ *, #history > h2"))
    part.remove();
  document.querySelector("a.mark.worse").dispatchEvent(new MouseEvent("click", {bubbles: true, cancelable: true}));
  setTimeout(() => scrollTo(0, 0), 100);
});'
python3 - "$script" <<'PYTHON'
import sys
page = open("results/report.html").read()
open("picture.html", "w").write(page.replace("</body>", f"<script>{sys.argv[1]}</script></body>"))
PYTHON
timeout 60 "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$PWD/browser" \
  --window-size=1160,960 --virtual-time-budget=3000 --screenshot="$PWD/history.png" "file://$PWD/picture.html" 2>/dev/null
pngtopam history.png | pnmtopng -compression 9 >"$root/docs/history.png"
