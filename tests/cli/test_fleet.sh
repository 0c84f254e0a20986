#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# fleet: copies of runs, on hosts of other names, of which one is slower by 5 %: it is named, and none of the others. What
# is missing, partial or broken is said.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"

# make_fleet RUN FOLDER N SLOW: N devices as the one of a run.json, each value by chance within 1 %; device SLOW takes 5 %
# longer.
make_fleet() { python3 - "$@" <<'PYTHON'; }
import copy, json, pathlib, random, sys
from documents import scale

base, folder, n, slow = json.load(open(sys.argv[1])), pathlib.Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
random.seed(1)
for i in range(n):
    run = copy.deepcopy(base)
    run["run_id"], run["host"]["hostname"] = f"device-{i}", f"node{i:02}"
    run["devices"][0] |= {"type": "gpu", "uuid": f"gpu-{i}", "pci": f"0000:{i:02x}:00.0"}
    for m in (m for c in run["cases"] for m in c["metrics"] if m["better"] != "none"):
        factor = random.gauss(1, 0.01) * (1.05 if i == slow else 1)
        scale(m, factor if m["better"] == "lower" else 1 / factor)
        for name in ("round_medians", "round_bests", "round_sizes"):
            m.pop(name, None)
    (folder / run["run_id"]).mkdir(parents=True)
    (folder / run["run_id"] / "run.json").write_text(json.dumps(run))
PYTHON
fleet() { "$COOPBENCH" fleet "$@"; }
# edit FILE STATEMENT: of Python, on its document d.
edit() {
  python3 - "$@" <<'PYTHON'
import json, sys
d = json.load(open(sys.argv[1]))
exec(sys.argv[2])
json.dump(d, open(sys.argv[1], "w"))
PYTHON
}

# A slow device among eight, by host, PCI address and UUID.
reference pocl-3.1/primitives >base.json
edit base.json 'd["cases"] = [c for c in d["cases"] if c["params"]["kind"] != "semaphore"]'
make_fleet base.json gpus 8 5
ln -s device-0 gpus/latest
check_exit 5 fleet gpus --json found.json
check_schema fleet.schema.json found.json
check_stdout '^8 devices of 1 kind, 140 series: 1 slow, 7 alike$'
check_stdout '^node05, 0000:05:00.0 \(UUID gpu-5\) is slow: \+[45]\.[0-9] % in the median of its 140 series'
check_stdout '^\| slow +\| +\+[45]\.[0-9] % .* node05 \| 0000:05:00.0 \| gpu-5 \| device-5 \|'
check_stdout 'primitives, barrier: `patient` .* loses least, over 32 places on 8 devices'
check "the slow one is the first" test "$(grep -A 3 '^8 x ' out | tail -n 1 | grep -c gpu-5)" = 1
check_json found.json '[d["devices"][i]["verdict"] for i in d["order"]] == ["slow"] + 7 * ["alike"]' \
  'd["devices"][d["order"][0]]["host"] == "node05"' 'd["gaps"] == [] and d["tests"] > 500' \
  'all(abs(v["loss"]) < 0.2 for s in d["series"] for v in s["values"])' \
  '{p["choice"] for p in d["portable"]} == {"barrier", "mutex"}'

# None is slow, or not by so much; forms of output.
make_fleet base.json alike 8 -1
check_exit 0 fleet alike
check_stdout ': 8 alike$'
check "a device is slow" test -z "$(grep 'is slow' out)"
check_exit 0 fleet gpus --threshold 8
check_exit 5 fleet gpus --filter 'primitives/mutex.*' --metric throughput --alpha 0.05 --format markdown
check_stdout '^### coopbench fleet: 8 devices'
check_stdout '^#### 8 x '
check_exit 5 fleet gpus --format none --markdown page.md --json -
check "JSON alone" python3 -m json.tool out /dev/null
check "Markdown" grep -q '^### coopbench fleet' page.md

