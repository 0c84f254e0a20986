# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034 # the variables are those of the tests
#
# Runs of the bench multitask on the CPU device, with small inputs.

# measure CODE OPTION...: the bench, with its document in document.json. On a busy machine workgroups wait
# longer than the usual deadline.
measure() {
  check_exit "$1" "$COOPBENCH" multitask --cpu --tasks 3 --runs 1 --warmup 0 --order listed \
    --wait-deadline 2000 --json document.json "${@:2}"
}

few=(--app bfs,game --input 'bfs=grid:60x60,game=6')
small=(--app bfs --input grid:60x60 --barrier atomic)
