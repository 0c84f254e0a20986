#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Another program has the cores of a CPU device: every row knows, nothing is concluded from them and kept, and
# --shared says what becomes of the cases. That a quiet device is called quiet cannot be tested beside other tests.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu
unset COOPBENCH_SHARED
few=(discover --cpu --microbenchmark 11 --wg-sizes none --runs 3 --order listed)

# Neighbours would make compiling take longer, and take as much themselves: the kernels are there before them.
check_exit 0 env COOPBENCH_SHARED=ignore "$COOPBENCH" "${few[@]}" --json -
check_json out 'd["shared"] == "ignore" and d["invocation"]["environment"]["COOPBENCH_SHARED"] == "ignore"'
read_once=(memory --cpu --runs 3 --filter 'memory/contentious.read.atomic/groups=1')
check_exit 0 "$COOPBENCH" "${read_once[@]}" --shared ignore --no-profile

# Twice as many neighbours as cores; they end by themselves, should this test not.
for ((i = 0; i < 2 * $(nproc); i++)); do
  (while ((SECONDS < 300)); do :; done) &
done

check_exit 0 "$COOPBENCH" "${few[@]}" --run-id warned
check_stderr '^Warning: another program uses .*, for [0-9]+ % of the time\. .*--shared wait'
check_stdout 'Another program used the device during ([0-9]+) of \1 cases, for [0-9]+ % of their time'
cp results/warned/run.json document
check_schema run.schema.json document
check_json document \
  'd["shared"] == "warn" and d["exit_code"] == 0' \
  'len(d["neighbours"]) == 1 and d["neighbours"][0]["looks"] >= 2' \
  'all(c["status"] == "ok" for c in d["cases"])' \
  'all(c["disturbed"]["sign"] == "cores" and 0.03 <= c["disturbed"]["share"] <= 1 for c in d["cases"])' \
  'all(0 <= c["begin_s"] < c["end_s"] <= d["time"]["wall_s"] for c in d["cases"])' \
  '[f["id"] for f in d["findings"]] == ["disturbed"]'

check_exit 0 "$COOPBENCH" "${read_once[@]}"
check_stderr 'nothing is learnt from cases during which another program used the device \(memory\)'
check "a profile is kept" test ! -e profiles

# Cases that must not share the device are skipped: at once, or once they have waited.
check_exit 7 "$COOPBENCH" "${few[@]}" --shared refuse --json -
check_json out \
  'd["exit_code"] == 7 and d["shared"] == "refuse"' \
  'all(c["status"] == "skipped" for c in d["cases"])' \
  '"--shared refuse" in case("*/bound/*")["reason"]'
check_exit 7 "$COOPBENCH" "${few[@]}" --shared wait --shared-deadline 2 --json -
check_json out \
  'd["exit_code"] == 7' \
  'all(c["status"] == "skipped" for c in d["cases"])' \
  '"--shared-deadline" in case("*/bound/*")["reason"]' \
  '2 <= d["time"]["wall_s"]'

# Nobody looks.
check_exit 0 "$COOPBENCH" "${few[@]}" --shared ignore --json -
check_json out \
  'd["shared"] == "ignore" and "neighbours" not in d' \
  'not any("disturbed" in c for c in d["cases"])' \
  '"disturbed" not in [f["id"] for f in d["findings"]]'
check_exit 7 env COOPBENCH_SHARED=ignore "$COOPBENCH" "${few[@]}" --shared refuse --json -

mapfile -t neighbours < <(jobs -p)
kill "${neighbours[@]}"
{ wait "${neighbours[@]}" || true; } 2>/dev/null

check_exit 2 env COOPBENCH_SHARED=yes "$COOPBENCH" "${few[@]}"
check_stderr 'COOPBENCH_SHARED: expected warn, wait, refuse or ignore, got "yes"'
check_exit 2 "$COOPBENCH" "${few[@]}" --shared yes
check_stderr 'shared'

# Nothing is concluded later, either: no regression, no level of a history, no row for other tools.
check_exit 6 "$COOPBENCH" compare --baseline results/warned results/warned --json found.json
check_schema compare.schema.json found.json
check_json found.json 'set(c["verdict"] for c in d["comparisons"]) == {"disturbed"}'
check_stderr 'another program used the device during ([0-9]+) of \1 cases'
check_exit 0 "$COOPBENCH" export --to csv results/warned
check_stderr 'Note: left out: [0-9]+ cases during which another program used the device'
check_exit 6 "$COOPBENCH" history results/warned
check_stderr 'These runs hold nothing to judge: .* do not count, as another program used the device'