# Two devices are no yardstick, but they have a spread and a portable best.
check_exit 6 fleet gpus/device-0 gpus/device-5
check_stdout '2 untested'
check_stdout 'not tested: that takes 5 devices, 3 more than here'
check_stdout '^\| +1\.[01][0-9]* '
check_stdout 'Portable best'

# Devices of another kind, another driver, a part of the rows, rows that failed; a slow device is found all the same.
reference nvidia-h200/primitives >other.json
edit other.json 'd["cases"] = [c for c in d["cases"] if c["params"]["kind"] == "mutex"]'
make_fleet other.json others 2 -1
cp -r gpus mixed
for i in 0 1; do mv "others/device-$i" "mixed/h200-$i"; done
edit mixed/device-1/run.json 'd["devices"][0]["driver_version"] = "9.9"'
edit mixed/device-2/run.json 'd["cases"] = d["cases"][:20]; d["complete"] = False'
edit mixed/device-3/run.json 'd["cases"][0]["status"] = d["cases"][1]["status"] = "timeout"'
edit mixed/device-4/run.json 'd["cases"][0]["params"]["ops"] = "7"'
check_exit 5 fleet mixed --json mixed.json
check_schema fleet.schema.json mixed.json
check_stdout '^10 devices of 2 kinds, .*: 1 slow, 6 alike, 3 untested$'
check_stdout '^8 x .*; 2 different drivers'
check_stdout '^2 x NVIDIA H200 .*not tested'
check_stdout 'device-2 *\| [0-9]+ of 140 series, run not ended'
check_stdout 'device-3 *\| [0-9]+ of 140 series, 2 cases not ok'
check_stdout 'device-4 *\| [0-9]+ of 140 series, 1 with other parameters'
check_json mixed.json 'len(d["kinds"]) == 2 and d["kinds"][0]["drivers"] == 2' \
  'next(p for p in d["portable"] if p["choice"] == "mutex")["devices"] == 9'

# Nodes that never answered, runs that are cut off or of another schema, a fleet.json that says so, or is no such thing.
cp -r alike gaps
head -c 5000 alike/device-6/run.json >gaps/device-6/run.json
edit gaps/device-7/run.json 'd["schema_version"] = "9.0"'
cat >gaps/fleet.json <<'JSON'
{"schema": 1, "tasks": [
  {"folder": "device-0", "host": "node00", "device_uuid": "gpu-0", "state": "ok", "attempts": 1},
  {"folder": "device-1/", "host": "node01", "device_uuid": "gpu-1", "state": "partial", "attempts": 2, "why": "time limit"},
  {"folder": "device-6", "host": "node06", "state": "ok"},
  {"folder": "device-8", "host": "node08", "device_uuid": "gpu-8", "state": "missing", "attempts": 3, "why": "no answer"},
  {"folder": "device-9", "state": "ok"}, 5, null, {"folder": 7, "state": []}, {"folder": ""}]}
JSON
check_exit 6 fleet gaps --json gaps.json
check_schema fleet.schema.json gaps.json
check_stdout '^6 devices of 1 kind, 140 series: 6 alike; [0-9]+ not there, or not wholly$'
check_stdout '^  missing: device-8, host node08, device gpu-8, 3 attempts: no answer$'
check_stdout '^  partial: device-1/, host node01, device gpu-1, 2 attempts: time limit$'
check_stdout '^  missing: device-9: there is no such run, though fleet.json calls it ok$'
check_stdout '^  unreadable: gaps/device-6: .*run.json:[0-9]+:[0-9]+: not valid JSON'
check_stdout '^  unreadable: gaps/device-7: .*schema_version "9.0"'
check_json gaps.json '[g["state"] for g in d["gaps"] if "device-6" in g["folder"]] == ["unreadable"]'
for text in '[' '{}' '{"schema": 2, "tasks": []}' '{"schema": 1, "tasks": {}}' '' '7'; do
  echo "$text" >alike/fleet.json
  check_exit 6 fleet alike
  check_stdout '^8 devices of 1 kind, 140 series: 8 alike; 1 not there'
  check_stdout '^  unreadable: alike/fleet.json: alike/fleet.json'
