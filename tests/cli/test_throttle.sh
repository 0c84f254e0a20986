#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Resizing a running app on the CPU device: every step of a schedule is reached, power is measured where a
# (made-up) counter tells it, a cap takes workgroups away, and what happens without a counter, with wrong
# options, and at Ctrl-C. A runtime and an app that give nothing up: test_throttle_planted.sh.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu
export COOPBENCH_POWERCAP=$PWD/powercap # there is none yet

# measure CODE OPTION...: the bench, with its document in document.json. On a busy machine workgroups wait
# longer than the usual deadline.
measure() {
  check_exit "$1" "$COOPBENCH" throttle --cpu --hold 0.1 --wait-deadline 2000 --json document.json \
    "${@:2}"
}

# ---- Without power -------------------------------------------------------------------------------

measure 0 --app color,game --input color=grid:60x60,game=5 --schedule N,N/2,1,N --run-id steps
check_schema run.schema.json document.json
check_json document.json 'len(d["cases"]) == 8 == d["summary"]["ok"]' \
  'all(c["verification"] == {"status": "pass", "detail": None} for c in d["cases"])' \
  '[c["id"] for c in d["cases"]] ==
     [f"throttle/{app}/step={i + 1},groups={g}" for app in ["color", "game"]
      for i, g in enumerate(["N", "N/2", "1", "N"])]'
check_json document.json \
  'all(metric(f"*/{app}/step={i},*", "active")["median"]
         == max(1, {1: n, 2: n // 2, 3: 1, 4: n}[i])
       for app in ["color", "game"] for n in [metric(f"*/{app}/step=1,*", "workers")["median"]]
       for i in range(1, 5))' \
  'all(metric(c["id"], "progress")["min"] > 0 and metric(c["id"], "runs")["min"] > 0
       for c in d["cases"])' \
  'all(("resize_time" in [m["name"] for m in c["metrics"]]) == (c["params"]["step"] in [2, 3, 4])
       for c in d["cases"] if metric(c["id"], "workers")["median"] > 3)' \
  'not any(m["unit"] in ["W", "J", "runs/J"] for c in d["cases"] for m in c["metrics"])' \
  'all(re.match("no power: the CPU does not tell its energy", c["notes"][0]) for c in d["cases"])'
check_stdout '^color grid:60x60, 0.1 s a step, N = [2-7]$'
check_stdout '^\| N/2 = [1-3] +\| +[0-9.]+ (µs|ms) \| +[0-9.]+ k?runs/s \| +[0-9]+ % \| +- \|'
check_stdout '^- no power: the CPU does not tell its energy: there is no .*/powercap/intel-rapl:0'
check_exit 0 "$COOPBENCH" plot results/steps -o pictures
check_stdout '^pictures/throttle.svg$'
check "the picture is none" grep -q '</svg>' pictures/throttle.svg
check "a picture of power without any" test ! -e pictures/throttle_power.svg

# One channel or the other.
measure 0 --app color --input grid:60x60 --schedule N,1 --channel queue
check_json document.json 'metric("*/step=2,*", "active")["median"] == 1'

# A cap cannot be held without knowing the power: what to do about it.
measure 77 --app color --input grid:60x60 --schedule none --power-cap 50
check_json document.json '[c["id"] for c in d["cases"]] == ["throttle/color/cap=50"]' \
  'case("*")["status"] == "unsupported" and "modprobe intel_rapl_msr" in case("*")["reason"]'
check_stderr 'throttle/color/cap=50: unsupported: a power cap: the CPU does not tell its energy'

# ---- With power ----------------------------------------------------------------------------------

draw_60_w

# On a loaded machine a step may pass without two readings.
measure_power() {
  rm -rf results/power traces
  measure 0 --app color --input grid:60x60 --schedule N,1 --power-cap 5,5000 --cap-time 1.5 --interval 0.3 --hold 0.8 \
    --idle 1 --trace traces --run-id power
  holds document.json 'all(metric(c["id"], name) for c in d["cases"] for name in ["power", "idle_power"])'
}
check "a step without power, three times" once_in 3 measure_power
check_schema run.schema.json document.json
check_json document.json 'len(d["cases"]) == 4 == d["summary"]["ok"]' \
  'all(20 < metric(c["id"], name)["median"] < 180 for c in d["cases"]
       for name in ["power", "idle_power"])' \
  'all(abs(metric(c["id"], "energy_per_run")["median"] * metric(c["id"], "progress")["median"]
           / metric(c["id"], "power")["median"] - 1) < 0.01 for c in d["cases"]
       if "step" in c["params"])' \
  'all(abs(metric(c["id"], "energy_per_run")["median"]
           * metric(c["id"], "progress_per_watt")["median"] - 1) < 0.01 for c in d["cases"])'
