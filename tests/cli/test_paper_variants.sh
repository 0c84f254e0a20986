#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Apps as the papers have them, and their multi-kernel baselines: graphs of odd shapes in all modes, beside tasks, and
# whether the checks find what is planted.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu

apps=(bc bfs color mis mst sssp_bellman sssp_worklist)

# measure CODE INPUT OPTION...: all of them with one graph, bc from one vertex of it.
measure() {
  local inputs
  inputs=$(printf "%s=$2," "${apps[@]}")
  inputs=${inputs/bc=$2/bc=$2@1}
  check_exit "$1" "$COOPBENCH" apps --cpu --variant paper --app "$(IFS=, && echo "${apps[*]}")" \
    --input "${inputs%,}" --verify --wg-size 24 --wait-deadline 2000 --json document.json "${@:3}"
}

# ---- Shapes --------------------------------------------------------------------------------------

# Arcs that lead one way, a hub, loops, parallel arcs, paths of which the one with more arcs is shorter, weights that add
# up to more than a distance can be, and vertices that no path reaches.
python3 - >odd.gr <<'PYTHON'
arcs = [(1, v, 900 - v) for v in range(2, 700)] + [(v, v + 1, 1) for v in range(300, 700)]
arcs += [(v, v, 1) for v in range(1, 40)] + [(5, 6, w) for w in (9, 3, 7)]
arcs += [(1, 701, 2147483646), (701, 702, 4294967295), (1, 702, 4294967294), (9, 702, 1)]
arcs += [(701, 703, 2147483645), (9, 703, 2), (703, 1, 1), (704, 1, 1)]
arcs += [(v, v + 1, 5) for v in range(705, 800)]
print("p sp", 800, len(arcs))
for arc in arcs:
    print("a", *arc)
PYTHON

for input in grid:1x1 odd.gr; do
  measure 0 "$input"
  check_json document.json 'len(d["cases"]) == 7 * 4 + 4 == d["summary"]["ok"]' \
    'all(c["verification"]["status"] == "pass" for c in d["cases"])' \
    'sum(c["params"]["mode"] == "baseline" for c in d["cases"]) == 4'
done

# ---- Workgroups that come and go -----------------------------------------------------------------

check_exit 0 "$COOPBENCH" selftest --cpu --variant paper --stress 5 --seed 1 --wait-deadline 2000 --json document.json
check_json document.json 'd["summary"]["ok"] == 5 == len(d["cases"])' \
  'all(c["params"]["variant"] == "paper" for c in d["cases"])'

# ---- As on GPUs ----------------------------------------------------------------------------------

export COOPBENCH_KERNEL_DIR=$PWD/sources
copy_sources sources
apps=(bfs sssp_worklist)
plant sources/apps/shared/worklist_run.clh 's|#ifdef COOP_CPU_DEVICE|#if 0|'
measure 0 odd.gr --mode specialised --workgroups 3
check_json document.json 'len(d["cases"]) == 2 == d["summary"]["ok"]'

# ---- Planted bugs --------------------------------------------------------------------------------

# caught APP MODE REASON: by a wrong result.
caught() {
  apps=("$1")
  measure 3 grid:20x20 --mode "$2" --workgroups 3
  check_json document.json 'd["cases"][0]["status"] == "verify_failed"' \
    "re.search(r'$3', d['cases'][0]['reason'])"
}

plant sources/apps/shared/gather.clh 's|edges.y - edges.x)|(edges.y - edges.x) / 2)|'
caught bfs specialised 'vertex [0-9]+: level -1 instead of [0-9]+|run 0 of 1: the digest'

copy_sources sources
plant sources/apps/mis/paper_steps.clh 's|e < A->rows\[v + 1\]|e + 1 < A->rows[v + 1]|'
caught mis specialised 'vertex [0-9]+ is in the set, and so are [0-9]+ of its neighbours'
plant sources/apps/color/paper_steps.clh 's|if (priority_wins(A, v))|if (round < 3 \&\& priority_wins(A, v))|'
caught color baseline 'no end after 401 rounds'
plant sources/apps/bc/paper_steps.clh 's|sum = bc_plus(sum, \(bc_load(.*\]])\));|sum = \1;|'
caught bc specialised 'vertex [0-9]+: centrality [0-9.e+-]+ instead of [0-9.e+-]+, allowed: '
plant sources/apps/bc/baseline.cl 's|A->found\[0\]), 1|A->found[0]), 0|'
caught bc baseline 'vertex [0-9]+: wrong levels or numbers of paths'
copy_sources sources
plant sources/apps/bc/paper.cl 's|BC_FOUND(S->turn + 1) = 0|BC_FOUND(S->turn + 1) = 1|'
caught bc specialised 'run 0 of 1: the digest'
plant sources/apps/mst/paper.cl 's/atomic_or(&A->forest/atomic_xchg(\&A->forest/'
caught mst specialised 'the forest has [0-9]+ edges instead of 399'
plant sources/apps/sssp_bellman/baseline.cl 's|A->changed\[0\]), 1|A->changed[0]), 0|'
caught sssp_bellman baseline 'vertex [0-9]+: distance 2147483647 instead of'
plant sources/apps/sssp_bellman/paper.cl 's|BELLMAN_CHANGED(S->round + 1) = 0|BELLMAN_CHANGED(S->round + 1) = 1|'
caught sssp_bellman specialised 'run 0 of 1: the digest'
plant sources/apps/shared/worklist_run.clh 's|S->first + item >= S->size|S->first + item + 1 >= S->size|'
caught bfs specialised 'vertex [0-9]+: level -1 instead of [0-9]+'
copy_sources sources
plant sources/apps/sssp_worklist/paper.cl 's|atomic_and(&A->words\[vertex\], ~SSSP_CHANGED)|A->words[vertex]|'
caught sssp_worklist specialised 'vertex [0-9]+: distance [0-9]+, changed, instead of'
