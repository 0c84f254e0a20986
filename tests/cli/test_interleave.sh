#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# --rounds and --interleave: what they measure and join, builds that differ, and what goes wrong.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu

quick=(primitives --cpu --runs 3 --warmup 1 --filter 'primitives/mutex.spin/groups=1,section=0'
  --filter 'primitives/mutex.ticket/groups=1,section=0')

# ---- One build in rounds -------------------------------------------------------------------------

check_exit 0 "$COOPBENCH" "${quick[@]}" --rounds 2 --run-id joined
check_stdout '^Results: results/joined \(2 rounds joined: '
check_stderr '^Round 2 of 2, about [0-9]+ s left$'
check_schema run.schema.json results/joined/run.json
check_json results/joined/run.json 'd["complete"] and d["exit_code"] == 0 and d["rounds"] == 2' \
  'd["invocation"]["argv"][-2:] == ["--run-id", "joined"]' 'len(d["cases"]) == 2' \
  'metric("*spin*", "throughput")["n"] == 6' 'len(metric("*ticket*", "op_time")["round_medians"]) == 2' \
  'case("*spin*")["sampling"]["runs"] == 6' \
  'max(metric("*spin*", "throughput")["round_bests"]) == metric("*spin*", "throughput")["max"]' \
  'min(metric("*spin*", "op_time")["round_bests"]) == metric("*spin*", "op_time")["min"]'
check 'latest does not lead to it' test "$(readlink results/latest)" = joined
check 'the rounds are gone' test -s results/joined/rounds/2/run.json
check_exit 0 "$COOPBENCH" export --to csv -o joined.csv results/joined

# ---- A build with itself, and with one that is slower --------------------------------------------

# A script stands for a build; here, one whose kernels have a busy loop that takes nine times as long as
# what is measured.
copy_sources slow
plant slow/probes/primitives/common.clh 's/^    self->end = cb_clock();/    ulong done = cb_clock(), spin = 9 * cb_elapsed(done, self->start);\n    while (cb_elapsed(cb_clock(), done) < spin)\n        ;\n&/'
cat >slow-build <<SH
#!/bin/sh
COOPBENCH_KERNEL_DIR=$PWD/slow exec "$COOPBENCH" "\$@"
SH
chmod +x slow-build
# Again, if somebody else has the cores in most rounds.
for ((i = 0; i < 3; i++)); do
  rm -rf results/pair-[ab]
  check_exit 0 "$COOPBENCH" "${quick[@]}" --interleave "$COOPBENCH" --interleave ./slow-build --rounds 6 --run-id pair
  "$COOPBENCH" compare --baseline pair-a pair-b --metric throughput --threshold 20% >verdicts 2>err || true
  grep -q '2 regressions' verdicts && break
done
check_stdout '^Compare: coopbench compare --baseline results/pair-a results/pair-b$'
check_exit 5 "$COOPBENCH" compare --baseline pair-a pair-b --metric throughput --threshold 20% --json slow.json
check_stdout '^pair-b compared with pair-a: 2 regressions'
check_schema compare.schema.json slow.json
check_stdout "^2 changes are adjusted for the speed of the processor's cores"
check_exit 5 "$COOPBENCH" compare --baseline pair-a pair-b --of median --metric throughput --threshold 20% --json median.json
check_json median.json 'all(c["method"] == "rounds" for c in d["comparisons"])'
check_exit 5 "$COOPBENCH" compare --baseline pair-a pair-b --of best --metric throughput --threshold 20% --json best.json
check_stdout "^Changes are those of the rounds' best samples"
check_schema compare.schema.json best.json
check_exit 6 "$COOPBENCH" compare --baseline joined joined --json few.json
check_json few.json 'all(c["reason"] == "few_rounds" for c in d["comparisons"])'
check_json slow.json 'd["comparisons"][0]["case"].startswith("primitives/mutex.")' \
  'd["comparisons"][0]["method"] == "adjusted_rounds"' 'd["comparisons"][0]["change"] < -0.5'
told() { python3 -c 'import json, sys; d = json.load(open(sys.argv[1])); print(d[sys.argv[2]][sys.argv[3]])' "results/$1/run.json" "${@:2}"; }
check 'the first is not the build it was to be' test "$(told pair-a tool kernels)" = "$(told joined tool kernels)"
check 'nor is the second' test "$(told pair-b tool kernels)" != "$(told joined tool kernels)"
check 'they draw differently' test "$(told pair-a invocation seed)" = "$(told pair-b invocation seed)"

# One call measures both again, into the folder of these.
COOPBENCH_SHARED=ignore check_exit 0 "$COOPBENCH" "${quick[@]}" --interleave "$COOPBENCH" --rounds 2 --run-id few -o two -q
check_exit 0 "$COOPBENCH" compare -o two --baseline few-a few-b --fail-on none
check_stdout "^  coopbench ${quick[*]} --interleave $COOPBENCH -o two -q --rounds 10 --run-id again$"
check_stdout '^  coopbench compare -o two --baseline again-a again-b$'
check "it is to be measured twice" test "$(grep -c 'before\|after' out)" = 0