done
rm alike/fleet.json

# The page of a fleet: the slow device, what is missing, the portable best; no such part where no two devices are alike.
page() { sed -n '/<section id="fleet">/,/<\/section>/p' "$1/report.html"; }
cp gaps/fleet.json gpus
check_exit 0 "$COOPBENCH" report gpus -o page
check_exit 0 python3 "$SOURCE_DIR/tests/cli/report_page.py" page/report.html
check "the slow device is not the first" test "$(page page | grep -o '^<tr><td>node0[0-9], 0000:0[0-9]:00.0</td><td>gpu-[0-9]</td><td class="mark [a-z]*">[a-z]*' | head -n 1)" = \
  '<tr><td>node05, 0000:05:00.0</td><td>gpu-5</td><td class="mark worse">slow'
check "others are slow" test "$(page page | grep -c '>slow</td>')" = 1
check "not said which is missing" grep -q '<li>missing: device-8, host node08, device gpu-8: no answer</li>' <(page page)
check "no portable best" grep -Eq '<p>primitives, mutex: <code>spin_backoff</code> .* loses least, over 64 places on 8 devices.</p>' <(page page)
check_exit 0 "$COOPBENCH" report gpus/device-0 -o page
check "one device is no fleet" test -z "$(page page)$(grep 'href="#fleet"' page/report.html)"
rm gpus/fleet.json

# Several runs of one device, of which the newest counts; a run that is named twice.
cp -r gpus again
cp -r alike/device-5 again/device-5b
edit again/device-5b/run.json 'd["run_id"], d["time"]["start"] = "device-5b", "2036-01-01T00:00:00Z"'
check_exit 0 fleet again
check_stdout '^8 devices of 1 kind, 140 series: 8 alike$'
check_exit 5 fleet gpus gpus gpus/device-1
check_stdout '^8 devices of 1 kind, 140 series: 1 slow, 7 alike$'

# Nothing to read.
mkdir empty
check_exit 2 fleet
check_stderr 'read which fleet'
check_exit 2 fleet empty
check_stderr 'no run in empty; expected a folder that holds a run folder for each device'
check_exit 2 fleet nowhere
cp -r gaps/device-6 empty
check_exit 2 fleet empty
check_stderr 'no run of the fleet can be read$'
check_stderr '^  empty/device-6 is unreadable: '
python3 - <<'PYTHON'
import json
json.dump({"schema": 1, "tasks": [{"folder": f"d{i}", "host": f"n{i}", "device_uuid": None, "state": "missing",
                                   "attempts": 0, "why": "no answer"} for i in range(5)]}, open("empty/fleet.json", "w"))
PYTHON
check_exit 2 fleet empty
check_stderr '^  d0 is missing: no answer$'
check_stderr '^  and 2 more$'
check_exit 2 fleet gpus --filter none
check_stderr 'None of the runs has a case, as --filter and --exclude choose'
check_exit 2 fleet gpus --metric none
check_exit 2 fleet gpus --json - --markdown -
check_exit 1 fleet gpus --json /dev/full
check_exit 0 fleet --help

# A run that was measured here.
need_cpu
check_exit 0 "$COOPBENCH" primitives --cpu --runs 3 --mutex spin,ticket --barrier none --semaphore none --groups 1,2 -q --run-id real
cp results/real/run.json real.json
make_fleet real.json measured 10 2
check_exit 5 fleet measured --json measured.json
check_schema fleet.schema.json measured.json
check_stdout '^node02, 0000:02:00.0 \(UUID gpu-2\) is slow'
check_json measured.json '[i["verdict"] for i in d["devices"]].count("slow") == 1'
