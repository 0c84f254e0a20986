#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Litmus tests on the CPU device: rows, the table, refusals, and broken promises that have to be seen.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu

"$COOPBENCH" list benchmarks --json - >list.json
tests=$(python3 -c 'import json; print(next(p["choices"].split(",") for b in json.load(open("list.json"))["benchmarks"] if b["id"] == "litmus"
  for p in b["params"] if p["name"] == "test"))')
check_exit 0 "$COOPBENCH" litmus --cpu --runs 4 --iterations 1 --json -
check_schema run.schema.json out
check_json out \
  'len(d["cases"]) > len('"$tests"') * 3 and len(d["cases"]) == d["summary"]["ok"]' \
  'all(c["verification"]["status"] == "pass" for c in d["cases"])' \
  'all({m["name"]: m["n"] for m in c["metrics"]}
       == {n: 4 for n in ["weak", "weak_per_million", "instances", "launches", "weak_launches", "outcomes", "alone"]}
       for c in d["cases"])' \
  'all(case(f"litmus/{t}/workgroups/{o}")["params"]["ordering"] == o
       for t in '"$tests"'
       for o in ["relaxed", "fences", "acqrel"])' \
  'all(metric(c["id"], "instances")["min"] == 65536 for c in d["cases"])' \
  'all(metric(c["id"], "launches")["min"] == 1 for c in d["cases"])' \
  'all(metric(c["id"], "weak_launches")["mean"] <= 1 and
       (metric(c["id"], "weak")["mean"] > 0) == (metric(c["id"], "weak_launches")["mean"] > 0) for c in d["cases"])' \
  'all(metric(c["id"], "weak")["max"] == 0 for c in d["cases"]
       if c["params"]["test"] in ["MP", "LB", "S", "WRC", "ISA2"] and c["params"]["ordering"] in ["fences", "acqrel"]
       or c["params"]["test"].startswith("Co") and c["params"]["ordering"] != "reversed")' \
  'all(0 < metric(c["id"], "outcomes")["min"] <= metric(c["id"], "outcomes")["max"] < 2**32 for c in d["cases"])' \
  'sorted(c["params"]["test"] for c in d["cases"] if c["params"]["ordering"] == "reversed") == ["CoRR", "CoRW", "CoWR", "CoWW"]' \
  'all(0 <= metric(c["id"], "alone")["min"] <= metric(c["id"], "alone")["max"] <= 1 for c in d["cases"])'

check_exit 0 "$COOPBENCH" litmus --cpu --runs 2 --iterations 1 --test MP,SB --stress 100 --wg-size 4
check_stdout '^\| MP: r0=1 r1=0 \| workgroups \| fences +\| +131072 \| +0 \| no +\| [123] of 3 \| (as promised|NO PROOF) +\| +[0-9n<]'
check_stdout '^\| SB: r0=0 r1=0 \| workgroups \| acqrel +\| +131072 \| +[0-9]+ \| yes +\| [123] of 3 \| (as promised|weak, allowed|NO PROOF) +\| +- \|$'
check_stdout '^Mutation score: [0-4] of 4 mutants showed their weak outcome here; [0-4] in so many of them \(by launch\)'
# All orders and shapes; the changes of rmw forbid what only an order of all would.
check_exit 0 "$COOPBENCH" litmus --cpu --full --runs 1 --iterations 1 --test SB,ISA2,CoWW
check_stdout '^\| SB: r0=0 r1=0 +\| workgroups \| rmw +\| +65536 \| +0 \| no '
check_stdout '^\| ISA2: r0=1 r1=1 r2=0 \| workgroups \| wg-fences +\| +65536 \| +[0-9]+ \| yes '

# All back ends of the atomics that the device can have.
check_exit 0 "$COOPBENCH" litmus --cpu --runs 2 --iterations 1 --test MP,CoRR --atomics cl12

check_exit 77 "$COOPBENCH" litmus --cpu --runs 1 --test MP --scope subgroups
check_stderr 'run one after the other on .*: use --scope workgroups'
check_exit 77 "$COOPBENCH" litmus --cpu --runs 1 --test MP --scope subgroup
check_exit 2 "$COOPBENCH" litmus --cpu --wg-size 48
check_stderr 'wg-size: expected a power of two, got 48'
check_exit 2 "$COOPBENCH" litmus --cpu --test SBB

# Promises for driver writers: a line for each; kept, broken, or none, as OpenCL 1.2's fences have it.
promises=("$COOPBENCH" litmus --conformance --cpu --runs 1 --iterations 1)
check_exit 0 "${promises[@]}" --test MP,SB,CoRR --atomics c11
for promise in 'MP, workgroups, (fences|acqrel|rmw): x=1; y=1 \| r0=y; r1=x never ends with r0=1 r1=0' 'SB, workgroups, rmw: ' \
  'CoRR, workgroups, (relaxed|rmw): '; do
  check_stdout "^(kept|not shown): $promise.* \\(65536 instances, 1 launches\\)\$"
done
check "6 promises" test "$(grep -cE '^(kept|not shown): ' out)" -eq 6
check_stdout '^6 promises of the memory model \(--atomics c11\): [0-6] kept, 0 broken, [0-6] not shown, 0 not tried\.'
check_exit 77 "${promises[@]}" --test MP --atomics cl12
check_stdout '^not tried: MP, workgroups, fences: .* \(OpenCL 1\.2, section 3\.3\.1, promises none of this'
check_exit 2 "${promises[@]}" --test SB --ordering relaxed
check_stderr 'nothing is left of these tests and orderings'

# A broken promise is seen, sooner or later: on a busy machine, threads seldom run at the same time.
export COOPBENCH_KERNEL_DIR=$PWD/sources
kernel=sources/probes/litmus/litmus.cl
look() {
  local code=0
  "$COOPBENCH" litmus --cpu --runs 60 --iterations 4 --test "$1" --ordering "$2" --stress 100 --json - >out 2>err || code=$?
  ((code == 3))
}
# found TEST ORDER OUTCOME ORDER-IN-WORDS SED-SCRIPT
found() {
  copy_sources sources
  plant $kernel "$5"
  once_in 8 look "$1" "$2" || fail "not found: $5"
  check_json out "case('litmus/$1/workgroups/$2')['status'] == 'verify_failed'" \
    "re.match(r'$1: $3, which the memory model forbids with $4, was seen in [1-9]\d* of 262144 instances',
              case('litmus/$1/workgroups/$2')['reason'])"
}
found MP acqrel 'r0=1 r1=0' 'release stores and acquire loads' \
  's/cb_store_store(x, 1, y, 1) : cb_load_load(y, x)/cb_store_store(y, 1, x, 1) : cb_load_load(y, x)/'
found MP fences 'r0=1 r1=0' 'fences between the accesses' \
  's/cb_store_store(x, 1, y, 1) : cb_load_load(y, x)/cb_store_store(x, 1, y, 1) : cb_load_load(x, y).yx/'
found CoRR relaxed 'r0=1 r1=0' 'relaxed accesses' 's/cb_load_load(x, x)/cb_load_load(x, x + 1)/'

copy_sources sources
plant $kernel 's/cb_load_load(x, x)/cb_load_load(x, y)/'
check_exit 3 "${promises[@]}" --test CoRR
check_stdout '^BROKEN: CoRR, workgroups, relaxed: .* never ends with r0=1 r1=0 \(CoRR: r0=1 r1=0, which the memory model forbids'
