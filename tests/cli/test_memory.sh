#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The memory probes on the CPU device: rows, tables, checks, refusals.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu

check_exit 0 "$COOPBENCH" memory --cpu --runs 7 --accesses 2000 --groups 1,N/2,N --strides 4,64 \
  --json -
check_schema run.schema.json out
check_json out \
  'len(d["cases"]) == 2 * 3 * 3 * 3 + 2 * 2 * 2 == d["summary"]["ok"]' \
  'all(c["verification"]["status"] == "pass" for c in d["cases"])' \
  'all({m["name"]: m["n"] for m in c["metrics"]} == {"time": 7, "access_time": 7, "groups": 7}
       for c in d["cases"])' \
  'all(case(f"memory/{c}.{o}.{a}/groups={g}") for c in ["contentious", "noncontentious"]
       for o in ["read", "write", "chase"]
       for a in ["volatile", "atomic", "volatile_after_atomic"] for g in ["1", "N/2", "N"])' \
  'all(case(f"memory/spaced.{o}.{a}/stride={s}")["params"]["stride_bytes"] == s
       for o in ["read", "write"] for a in ["volatile", "atomic"] for s in [4, 64])' \
  '[metric(f"memory/contentious.read.atomic/groups={g}", "groups")["median"]
    for g in ["1", "N/2", "N"]] == [1, 4, 8]' \
  'all(c["params"]["stride_bytes"] == {"contentious": 0, "noncontentious": 256}[c["params"]["contention"]]
       for c in d["cases"] if c["params"]["contention"] != "spaced")' \
  'all(m["median"] > 0 for c in d["cases"] for m in c["metrics"])'

# The tables of the paper, and the sweep.
check_exit 0 "$COOPBENCH" memory --cpu --runs 7 --groups 1,N
check_stdout 'N = 8 workgroups'
check_stdout '^\| noncontentious volatile_after_atomic +\| [0-9.e+]+ \[[0-9.e+]+, [0-9.e+]+\]'
check_stdout 'Contentious over noncontentious \(Tab. 2\)'
check_stdout 'Atomic over volatile \(Tab. 3\)'
check_stdout '^\| contentious.read.atomic +\|'
check_stdout '^\| +64 \|( +[0-9.]+ \|){4}$'

# What a processor cannot do faster: reads that wait for each other are slower than reads that do not.
check_exit 0 "$COOPBENCH" memory --cpu --runs 9 --groups 1 --access volatile \
  --contention noncontentious --operation read,chase --json -
check_json out 'metric("*.chase.*", "time")["min"] > metric("*.read.*", "time")["min"]'

# More workgroups than run at once could not start together: refused, not tried.
check_exit 0 "$COOPBENCH" memory --cpu --runs 1 --access atomic --operation read --groups 9,2 \
  --contention contentious --json -
check_json out \
  'case("memory/contentious.*=9")["status"] == "unsupported"' \
  '"only 8 run at once" in case("memory/contentious.*=9")["reason"]' \
  'case("memory/contentious.*=2")["status"] == "ok"'
check_exit 2 "$COOPBENCH" memory --cpu --wg-size 65000
check_stderr 'takes at most [0-9]+ work-items'
for groups in 0 N/0 M 1.5 N/ -1; do
  check_exit 2 "$COOPBENCH" memory --cpu "--groups=$groups"
  check_stderr 'groups: expected a number'
done
check_exit 2 "$COOPBENCH" memory --cpu --strides 6
check_stderr 'multiples of 4 bytes, got 6'
check_exit 77 "$COOPBENCH" memory --cpu --clock none --groups 1
check_stderr 'no device clock'

# An access too few is seen in the values.
export COOPBENCH_KERNEL_DIR=$PWD/sources
caught() {
  check_exit 3 "$COOPBENCH" memory --cpu --runs 2 --groups N --strides 64 --operation "$1" \
    --access atomic --json -
  check_json out 'all(c["status"] == "verify_failed" for c in d["cases"])' \
    "all(re.search(r'$2', c['reason']) for c in d['cases'])"
}
copy_sources sources
plant sources/probes/memory/memory.cl 's/i < accesses; i++/i + 1 < accesses; i++/'
caught read 'read a sum of \d+ instead of \d+'
caught write 'no workgroup.s last value|word \d+ holds \d+ instead of \d+'