# With one program, this one is the second.
check_exit 0 "$COOPBENCH" "${quick[@]}" --interleave=./slow-build --rounds=2 --run-id turned -q
check "prints although it is to be quiet" test ! -s out -a ! -s err
check 'they are not in turn' test "$(told turned-b tool kernels)" = "$(told joined tool kernels)"

# ---- What is refused -----------------------------------------------------------------------------

refused() {
  check_exit 2 "$COOPBENCH" "${quick[@]}" "${@:2}"
  check_stderr "$1"
}
refused '^coopbench: --interleave: /bin/ls is no coopbench that can be run: ' --interleave /bin/ls
refused '^coopbench: --interleave: ./gone is no coopbench that can be run: .* exit code 127' --interleave ./gone
refused 'takes turns of two' --interleave a,b,c
refused '^coopbench: --resume completes a single run' --rounds 2 --resume joined
refused '^coopbench: --json is of a single run' --rounds 2 --json -
refused '^coopbench: --rounds: leave "--" out' --rounds 2 --
refused '^coopbench: --run-id: too long, or no name' --rounds 2 --run-id a/b
check_exit 1 "$COOPBENCH" "${quick[@]}" --rounds 2 --run-id joined
check_stderr '^coopbench: results/joined holds a run already'
mkdir -p results/dead-b/rounds/1
check_exit 1 "$COOPBENCH" "${quick[@]}" --interleave "$COOPBENCH" --run-id dead
check_stderr '^coopbench: results/dead-b holds a run already'

# A coopbench of an incompatible version: it refuses the options, or writes what this one cannot read.
cat >old-build <<SH
#!/bin/sh
[ "\$1" = --version ] && exec echo 'coopbench 0.0.1'
echo 'coopbench: unknown option --runs' >&2
exit 2
SH
cat >new-build <<SH
#!/bin/sh
"$COOPBENCH" "\$@" || exit
while [ \$# -gt 1 ]; do
  [ "\$1" = --output-dir ] && sed -i 's/"schema_version":.*/"schema_version": "9.0",/' "\$2/1/run.json"
  shift
done
SH
chmod +x old-build new-build
refused '^coopbench: round 1 of old-a ended with exit code 2, .* ./old-build primitives' --interleave ./old-build --run-id old
check_stderr '^coopbench: unknown option --runs$'
refused '^coopbench: round 1 of new-a \(coopbench .*\): .*schema_version "9.0"; this program reads 1.x and 2.x' \
  --interleave ./new-build --run-id new

# In a configuration they would ask each round for rounds.
cat >rounds.json <<'JSON'
{"schema": "coopbench-config", "schema_version": "1.0", "settings": {"rounds": 2}, "suite": [{"bench": "discover"}]}
JSON
check_exit 2 "$COOPBENCH" run rounds.json
check_stderr 'give them on the command line'
check_exit 0 "$COOPBENCH" "${quick[@]}" --rounds 2 --dry-run
check_stdout '^primitives/mutex.spin/groups=1,section=0 '

# ---- Interrupted ---------------------------------------------------------------------------------

# interrupt SIGNAL CODE: of the driver alone, when a round of each has been joined and the next is measured.
interrupt() {
  start "${quick[@]}" --interleave "$COOPBENCH" --rounds 900 --run-id "$1"
  wait_for 'the second round' test -s "results/$1-b/rounds/2/events.jsonl"
  kill -s "$1" "$program"
  check_end "$2"
  check_stderr '^Interrupted: [1-9][0-9]* of 900 rounds are in the results$'
  check "not the command that measures again" \
    grep -qF "Rounds cannot be resumed. To measure all of them anew: $COOPBENCH ${quick[*]} --interleave $COOPBENCH --rounds 900 --progress bar" err
  for side in a b; do
    check_schema run.schema.json "results/$1-$side/run.json"
    check_json "results/$1-$side/run.json" "not d['complete'] and d['exit_code'] == $2 and d['rounds'] >= 1" \
      'd["summary"]["ok"] == 2'
    check 'no samples' test "$(wc -l <"results/$1-$side/samples.csv")" -ge 7
  done
  check 'a process is left' test -z "$(pgrep -f "results/$1-[ab]/rounds" || true)"
}
interrupt INT 130
interrupt TERM 143
check_exit 0 "$COOPBENCH" compare --baseline INT-a INT-b --fail-on none
check_stdout 'INT-b is not complete'

# Killed: what was joined is there, and the round that was measured ends by itself.
start "${quick[@]}" --rounds 900 --run-id killed
wait_for 'the second round' test -s results/killed/rounds/2/events.jsonl
kill -KILL "$program"
check_end 137
check_json results/killed/run.json 'd["rounds"] >= 1 and d["summary"]["ok"] == 2'
gone() { test -z "$(pgrep -f "results/killed/rounds" || true)"; }
wait_for 'its child to end' gone
