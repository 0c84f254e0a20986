#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# mst on graphs that are special to it: no edges, several trees, equal weights, chains of components, hubs,
# parallel edges and loops, and weights at the bound; the constants of GPUs; files that are refused; and
# whether the check finds what is planted.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu

# graph NAME PYTHON: a DIMACS file of n vertices, from 0, and of what the code adds by edge().
graph() {
  python3 - >"$1" <<PYTHON
import random
random.seed(1)
n, edges = 0, []
def edge(u, v, w):
    edges.append(f"a {u + 1} {v + 1} {w}")
$2
print("p sp", n, len(edges))
print(*edges, sep="\n")
PYTHON
}

# measure CODE INPUT OPTION...: in all modes, ours if the options say no variant, with a size of workgroup that nothing is a multiple of.
measure() {
  check_exit "$1" "$COOPBENCH" apps --cpu --app mst --input "$2" --verify --wg-size 24 --wait-deadline 2000 \
    --json document.json "${@:3}"
}

# passes INPUT WEIGHT: of the forest, by ours and by LonestarGPU's algorithm.
passes() {
  measure 0 "$1" --variant paper,ours
  check_json document.json 'len(d["cases"]) == 8 == d["summary"]["ok"]' \
    'sum(c["params"].get("variant") == "paper" for c in d["cases"]) == 4' \
    'all(c["verification"]["status"] == "pass" for c in d["cases"])' \
    "all(metric(c['id'], 'result')['median'] == $2 for c in d['cases'])"
}

# ---- Shapes --------------------------------------------------------------------------------------

graph one.gr 'n = 1; edge(0, 0, 7)'
graph lonely.gr 'n = 3000'
graph bound.gr 'n = 4; edge(0, 1, 4294967295); edge(1, 2, 4294967295); edge(2, 0, 4294967295); edge(2, 3, 0)'
passes one.gr 0
passes lonely.gr 0
passes bound.gr '2 * 4294967295 + 1'

# One after the other, and apart: a chain that hooks all its vertices in a row, a star, a grid and a clique of equal
# weights, a ring of different ones, pairs, vertices alone, and a path of edges in both directions with other weights,
# in parallel, and with loops.
graph parts.gr 'first = 0
def part(vertices):
    global first, n
    first, n = n, n + vertices
    return first
part(4000)
for v in range(3999): edge(first + v, first + v + 1, v + 1)
part(1000)
for v in range(1, 1000): edge(first, first + v, 1000 - v)
part(900)
for v in range(900):
    if v % 30: edge(first + v - 1, first + v, 5)
    if v >= 30: edge(first + v, first + v - 30, 5)
part(60)
for v in range(60):
    for u in range(v): edge(first + u, first + v, 9)
part(700)
for v in range(700): edge(first + v, first + (v + 1) % 700, 1 + v * 303 % 700)
part(500)
for v in range(0, 500, 2): edge(first + v, first + v + 1, 3)
part(100)
part(200)
for v in range(1, 200):
    edge(first + v, first + v - 1, 8)
    edge(first + v - 1, first + v, 2)
    edge(first + v - 1, first + v, 4)
    edge(first + v, first + v, 1)'
passes parts.gr '3999 * 4000 // 2 + 999 * 1000 // 2 + 899 * 5 + 59 * 9 + 699 * 700 // 2 + 250 * 3 + 199 * 2'

gzip -k parts.gr
measure 0 parts.gr.gz --mode portable --barrier query
check_json document.json 'd["cases"][0]["verification"]["status"] == "pass"'

# ---- Files that are refused ----------------------------------------------------------------------

printf 'p sp 2 1\na 1 2 -5\n' >negative.gr
printf 'p sp 0 0\n' >empty.gr
: >nothing.gr
for file in 'negative.gr:2: weight: expected an integer from 0 to 4294967295, got "-5"' \
  'empty.gr:1: vertices: expected an integer from 1 to 4294967294, got "0"' 'nothing.gr:1: no p line: .*'; do
  measure 2 "${file%%:*}" --mode portable
  check_json document.json "re.fullmatch(r'''$file''', d['cases'][0]['reason'])"
done

# ---- Other constants, and planted bugs -----------------------------------------------------------

export COOPBENCH_KERNEL_DIR=$PWD/sources
kernel=sources/apps/mst/mst.cl

# measure_planted CODE PLANT...
measure_planted() {
  copy_sources sources
  plant $kernel "$2"
  measure "$1" parts.gr --mode portable
}

# As GPUs go through lists, and with many passes over each chain.
measure_planted 0 's|#ifdef COOP_CPU_DEVICE|#if 0|; s|define MST_HOPS *16u|define MST_HOPS 1u|'

# caught REASON PLANT
caught() {
  measure_planted 3 "$2"
  check_json document.json "re.search(r'$1', d['cases'][0]['reason'])"
}

# A component takes the first edge that it is offered; weights are not looked at; the forest of the run before is still
# there; edges within a component stay on the list, and with them the rounds do not end.
caught '^edge [0-9]+ between|^the forest weighs' 's|while (key < seen |while (seen == MST_NO_KEY |'
caught '^the forest weighs [0-9]+ instead of [0-9]+$' 's|mst_key(edge\[j\].s2, edge\[j\].s3)|mst_key(edge[j].s2, 0)|'
caught '^edge [0-9]+ of the forest closes a cycle$' 's|A->forest\[place\] = 0;|;|'
caught '^run 0 of 1: the digest|^edge [0-9]+ between|^the forest weighs' 's|kept += .*|kept++;|; s|^ *if (edge\[j\].s0 != edge\[j\].s1)$||'
