#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The apps of shortest paths on graphs that are special to them: one vertex, parts that no path reaches, hubs,
# parallel edges and loops, long paths, and weights at the bound of what they can add up to.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu

# graph NAME PYTHON: a DIMACS file of n vertices, from 0, and of what the code adds by arc() and edge(), at random
# weights unless it says which.
graph() {
  python3 - >"$1.gr" <<PYTHON
import random
random.seed(1)
n, arcs = 0, []
def arc(u, v, w=None):
    arcs.append((u + 1, v + 1, w or random.randint(1, 100)))
def edge(u, v, w=None):
    w = w or random.randint(1, 100)
    arc(u, v, w)
    arc(v, u, w)
$2
print("p sp", n, len(arcs))
for u, v, w in arcs:
    print("a", u, v, w)
PYTHON
}

graph one 'n = 1; arc(0, 0, 7)'
graph apart 'n = 5000
for v in range(1, 3000): edge(v - 1, v)
for v in range(3001, 5000): edge(v - 1, v)'
graph one_way 'n = 3000
for v in range(1, 3000): arc(v - 1, v)
for v in range(3): arc(2000, v)'
graph star 'n = 20001
for v in range(1, n): edge(0, v)'
graph hubs 'n = 3000
for v in range(30, n):
    edge(v, v - 1)
    for i in range(4): edge(v, random.randrange(30))'
graph multi 'n = 2000
for i in range(6000): arc(*(lambda u: (u, min(n - 1, u + random.randrange(3))))(random.randrange(n)))
for v in range(1, n): arc(v - 1, v)'
graph path 'n = 20000
for v in range(1, n): edge(v - 1, v, random.randint(1, 1000))'
graph bound 'n = 6
arc(0, 1, 2147483646)
arc(0, 2, 4294967295)
arc(0, 3, 2147483647)
arc(0, 4, 1)
arc(4, 2, 1)
arc(1, 3, 4294967295)
arc(1, 5, 4294967294)
arc(4, 3, 2147483645)
arc(2, 5, 2147483643)'
graph beyond 'n = 3
arc(0, 1, 2147483646)
arc(1, 2, 1)'

# measure CODE COMMAND INPUT OPTION...: of both apps.
measure() {
  check_exit "$1" "$COOPBENCH" "$2" --cpu --app sssp_bellman,sssp_worklist \
    --input "sssp_bellman=$3,sssp_worklist=$3" --wait-deadline 2000 --json document.json "${@:4}"
}

# In all modes, with a size of workgroup that nothing is a multiple of.
for name in one apart one_way star hubs multi path bound; do
  measure 0 apps "$name.gr" --verify --wg-size 24
  check_json document.json 'len(d["cases"]) == 8 == d["summary"]["ok"]' \
    'all(c["verification"]["status"] == "pass" for c in d["cases"])'
done
measure 0 apps star.gr --verify --wg-size 24 --workgroups 2 # finds more far vertices at a time than it has room for
check_json document.json 'len(d["cases"]) == 8 == d["summary"]["ok"]'
measure 77 apps beyond.gr --verify --wg-size 24
check_json document.json 'd["summary"]["unsupported"] == 8 == len(d["cases"])' \
  'all(c["reason"] == "beyond.gr: the distance of vertex 2 is 2147483647, larger than 2147483646"
       for c in d["cases"])'

# Beside tasks, with frontiers that are narrow, and with hubs.
for input in grid:200x200 rmat:12; do
  measure 0 multitask "$input" --workload heavy --groups 1,N-1 --barrier query,atomic --tasks 3 --runs 1 \
    --warmup 0 --exclude '*/overhead/*'
  check_json document.json 'len(d["cases"]) == 8 == d["summary"]["ok"]'
done
