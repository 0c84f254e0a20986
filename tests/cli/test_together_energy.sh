#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The policy energy on the CPU device: with a (made-up) counter of energy it comes to shares, and its row has
# watts and joules as the other policies' have; without one it is refused before anything runs.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu
export COOPBENCH_POWERCAP=$PWD/powercap # there is none yet

# together CODE OPTION...: with $n workers (three), so that there are few shares to try.
together() {
  check_exit "$1" "$COOPBENCH" multitask --cpu --together --app octree,bfs --scale tiny --workgroups "${n:-3}" --runs 1 \
    --wait-deadline 2000 --progress-deadline 30 --json document.json "${@:2}"
}

# ---- Without a meter -----------------------------------------------------------------------------

together 77 --policy energy
check_stderr 'energy: unsupported: the policy energy: the CPU does not tell its energy.*modprobe intel_rapl_msr'
check_json document.json '[(c["status"], c["sampling"]["runs"]) for c in d["cases"]] == [("unsupported", 0)]'
check_exit 2 "$COOPBENCH" multitask --cpu --together --app bfs,game --policy energy --app-rate 0
check_stderr 'app-rate'

# ---- With one ------------------------------------------------------------------------------------

draw_60_w

# On a loaded machine a second may pass without two readings. What the rate needs is one workgroup.
measure_power() {
  together 0 --policy fixed,energy --app-rate 0.001
  holds document.json 'all(metric(c["id"], "power") for c in d["cases"])'
}
check "a row without power, three times" once_in 3 measure_power
check_schema run.schema.json document.json
check_json document.json 'len(d["cases"]) == 2 == d["summary"]["ok"]' \
  'all(20 < metric(c["id"], "power")["median"] < 180 for c in d["cases"])' \
  'all(abs(metric(c["id"], "energy_per_run")["median"] / metric(c["id"], "power")["median"]
           / metric(c["id"], "app_time")["median"] * 1e9 - 1) < 0.01 for c in d["cases"])' \
  'all(metric(c["id"], "workers")["median"] == 3 for c in d["cases"])' \
  'metric("*/energy", "app_groups")["median"] >= 1 <= metric("*/energy", "beside_groups")["median"]' \
  'metric("*/energy", "app_groups")["median"] + metric("*/energy", "beside_groups")["median"] <= 3'
check_stdout '^Power of the device$'
check_stdout '^\| octree \| bfs +\| energy +\| '
check_json document.json 're.fullmatch(r"With the policy energy, octree has [12] and bfs [12] of 3 workgroups: the device "
  r"draws [0-9.]+ W, and octree does [0-9.e+]+ runs/s of the 0.001 that it is to keep. With fixed shares \(N/2\) it "
  r"draws [0-9.]+ W, for [0-9.e+]+ runs/s: which is less, these samples do not tell.",
  next(f["text"] for f in d["findings"] if f["id"] == "energy"))'

# A rate that nothing can keep: as much as there can be, and the sentence says so.
n=2 together 0 --policy energy --app-rate 1e9
check_json document.json 'metric("*/energy", "app_groups")["median"] == 1'
check_json document.json '"of the 1e+09 that it is to keep, too few." in
  next(f["text"] for f in d["findings"] if f["id"] == "energy")'
