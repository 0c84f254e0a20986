#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# throttle: a runtime and an app that give nothing up are found.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu
export COOPBENCH_POWERCAP=$PWD/powercap COOPBENCH_KERNEL_DIR=$PWD/sources # there is no such powercap

# measure CODE OPTION...: the bench, with its document in document.json.
measure() {
  check_exit "$1" "$COOPBENCH" throttle --cpu --hold 0.1 --wait-deadline 2000 --json document.json "${@:2}"
}

# A runtime that does not heed the limit is a wrong result.
copy_sources sources
plant sources/kernels/coop/grants.clh 's|return limit ? min(limit, s->workers) : s->workers;|return s->workers;|'
measure 3 --app color --input grid:60x60 --schedule 1
check_json document.json \
  're.match(r"1 workgroup asked for, and \d active", case("*")["reason"])'

# An app that gives nothing up makes rows 'timeout', and is made to end: the next one has the device.
copy_sources sources
plant sources/apps/bfs/bfs.cl 's/resizing_global_barrier()/global_barrier()/'
measure 4 --app bfs,game --input bfs=grid:1x4000000,game=5 --schedule N,1 \
  --resize-deadline 1 --barrier query
check_json document.json '[c["status"] for c in d["cases"]] == ["timeout", "timeout", "ok", "ok"]' \
  '"step 2 of 2 (1 workgroup): the cooperative kernel was to have at most 1 workgroup"
     in case("*/bfs/step=2,*")["reason"]'
