#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# bfs on graphs that are special to it: one vertex, vertices without edges, loops and parallel edges, a frontier that
# is searched from both sides in turns, numbers of vertices that are no multiple of 32, edges that go one way.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu

# graph NAME PYTHON: an edge list of what the code adds by edge(), from both ends.
graph() {
  python3 - >"$1.el" <<PYTHON
import random
random.seed(1)
def edge(u, v):
    print(u, v)
    print(v, u)
def dense(vertices, each):
    for v in vertices:
        for i in range(each): edge(v, random.choice(vertices))
$2
PYTHON
}

graph one 'edge(0, 0)'
graph loops 'for i in range(40): edge(0, 0)
for i in range(40): edge(0, 1)
for v in range(1, 33): edge(v, v)'
graph star 'for v in range(1, 3001): edge(0, v)
edge(4000, 4000)' # the rest has no edges
graph turns 'dense(range(997), 30)
for v in range(996, 1030): edge(v, v + 1)
dense(range(1030, 2060), 30)
for v in range(2059, 2070): edge(v, v + 1)
dense(range(2070, 3301), 20)'

# In all modes, with sizes that nothing is a multiple of.
for name in one loops star turns; do
  for groups in 2 5; do
    check_exit 0 "$COOPBENCH" apps --cpu --app bfs --input "$name.el" --verify --wg-size 24 \
      --workgroups "$groups" --wait-deadline 2000 --json document.json
    check_json document.json 'len(d["cases"]) == 4 == d["summary"]["ok"]' \
      'all(c["verification"]["status"] == "pass" for c in d["cases"])'
  done
done

# Edges that go one way, and so many that other graphs would be searched upwards.
check_exit 0 "$COOPBENCH" apps --cpu --app bfs --input directed:20000x200000,directed:3000x90000 --verify \
  --wait-deadline 2000 --json document.json
check_json document.json 'len(d["cases"]) == 8 == d["summary"]["ok"]'

# With workgroups that come and go between slices.
check_exit 0 "$COOPBENCH" multitask --cpu --app bfs --input turns.el --workload heavy --groups 1,N-1 \
  --barrier query,atomic --tasks 3 --runs 1 --warmup 0 --exclude '*/overhead/*' --wait-deadline 2000 \
  --json document.json
check_json document.json 'len(d["cases"]) == 4 == d["summary"]["ok"]'
