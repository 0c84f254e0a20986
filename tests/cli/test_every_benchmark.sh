#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# One short command of each benchmark: it runs, its rows are right, and tables, findings and files are there. What a
# developer waits for (scripts/test.sh --quick); the tests of a benchmark look closer.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu

declare -A options=(
  [apps]='--scale tiny --app color --mode multikernel,cooperative --wg-size 16 --verify'
  [discover]='--protocol lockfree -m 11 --wg-sizes none --bound off'
  [graphics]='--size 64x48 --pairs 8 --window 0.03 --confirm-time 0.02 --t 0.5 --scene light'
  [launch]='--scale tiny --program power --launcher host'
  [litmus]='--test MP --iterations 20'
  [memory]='--contention contentious --access atomic --operation write --groups N --accesses 1000'
  [migrate]='--scale tiny --app color --moves 2 --wg-size 16'
  [multitask]='--scale tiny --app color --workload light --tasks 3 --wg-size 16'
  [preempt]='--scale tiny --app color --workload light --tasks 3 --place queue --wg-size 16'
  [primitives]='--barrier xf --mutex ticket --semaphore none --queue none --groups N --ops 10'
  [selftest]='--stress 2 --app color'
  [throttle]='--scale tiny --app color --schedule N,1 --hold 0.05 --wg-size 16'
)
runs() { # BENCHMARK: whether it runs; 77 is a result (no display, no power meter)
  local code=0
  read -ra chosen <<<"${options[$1]-}"
  unset POCL_DEVICES
  [[ $1 != migrate ]] || export POCL_DEVICES='pthread pthread' # two, if the device is PoCL
  "$COOPBENCH" "$1" --cpu --runs 1 --warmup 0 "${chosen[@]}" --run-id "$1" --json document.json >out 2>err || code=$?
  ((code == 0 || code == 77)) || return 1
  check_schema run.schema.json document.json
  check_json document.json 'd["cases"]' 'all(c["status"] in ("ok", "unsupported") for c in d["cases"])' \
    '("unsupported" in [c["status"] for c in d["cases"]]) == ('$code' == 77)'
}

"$COOPBENCH" list benchmarks --json - >list.json
mapfile -t all < <(python3 -c 'import json; print(*(b["id"] for b in json.load(open("list.json"))["benchmarks"]), sep="\n")')
check 'fewer benchmarks than were listed' test ${#all[@]} -ge 11
for benchmark in "${all[@]}"; do
  check "$benchmark has no short command here" test -n "${options[$benchmark]-}"
  runs "$benchmark" || fail "$benchmark ${options[$benchmark]-}"
done
check_exit 0 "$COOPBENCH" report results -o page
for benchmark in "${all[@]}"; do
  check "the page lacks $benchmark" grep -q "<h3[^>]*>[^<]*$benchmark" page/report.html
done
