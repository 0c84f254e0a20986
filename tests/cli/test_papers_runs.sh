#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What scripts/papers.py refuses: variants, devices and kernels that are mixed without a word, and kept runs that do not tell
# where they are from. Nothing here needs a device.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"

papers() { check_exit "$1" python3 "$SOURCE_DIR/scripts/papers.py" "${@:2}"; }

# Runs of a device, with kernels: run_of FOLDER DEVICE KERNELS COMMIT; the apps of both variants, and what they take.
run_of() {
  mkdir -p "$1"
  python3 - "$@" >"$1/run.json" <<'PYTHON'
import json, sys
_, device, kernels, commit = sys.argv[1:]

def case(app, groups, overhead, variant=None, kills=10):
    params = {"app": app, "input": "1", "input_name": "x", "barrier": "regular", "workload": "light", "groups": groups}
    values = {"overhead": overhead, "exec_time": 3e6, "gather_time": 5e3, "task_groups": 10, "kills": kills}
    return {"id": f"multitask/{app}/groups={groups}" + (f",variant={variant}" if variant else ""), "bench": "multitask", "status": "ok",
            "params": params | ({"variant": variant} if variant else {}),
            "metrics": [{"name": n, "median": v, "mean": v, "n": 3} for n, v in values.items()]}

print(json.dumps({
    "run_id": "r", "tool": {"git_sha": commit, "kernels": kernels}, "time": {"start": "2026-01-02"},
    "devices": [{"name": device, "driver_version": "1"}], "summary": {"cases": 3, "ok": 3},
    "cases": [case("bfs", "N/2", 1.5), case("bfs", "N/2", 4.5, "paper", 4), case("game", "N/2", 1.25),
              {"id": "t", "bench": "throttle", "status": "ok", "params": {"app": "bfs", "input": "1", "step": 1, "groups": "N"},
               "metrics": [{"name": "progress", "median": 2}]}]}))
PYTHON
}
kept=root/results/reference
run_of $kept/h100/run "Big H100" aaaa 0123456
run_of $kept/h200/run "Big H200" aaaa 0123456
run_of $kept/h200/older "Big H200" bbbb 7654321
page() { cat >root/README.md; }
filled() { # the page is right, once it is filled
  papers 0 --root root
  papers 0 --check --root root
}
refused() { # what is said of a page
  papers 1 --check --root root
  check_stderr "$1"
}

# ---- Variants of apps

page <<'TEXT'
<!-- heavy: Big H100 = results/reference/h100/run -->
<!-- end -->
<!-- fig6: Big H100 = results/reference/h100/run -->
<!-- end -->
TEXT
sed -i 's/"barrier": "regular"/"barrier": "none"/g; s/"light"/"heavy"/g' $kept/h100/run/run.json
filled
check "the authors' app is a row of ours" grep -qxF '| bfs 1 |  |  |  | 3 ms | 0 % | 1.500 |  |  |  |' root/README.md
check "the authors' app is in ours' median" grep -q '^| heavy, N/2 | 1.47 | 40 ms | 2 | 1.375 | 1.500 |' root/README.md
run_of $kept/h100/run "Big H100" aaaa 0123456

# Most workgroups did not have to be gathered: said beside the gather time.
page <<'TEXT'
<!-- fig6_systems: Big H100 = results/reference/h100/run -->
<!-- end -->
TEXT
filled
check "no share of the workgroups" grep -q '^| light, N/2 |  |  | 1 | 4.500 | 4.500 |  |  | 5 µs (40 %) |  |' root/README.md

# ---- Devices and kernels

page <<'TEXT'
<!-- gather: H100 = results/reference/h100/run; H200 = results/reference/h200/run -->
<!-- end -->
TEXT
refused 'gather: .*: runs of two devices in one table, and no head or cell says "H100"'
page <<'TEXT'
<!-- fig6: H200 = results/reference/h200/run; H200 = results/reference/h200/older -->
<!-- end -->
TEXT
refused 'fig6: .*: two kernels have one name, H200'
page <<'TEXT'
<!-- price: H100 = results/reference/h100/run; limited = results/reference/h200/run -->
<!-- end -->
TEXT
refused 'price: .*: runs of two devices in one table, and "limited" does not tell that it is Big H200'
page <<'TEXT'
<!-- fig6: H100 = results/reference/h100/run; H200 = results/reference/h200/run; older H200 = results/reference/h200/older -->
<!-- end -->
<!-- origin: One = results/reference/h100/run; Two = results/reference/h200/run -->
<!-- end -->
TEXT
filled

