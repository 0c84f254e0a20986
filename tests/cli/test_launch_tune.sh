#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# launch: the choice that --tune makes, where the time goes (--breakdown), and how much runs at once (--occupancy).
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu

launch() { "$COOPBENCH" launch --cpu "$@"; }
refused() { # WORDS OPTION...
  check_exit 2 launch "${@:2}"
  check_stderr "$1"
}

# The choice of --tune is kept, and used again.
check_exit 2 launch --launcher tuned --program bfs_nested --size small
check_stderr 'launcher: nothing is tuned for bfs_nested on .*: coopbench launch --tune --program bfs_nested'
check_exit 0 launch --tune --program bfs_nested,sc,bt --size medium,small --runs 1 --warmup 0 --json document.json
check_json document.json 'len(d["cases"]) == 2 * 2 * 56 == d["summary"]["ok"]'
check_stdout '^Geometric means: [0-9.e+]+ times as fast as plain launches, [0-9.]+ as aggregation alone, [0-9.]+ as no launches \(CGO.22 in CUDA: 43.0, 3.6 and 8.7\)\.$'
check_stderr 'Profile of .* updated: .*\(launch\)'
profile=$(find "$COOPBENCH_PROFILE_DIR" -name '*.json')
check_schema profile.schema.json "$profile"
check_json "$profile" 'sorted(d["launch"]["programs"]) == ["bfs_nested", "bt"]' \
  'd["launch"]["programs"]["bt"]["size"] == "medium"'
check_exit 2 launch --launcher tuned --program bfs_nested,sp --size small
check_stderr 'nothing is tuned for sp on '
check_exit 2 launch --tune --program bt --threshold 8
check_stderr 'tune: tries launchers, thresholds and coarsenings of its own'
check_exit 0 launch --launcher tuned,serial --program bfs_nested,bt --size small --runs 1 --json document.json
check_json document.json 'd["summary"]["ok"] == 4' '"launch/bt/tuned/small" in [c["id"] for c in d["cases"]]'
check_stdout '^\| bt +\| tuned: [a-z]+'
check_exit 2 launch --tune --program sc
check_stderr 'tune: the programs launch themselves'

# Where the time goes: parts of noise are 0, and all of them are the whole; --runs 1: of one sample.
check_exit 0 launch --breakdown --program bfs_nested,bh,bt,qt --size small --runs 1 --json document.json
check_json document.json 'len(d["cases"]) == 28 == d["summary"]["ok"]' \
  'len({metric(f"launch/bfs_nested/{l}/small/breakdown", "launches")["median"] for l in ("host", "thread", "warp", "block", "multiblock", "grid", "ahead")}) == 1' \
  'all(len(p) == 4 and min(p) >= 0 and abs(sum(p) / t - 1) < 1e-6 for c in d["cases"] for p in [[m["mean"] for m in c["metrics"] if m["name"] in ("parent_time", "aggregation_time", "launch_time", "work_time")]] for t in [metric(c["id"], "run_time")["mean"]])'
check_stdout '^Where the time of the longest round goes'

# How many run at once: the mean is that of its tenths, and steps of one workgroup take turns.
refused 'occupancy: not with --tune' --occupancy --tune
refused 'occupancy: needs launches' --program bt --launcher serial,flat --occupancy
check_exit 0 launch --occupancy --program bfs_nested,qt,pd --launcher thread,block,grid,loop,P,PAO --size small --runs 1 --json document.json
check_json document.json 'len(d["cases"]) == 11 == d["summary"]["ok"]' \
  'all(m["mean"] > 0 and abs(sum(tenths) / 10 / m["mean"] - 1) < 1e-6 for c in d["cases"] for m in [metric(c["id"], "at_once")] for tenths in [[metric(c["id"], f"at_once_{t + 1}")["mean"] for t in range(10)]])' \
  'metric("launch/pd/loop/small/occupancy", "at_once")["mean"] <= 1' \
  'all(0 <= metric(c["id"], "waiting")["mean"] <= 1 for c in d["cases"] if "/pd/" in c["id"])'
check_stdout '^Steps that run at once .KLAP.16 Fig. 11., small inputs'
check_stdout '^Children that run at once, in workgroups, small inputs'
