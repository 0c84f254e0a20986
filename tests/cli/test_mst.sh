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

# measure CODE INPUT OPTION...: in all modes, with a size of workgroup that nothing is a multiple of.
measure() {
  check_exit "$1" "$COOPBENCH" apps --cpu --app mst --input "$2" --verify --wg-size 24 --wait-deadline 2000 \
    --json document.json "${@:3}"
}

# passes INPUT WEIGHT: of the forest.
passes() {
  measure 0 "$1"
  check_json document.json 'len(d["cases"]) == 4 == d["summary"]["ok"]' \
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
# weights, pairs, vertices alone, each edge in both directions with another weight, in parallel, and loops.
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
part(500)
for v in range(0, 500, 2): edge(first + v, first + v + 1, 3)
part(100)
part(200)
for v in range(1, 200):
    edge(first + v, first + v - 1, 8)
    edge(first + v - 1, first + v, 2)
    edge(first + v - 1, first + v, 4)
    edge(first + v, first + v, 1)'
passes parts.gr '3999 * 4000 // 2 + 999 * 1000 // 2 + 899 * 5 + 59 * 9 + 250 * 3 + 199 * 2'

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

# ---- Other constants -----------------------------------------------------------------------------

stress() { "$COOPBENCH" selftest --cpu --app mst --wait-deadline 2000 --json - "$@"; }

export COOPBENCH_KERNEL_DIR=$PWD/sources
kernel=sources/apps/mst/mst.cl
copy_sources sources
plant $kernel 's|#ifdef COOP_CPU_DEVICE|#if 0|; s|define MST_HOPS *16u|define MST_HOPS 1u|'
check_exit 0 stress --stress 3 --seed 1
passes parts.gr 'metric("*/portable/*", "result")["median"]'

# ---- Planted bugs --------------------------------------------------------------------------------

# caught REASON PLANT: by a wrong result, in one mode.
caught() {
  copy_sources sources
  plant $kernel "$2"
  measure 3 parts.gr --mode portable
  check_json document.json "re.search(r'$1', d['cases'][0]['reason'])"
}

# A component takes the first edge that it is offered, or is offered to the first end only; the end of a chain is not
# looked for.
caught 'edge [0-9]+ .*forest' 's|while (key < seen |while (seen == MST_NO_KEY |'
