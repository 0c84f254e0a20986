#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# color and mis: graphs of odd shapes, from files too; the constants of GPUs, and those that make most
# vertices heavy; and whether the checks find what is planted.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu

stress() { "$COOPBENCH" selftest --cpu --variant ours --app "$1" --wait-deadline 2000 --json - "${@:2}"; }

# passes INPUT...: both apps with each input, in three modes.
passes() {
  local input
  for input in "$@"; do
    check_exit 0 "$COOPBENCH" multitask --cpu --app color,mis --input "color=$input,mis=$input" \
      --workload none --barrier atomic --runs 1 --warmup 0 --wait-deadline 2000 --json -
    check_json out 'len(d["cases"]) == 2' \
      'all(c["verification"]["status"] == "pass" for c in d["cases"])'
  done
}

# graph NAME VERTICES: a DIMACS file of the edges on standard input, "FROM TO" each.
graph() {
  sed 's/.*/a & 1/' >arcs
  { echo "p sp $2 $(wc -l <arcs)" && cat arcs; } >"$1"
}

# ---- Shapes --------------------------------------------------------------------------------------

graph lonely.gr 5 </dev/null
printf '%s\n' '1 1' '1 2' '1 2' '2 1' '3 3' '4 3' '2 4' '4 2' | graph loops.gr 5
for ((i = 2; i <= 700; i++)); do ((i % 3)) && echo "1 $i" || echo "$i 1"; done | graph star.gr 700
for ((i = 2; i <= 90; i++)); do for ((k = 1; k < i; k++)); do echo "$i $k"; done; done | graph clique.gr 90
passes grid:1x1 lonely.gr loops.gr star.gr clique.gr

# ---- Other constants -----------------------------------------------------------------------------

export COOPBENCH_KERNEL_DIR=$PWD/sources
kernel=sources/apps/shared/priority.clh
copy_sources sources
plant $kernel 's|#ifdef COOP_CPU_DEVICE|#if 0|'
check_exit 0 stress color --stress 3 --seed 1
plant $kernel 's|define PRIORITY_WANTED() *coop_resize_is_wanted()|define PRIORITY_WANTED() (S->pass < 3)|'
check_exit 0 stress mis --stress 3 --seed 3
plant $kernel 's|define PRIORITY_HEAVY *256u|define PRIORITY_HEAVY 7u|'
plant $kernel 's|define PRIORITY_STEPS *8u|define PRIORITY_STEPS    1u|'
passes clique.gr
check_exit 0 stress mis --stress 3 --seed 2

# ---- Planted bugs --------------------------------------------------------------------------------

# caught REASON OPTION...: by a wrong result.
caught() {
  check_exit 3 stress "${@:2}" --stress 1 --seed 1
  check_json out "any(re.search(r'$1', c['reason'] or '') for c in d['cases'])"
}

# A vertex asks for nothing, or is not waited for.
copy_sources sources
plant $kernel 's|PRIORITY_AFTER(seen\[k\])|0|'
caught 'vertex [0-9]+ is in the set, and so are [0-9]+ of its neighbours' mis
caught 'vertices [0-9]+ and [0-9]+ are neighbours and have the colour 0' color
copy_sources sources
plant $kernel 's|!(seen\[k\] & PRIORITY_UNDECIDED)|true|'
caught 'vertex [0-9]+: no colour' color

# A result that is right, but not the greedy one: lower neighbours go first.
copy_sources sources
plant $kernel 's|priority_of(ends\[k\]) > mine|priority_of(ends[k]) < mine|'
caught 'vertex [0-9]+: state [01] instead of [01]' mis
caught 'vertex [0-9]+: colour [0-9]+ instead of [0-9]+' color

# One of many runs is wrong, and not the last, which alone leaves more than a digest. How many there are is a
# matter of time: among twelve launches, some have three.
copy_sources sources
plant $kernel 's|priority_sum(L))|priority_sum(L) + (coop_run() == 1))|'
check_exit 3 stress color --stress 12 --seed 1
check_json out "any(re.search(r'run 1 of ([3-9]|[0-9]{2,}): the digest', c['reason'] or '') for c in d['cases'])"
