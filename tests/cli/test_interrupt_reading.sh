#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Ctrl-C while large runs are read: it ends soon, with 130, and what was there stays.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"

# One run of 40 MB, and a folder of 40 runs.
python3 - <<'PYTHON'
import json, os
document = json.load(open(os.environ["SOURCE_DIR"] + "/tests/fixtures/export/run.json"))
case = document["cases"][0]
def write(folder, n):
    os.makedirs(folder)
    document["run_id"] = os.path.basename(folder)
    document["cases"] = [{**case, "id": f"{case['id']},i={i}"} for i in range(n)]
    open(folder + "/run.json", "w").write(json.dumps(document))
write("large", 35000)
for i in range(40):
    write(f"many/{i}", 500)
PYTHON
mkdir page
echo earlier >page/report.html

# interrupted COMMAND...: signals at several moments of the time that it takes. Early ones have to end
# it with 130 (or by the signal, which is the same to a shell); it may be done before a late one.
cat >interrupted.py <<'PYTHON'
import signal, subprocess, sys, time

def run(delay):
    process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=open("err", "w"))
    try:
        process.wait(delay)
        return "done"
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGINT)
    try:
        code = process.wait(20)
        return f"{code}: interrupted" if code == 2 and "interrupted" in open("err").read() else code
    except subprocess.TimeoutExpired:
        process.kill()
        sys.exit(f"goes on after a signal at {delay:.2f} s")

codes = {delay: run(delay) for delay in (0.02, 0.1, 0.3, 1)}
ended = [code in (130, -signal.SIGINT) for code in codes.values()]
if not any(ended) or not all(end or code in ("done", 0, 2, 6) for end, code in zip(ended, codes.values())):
    sys.exit(f"ended with {codes}")
PYTHON
while read -r command; do
  read -ra words <<<"$command"
  check "$command" python3 interrupted.py "$COOPBENCH" "${words[@]}"
done <<'COMMANDS'
export --to csv large
export --to junit many
compare --baseline large large
report large -o page
report many -o page
plot large -o pictures
discover --dry-run --resume large
COMMANDS
check "half a page" grep -q '^earlier$\|^</body>' page/report.html
