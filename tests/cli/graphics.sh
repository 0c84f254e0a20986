# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Runs of the bench graphics on the CPU device and a software rasteriser, with few pixels.

few=(--size 64x48 --pairs 8 --window 0.05 --confirm-time 0.2 --order listed --seed 1)

# measure CODE OPTION...: the bench, with its document in document.json; again, if somebody else has the cores,
# so that there is no time to draw.
measure() {
  local i code
  for ((i = 0; i < 4; i++)); do
    code=0
    "$COOPBENCH" graphics --cpu "${few[@]}" --json document.json "${@:2}" >out 2>err || code=$?
    grep -q 'the scene does not reach' err || break
    rm -rf "results/$(readlink results/latest)"
  done
  ((code == $1)) || fail "exit code $code instead of $1: ${*:2}"
}