check_json document.json \
  'metric("*/cap=5", "active")["min"] == 1 and metric("*/cap=5", "over_cap")["median"] == 1' \
  'case("*/cap=5")["notes"][0].startswith("the cap was not held: with one workgroup, the device")' \
  'not [m for m in case("*/cap=5")["metrics"] if m["name"] == "settle_time"]' \
  'metric("*/cap=5000", "active")["min"] == metric("*/cap=5000", "workers")["min"]' \
  'metric("*/cap=5000", "over_cap")["median"] == 0 == metric("*/cap=5000", "settle_time")["median"]' \
  'case("*/cap=5000")["notes"][0].startswith("the cap limits nothing: with all workgroups (")'
check_stdout '^\| color, 5000 W \| +at once \| +[0-9.]+ W \| +[0-9.]+ W \| +0 % \|'
check_stdout '^- color, 5 W: the cap was not held'
check "there are not three traces" test "$(ls traces/color-{steps,cap-5,cap-5000}-*.tsv | wc -l)" = 3
check_exit 0 "$COOPBENCH" plot results/power -o pictures
check_stdout '^pictures/throttle_power.svg$'
check "the picture is none" grep -q '</svg>' pictures/throttle_power.svg
check "power.dat lacks launches" test "$(grep -c '^$' pictures/throttle_power.dat)" = 4 # between 3 launches
check_exit 0 "$COOPBENCH" plot latest -o latest
check "latest is another run" cmp -s latest/throttle_power.dat pictures/throttle_power.dat

# A trace that cannot be written.
for file in traces/color-cap-5-*.tsv; do
  rm "$file"
  mkdir "$file"
done
measure 1 --app color --input grid:60x60 --schedule none --power-cap 5 --cap-time 0.5 --interval 0.2 --idle 0.1 \
  --trace traces --run-id untraced
check_json document.json 're.search("cannot write the trace traces/color-cap-5-.*: Is a directory", case("*")["reason"])'

# Beside tasks, in this process and in another.
check_power() { # COMMAND OPTION...
  check_exit 0 "$COOPBENCH" "$1" --cpu --power --workload heavy --groups 1 --tasks 8 --runs 1 --warmup 0 \
    --wait-deadline 2000 --json document.json "${@:2}"
  check_json document.json 'len(d["cases"]) == 1 == d["summary"]["ok"]' \
    'all(20 < metric("*", name)["median"] < 180 for name in ["power", "power_alone"])' \
    'abs(metric("*", "energy_per_run")["median"] / metric("*", "power")["median"]
         / metric("*", "app_time")["median"] * 1e9 - 1) < 0.01'
  check_stdout '^Power of the device$'
}
check_power multitask --app bfs --input grid:60x60 --barrier atomic --exclude '*/overhead/*'
check_power preempt --app barriers --scale tiny --place process

# ---- What cannot be ------------------------------------------------------------------------------

# A step that cannot be is reported, and the others are measured.
measure 0 --app color --input grid:60x60 --schedule 100,2,1
check_json document.json '[c["status"] for c in d["cases"]] == ["unsupported", "ok", "ok"]' \
  're.match(r"100 workgroups asked for, but only \d run at once", d["cases"][0]["reason"])' \
  'metric("*/step=2,*", "active")["median"] == 2'

refused() {
  check_exit 2 "$COOPBENCH" throttle --cpu --dry-run "${@:2}"
  check_stderr "$1"
}
refused 'expected a number from 1, N, N/K, KN/L or N-K, got "0"' --schedule N,0
refused 'nothing to do without a schedule; give --power-cap W' --schedule none
refused 'power-cap: expected a number from 1' --power-cap 0
refused 'did you mean "color"' --app colour
check_exit 0 "$COOPBENCH" throttle --help
check_stdout 'chmod a\+r /sys/class/powercap/\*/energy_uj'

# ---- Ctrl-C --------------------------------------------------------------------------------------

start throttle --cpu --app color --input grid:60x60 --schedule N,1 --hold 600 --wait-deadline 2000 \
  --run-id stopped
wait_for 'the first case' grep -aEq '\[1/2\] [^ ]*  run 0' err
worker=$(worker_of_program)
sleep 1.5
kill -INT "$program"
check_end 130
worker_gone() { test ! -e "/proc/$worker" || grep -q '^State:.*[ZX]' "/proc/$worker/status"; }
wait_for 'the worker to end' worker_gone
check_json results/stopped/run.json 'not d["complete"] and d["exit_code"] == 130' \
  '[c["status"] for c in d["cases"]] == ["interrupted", "interrupted"]'
