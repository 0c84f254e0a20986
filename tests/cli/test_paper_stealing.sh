#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The variants of octree and game that work as the papers' programs: in each mode, beside tasks, and whether the
# checks find what is planted.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu

both=(--app octree,game --variant paper)
inputs=(--input octree=3000:hundreds,game=4:01010)

# ---- In each mode --------------------------------------------------------------------------------

check_exit 0 "$COOPBENCH" apps --cpu "${both[@]}" "${inputs[@]}" --verify --wg-size suited --wait-deadline 2000 --json -
check_json out 'len(d["cases"]) == 8 == d["summary"]["ok"]' \
  'all(c["verification"]["status"] == "pass" and c["params"]["variant"] == "paper" for c in d["cases"])'

# Their inputs are their own, those of all scales; a look-ahead whose nodes do not fit is refused.
check_exit 0 "$COOPBENCH" apps --cpu --scale paper --app octree,game --variant paper,ours --mode portable --dry-run
for case in octree/portable/{hundreds,clustered} game/portable/{ahead,depth}; do check_stdout "$case"; done
check_exit 2 "$COOPBENCH" apps --cpu --app game --variant paper --input 9 --mode portable --verify --json -
check_json out '"look-ahead from 1 to 8" in d["cases"][0]["reason"]'

# Beside tasks.
check_exit 0 "$COOPBENCH" selftest --cpu "${both[@]}" --stress 3 --seed 1 --wait-deadline 2000 --json -
check_json out 'd["summary"]["ok"] == 3 and all(c["params"]["variant"] == "paper" for c in d["cases"])'

# ---- Planted bugs --------------------------------------------------------------------------------

export COOPBENCH_KERNEL_DIR=$PWD/sources

# caught APP REASON FILE SED-SCRIPT: planted there, found by a wrong result or a wait without an end.
caught() {
  local code=0
  copy_sources sources
  plant "sources/$3" "$4"
  "$COOPBENCH" apps --cpu --app "$1" --variant paper --input "$(input_of "$1")" --mode specialised --verify \
    --wait-deadline 500 --json - >out 2>err || code=$?
  check "exit code $code of: $4" test "$code" = 3 -o "$code" = 4
  check_json out "re.search(r'$2', d['cases'][0]['reason'])"
}
input_of() { [[ $1 == game ]] && echo 4:01010 || echo 3000:hundreds; }

queue=kernels/steal_locked.clh octree=apps/octree/paper.cl game=apps/game/paper.cl
caught game 'the mutex' $queue '/CB_NO_TASK;$/,/return task/s|cb_unlock_spin(&mutex)|size > 0 ? cb_unlock_spin(\&mutex) : (void)0|'
caught octree 'leaves and [0-9]+ cells with octants instead of' $octree 's|size <= OCTREE_PAPER_CAPACITY|size <= OCTREE_PAPER_CAPACITY + 1|'
caught octree 'the digest' $octree 's|octree_digest(L->code << 3 . o, p.w)|octree_digest(L->code, p.w)|'
caught game 'has the value' $game 's|1u << 2 \* (other - 1)|1u << (other - 1)|'
caught game 'has the value' $game 's|(int)L->plies - CB_GAME_WIN|(int)L->plies + 1 - CB_GAME_WIN|'
