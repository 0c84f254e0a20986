#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Our bfs and game in ordinary OpenCL C with the paper's words (examples/): merged, they stand for the apps' own kernels
# in all modes and beside tasks, and the apps' checks find what is planted in them.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu

need_libclang
copy_sources sources
cp -r "$SOURCE_DIR/examples" .
ln -s "$SOURCE_DIR/apps" . # examples include headers of apps, relative to themselves
export COOPBENCH_KERNEL_DIR=$PWD/sources
bfs=(--input bfs=road:3000 --input bfs=rmat:11) game=(--input game=4)

merge() { check_exit 0 "$COOPBENCH" merge "examples/$1.cl" -o "sources/apps/$1/$1.cl"; }
merge bfs
merge game
check "game is not the merged kernel" grep -q "^/. Made of the kernel game in examples/game.cl" sources/apps/game/game.cl

check_exit 0 "$COOPBENCH" apps --cpu --app bfs,game "${bfs[@]}" "${game[@]}" --verify --wait-deadline 2000 --json -
check_json out 'len(d["cases"]) == 12 == d["summary"]["ok"]' \
  'all(c["verification"]["status"] == "pass" for c in d["cases"])'
check_exit 0 "$COOPBENCH" selftest --cpu --together none --app bfs,game --variant ours --stress 6 --wait-deadline 2000 --json -
check_json out 'd["summary"]["ok"] == 6'

# caught APP SED-SCRIPT: planted in the example, found by a wrong result.
caught() {
  local -n inputs=$1
  plant "examples/$1.cl" "$2"
  merge "$1"
  check_exit 3 "$COOPBENCH" apps --cpu --app "$1" "${inputs[@]}" --mode specialised --verify --wait-deadline 2000 --json -
}
caught bfs 's/s.level + 1/s.level + 2/'
caught game 's/return (int)value - GAME_BIAS/& + 1/'
