#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# dmr: points of odd shapes, from files too; the constants of GPUs, and those that make most cavities
# large; a mesh for which there is no room; and whether the checks find what is planted.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu

# refine INPUT [MODES [VARIANTS]]
refine() {
  "$COOPBENCH" apps --cpu --app dmr --input "$1" --mode "${2:-specialised}" --variant "${3:-ours}" --verify \
    --wait-deadline 5000 --run-deadline 20 --json -
}

# ---- Shapes --------------------------------------------------------------------------------------

modes=multikernel,specialised,portable,cooperative
printf '%s\n' '# x y' '0 0' '1e3 -0.5' '' '999 1' >triangle.txt
for input in triangle.txt 60:line:2 49:grid; do
  check_exit 0 refine "$input" $modes paper,ours
  check_json out 'len(d["cases"]) == 8' 'sum(c["params"].get("variant") == "paper" for c in d["cases"]) == 4' \
    'all(c["status"] == "ok" and c["verification"]["status"] == "pass" for c in d["cases"])'
done

echo '5 5' >short.txt
for input in short.txt nowhere.txt; do
  check_exit 2 refine "$input"
  check "one line" test "$(grep -c . err)" -le 2
done
check_stderr 'dmr: expected POINTS\[.*got "nowhere.txt"'

# What is wrong with an input is told once, though its cases all have it; those of another input tell theirs.
printf '0 0\n1 1\n2 2\n' >line.txt
printf '0 0\n1 nan\n2 2\n' >nan.txt
wrong() { check_exit 2 "$COOPBENCH" apps --cpu --app dmr --input line.txt,nan.txt --mode $modes --verify "$@"; }
wrong --json -
check "one line for each input" test "$(grep -c '^apps/dmr/.*: usage: ' err)" = 2
check_stderr '/line.txt: usage: line.txt: all points are on one line$'
check_stderr '/nan.txt: usage: nan.txt'
check_json out 'sum("all points are on one line" in c["reason"] for c in d["cases"]) == 4' \
  'all(c["status"] == "usage" and c["reason"] for c in d["cases"]) and len(d["cases"]) == 8'
wrong --progress lines
check "a line of progress for each case" test "$(grep -c '^apps/dmr/.*: usage: \|^\[[1-8]/8\].*: usage (' err)" = 8

# ---- Other constants -----------------------------------------------------------------------------

export COOPBENCH_KERNEL_DIR=$PWD/sources
abi=sources/apps/dmr/dmr_abi.h kernel=sources/apps/dmr/refine.clh mesh=sources/apps/dmr/mesh.clh
copy_sources sources
plant sources/apps/dmr/dmr.cl 's|#ifdef COOP_CPU_DEVICE|#if 0|; s|DMR_SMALL *16u|DMR_SMALL 6u|; s|DMR_STRIDE *8u|DMR_STRIDE 1u|'
plant $abi 's|DMR_SHARE *256u|DMR_SHARE 8u|; s|DMR_ASIDE *128u|DMR_ASIDE 4u|'
check_exit 0 "$COOPBENCH" selftest --cpu --app dmr --stress 2 --seed 1 --json -

# LonestarGPU's algorithm: most cavities take the large room, and some work-items have none of their own.
plant $abi 's|DMR_PAPER_CAVITY *62u|DMR_PAPER_CAVITY 4u|; s|DMR_PAPER_ITEMS *1024u|DMR_PAPER_ITEMS 5u|'
check_exit 0 "$COOPBENCH" selftest --cpu --app dmr --variant paper --stress 2 --seed 1 --json -

# A room that is too small for what the mesh becomes.
copy_sources sources
plant sources/apps/dmr/paper.cl 's|fresh + edges > A->triangle_room|fresh + edges > 900|'
check_exit 1 refine 200 specialised paper
check_json out 'd["cases"][0]["status"] == "error"' '"dmr: there is room for" in d["cases"][0]["reason"]'

# ---- Planted bugs --------------------------------------------------------------------------------

# caught REASON FILE SED [VARIANT]: by its result.
caught() {
  copy_sources sources
  plant "$2" "$3"
  check_exit 3 refine 200 specialised "${4:-ours}"
  check_json out 'd["cases"][0]["status"] == "verify_failed"' "re.search(r'$1', d['cases'][0]['reason'])"
}

caught 'has an angle below 30 degrees' $kernel 's|dmr_list_again(A, S, room->triangle);|;|'
caught 'is outside of the square' $mesh 's|a.y += (b.y - a.y) / 2;|a.y += (b.y - a.y) / 2 + 1;|'
caught 'is not counterclockwise' $kernel 's|more = room->edges - room->triangles|more = 2|'
caught 'has an angle below 30 degrees' sources/apps/dmr/paper.cl 's|if (\*dmr_state(A, triangle) != DMR_GONE)|if (false)|' paper

# Where cavities overlap, or are linked wrongly, refinement goes on until there is no room; a walk through such a
# mesh ends.
# caught_or_full FILE SED VARIANT
caught_or_full() {
  local code=0
  copy_sources sources
  plant "$1" "$2"
  refine 200 specialised "$3" >out 2>err || code=$?
  check "exit code $code after $2" test "$code" = 1 -o "$code" = 3
  check_json out \
    "re.search(r'there is room for [0-9]+ triangles|outside of|counterclockwise|lead back', d['cases'][0]['reason'])"
}

caught_or_full $kernel 's|has_all &=|has_all \|=|' ours
caught_or_full $kernel 's|A->links\[link\] = 4 \* n->slot + 1;|A->links[link] = 4 * n->slot;|' ours
caught_or_full sources/apps/dmr/paper.cl 's|A->links\[link\] = 4 \* t + 1;|A->links[link] = 4 * t;|' paper