# ---- Kept runs

lacking() { # FILE: its text is on stdin; what is said of it; then it goes
  mkdir -p "$(dirname "$kept/$1")"
  cat >"$kept/$1"
  papers 1 --check --root root
  check_stderr "results/reference/$2: measure it anew on a clean commit"
  rm -r "${kept:?}/$(dirname "$1")"
}
lacking cpu/run/run.json 'cpu/run has no driver and no commit without changes' \
  <<<'{"tool": {"git_sha": "1", "git_dirty": true}, "devices": [{"name": "CPU"}], "time": {"start": "2026-01-02"}, "cases": []}'
lacking cpu/run/run.json 'cpu/run has no commit and no driver and no date' <<<'{"cases": []}'
lacking cpu/run/report.md 'cpu/run has no run.json' <<<'10000 of 10000'
lacking cpu/twin.csv 'cpu/twin.csv has no first line "# driver .*' <<<'program,device'
lacking cpu/twin.csv 'cpu/twin.csv has no commit without changes' <<<'# driver 1.2, commit 0123456 with changes, 2026-01-02: a note'
lacking cpu/time/durations.json 'cpu/time has no commit and no date' \
  <<<'{"driver_version": "1", "durations": [{"command": "a", "commit": "0123456", "date": "2026-01-02"}, {"command": "b"}]}'
lacking trust/pairs.json 'trust/pairs.json has no driver and no commit and no date' <<<'{"what": "pairs"}'
mkdir -p $kept/cpu
printf '# driver 1.2, CUDA 13.0, commit 0123456, 2026-01-02\nprogram,device\n' >$kept/cpu/twin.csv
papers 0 --check --root root

# What is excepted is told; an exception that is none is refused.
echo '{"cases": []}' >$kept/cpu/run.json
printf '# a comment\ncpu: measured by hand\n' >$kept/exceptions.txt
papers 0 --check --root root
check_stdout '^excepted: results/reference/cpu has no commit and no driver and no date: measured by hand$'
echo 'cpu' >$kept/exceptions.txt
papers 1 --check --root root
check_stderr 'exceptions.txt: cpu: say why, after a colon'
rm $kept/cpu/run.json
echo 'cpu: measured by hand' >$kept/exceptions.txt
papers 1 --check --root root
check_stderr 'exceptions.txt: cpu: nothing is missing there: take the line out'
rm $kept/exceptions.txt

# The first line of a CSV of a CUDA program, by programs that are made up.
mkdir -p tools tree/scripts/twins
cp "$SOURCE_DIR/scripts/twins/about.sh" tree/scripts/twins/
printf '#!/bin/sh\necho 580.1\necho 580.1\n' >tools/nvidia-smi
printf '#!/bin/sh\necho "Cuda compilation tools, release 13.0, V13.0.48"\n' >tools/nvcc
chmod +x tools/*
git -C tree init -q
git -C tree add .
git -C tree -c user.name=a -c user.email=a@b commit -qm one
PATH=$PWD/tools:$PATH check_exit 0 tree/scripts/twins/about.sh
check_stdout '^# driver 580\.1, CUDA 13\.0, commit [0-9a-f]{7}, 20[0-9-]{8}$'
cp out $kept/cpu/twin.csv
papers 0 --check --root root
echo >>tree/scripts/twins/about.sh
PATH=$PWD/tools:$PATH check_exit 0 tree/scripts/twins/about.sh
check_stdout ', commit [0-9a-f]{7} with changes, 20'
printf '#!/bin/sh\nexit 127\n' >tools/nvcc
PATH=$PWD/tools:$PATH check_exit 0 tree/scripts/twins/about.sh
check_stdout '^# driver 580\.1, commit [0-9a-f]{7} with changes, 20'
printf '#!/bin/sh\n' >tools/nvidia-smi
PATH=$PWD/tools:$PATH check_exit 1 tree/scripts/twins/about.sh
check_stderr 'nvidia-smi does not tell the driver'
