#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The checks of apps whose vertices are gone through level by level or round by round find the bugs of tests/planted.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu
source "$SOURCE_DIR/tests/cli/planted.sh"

# Narrow and wide levels of even graphs, chunks of uneven ones, levels upwards between others, and with few neighbours.
python3 - >turns.el <<'PYTHON'
import random
random.seed(1)
def edge(u, v):
    print(u, v)
    print(v, u)
for begin, end in (0, 1000), (1030, 2060):
    for v in range(begin, end):
        for i in range(30): edge(v, random.randrange(begin, end))
    for v in range(end - 1, end + 30): edge(v, v + 1)
PYTHON
planted bfs --input road:3000,directed:40000x160000,directed:20000x200000,turns.el,uniform:12:6
# More paths than a float holds, parallel edges, and vertices for whole workgroups.
planted bc --input grid:40x40@1,directed:300x3000@8,rmat:10@4 --wg-size 8
# A number of vertices that is no multiple of four, many edges, and very many.
planted color --input grid:59x59,uniform:9:16,rmat:12:32
planted mis --input grid:59x59,uniform:9:16,rmat:12:32
