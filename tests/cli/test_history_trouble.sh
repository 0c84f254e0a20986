#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# history of runs with anything in them: clocks that jump, other devices in between, cases that come and go, documents of
# schema 1, a run that is being written. The planted step is found all the same. Nothing here needs a device.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"

reference pocl-3.1/primitives >base.json
python3 "$SOURCE_DIR/tests/cli/history_runs.py" base.json planted 80 # run-080 is the oldest, run-040 the first slower one
history() { "$COOPBENCH" history "$@"; }

# edit FOLDER: a new copy of the runs in it, after the Python statements on standard input, for each run d of number i
# (1 is the newest) of folder path.
edit() {
  rm -rf "$1"
  cp -r planted "$1"
  { echo 'import copy, glob, json, pathlib, sys
from documents import set_all
for path in sorted(pathlib.Path(sys.argv[1]).glob("run-*")):
    i, d = int(path.name[4:]), json.load(open(path / "run.json"))'
    sed 's/^/    /'
    echo '    json.dump(d, open(path / "run.json", "w"))'
  } >edit.py
  python3 edit.py "$1"
}
# finds_the_step FOLDER: that it is the only change of a level, in run 40.
finds_the_step() {
  check_exit 0 history "$1" --json found.json
  check_schema history.schema.json found.json
  check_json found.json 'd["better"] == 0' '[c["run"]["id"] for c in d["changes"] if c["verdict"] == "worse"] == ["run-040"]'
}
finds_the_step planted
check "warned of sound runs" test ! -s err

# --- Clocks ---------------------------------------------------------------------------------------
edit clocks <<'PYTHON'
if i == 60: d["time"]["start"] = "1970-01-01T00:00:07Z"
if i == 50: d["time"]["start"] = "2999-01-01T00:00:00Z"
if i == 30: d["time"]["end"] = "2026-10-01T00:00:00Z"
if i == 20: del d["time"]["start"]
if i == 10: d["time"] = [1]
PYTHON
check_exit 0 history clocks
check_stderr '^Warning: run-060 may be in a wrong place: its clock was not set \("1970-01-01T00:00:07Z"\)$'
check_stderr '^Warning: run-050 may be in a wrong place: it started in the future'
check_stderr '^Warning: run-030 may be in a wrong place: its clock went back while it ran'
check_stderr '^Warning: run-020 may be in a wrong place: it does not tell when it started'
check_stderr '^Warning: run-010 may be in a wrong place: it does not tell'
check_stdout '^80 runs from run-010 to run-050, ' # the order is that of the clocks
check_stdout 'run-040 .* worse'
edit clocks <<'PYTHON'
d["time"]["start"] = "2026-10-01T00:00:00Z" if i > 40 else "2026-10-02T00:00:00Z"
PYTHON
check_exit 0 history clocks # of one second, by their names
check "warned of runs of one second" test ! -s err
check_stdout ' worse '

# --- Devices, cases, documents --------------------------------------------------------------------
edit devices <<'PYTHON'
if i % 3 == 0:
    old = d["devices"][0]["id"]
    d["devices"][0].update(id="name:another", name="another")
    for c in d["cases"]: c["device"] = "name:another"
    for m in (m for c in d["cases"] for m in c["metrics"]):
        set_all(m, 7)
PYTHON
finds_the_step devices # of which no run is one of the other device
check_json found.json '[c["run"]["id"] for c in d["changes"] if c["device"] == "name:another"] == ["run-018"] * 6' 'd["series"] == 12'

edit cases <<'PYTHON'
d["cases"] = [c for k, c in enumerate(d["cases"]) if (i + k) % 4 or i in (40, 41)]
if i % 7 == 0: d["cases"] = []
if i % 7 == 1:
    for c in d["cases"]: c.update(status="timeout", metrics=[])
if i % 7 == 2:
    for m in (m for c in d["cases"] for m in c["metrics"]): m["median"] = "fast"
if i % 7 == 3: d["cases"][0]["metrics"][0].update(median=1e12) # outside its own minimum and maximum
PYTHON
check_exit 0 history cases --json found.json
check_stderr 'a run is left out: cases/run-002.*it has no median'
check_stderr 'a run is left out: cases/run-003.*are not in the order min, q1, median'
check_json found.json '{c["run"]["id"] for c in d["changes"] if c["verdict"] == "worse"} <= {"run-040", "run-039", "run-041"}' \
  'd["worse"] <= 1 and d["better"] == 0'

edit old <<'PYTHON'
if i > 50:
    d["schema_version"] = "1.0"
    for c in d["cases"]:
        if "wg-size" in (c.get("params") or {}): c["params"]["wg"] = c["params"].pop("wg-size")
PYTHON
finds_the_step old
check_json found.json '{c["run"]["id"] for c in d["changes"] if c["verdict"] == "environment"} == {"run-020"}'
edit newer <<'PYTHON'
if i == 5: d["schema_version"] = "99.0"
PYTHON
finds_the_step newer
check_stderr 'left out: newer/run-005.*99'

# --- A run that is being written ------------------------------------------------------------------
edit written <<'PYTHON'
if i == 1: d.update(complete=False, exit_code=None, cases=d["cases"][:1])
PYTHON
mkdir written/begun written/empty
echo '{"event": "case"' >written/begun/events.jsonl # no document yet
echo '{"schema": "coopbench-r' >written/run-002/run.json.1234.tmp
ln -s run-001 written/latest
finds_the_step written
check_json found.json 'len(d["runs"]) == 80'
head -c 1000 planted/run-001/run.json >written/run-001/run.json # which no coopbench leaves: it renames
finds_the_step written
check_stderr 'left out: written/run-001'
