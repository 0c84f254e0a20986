#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A child or a phase that takes longer than --wait-deadline, while others wait for it, is no deadlock; a barrier that a
# workgroup skips is one, and found.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
source "$SOURCE_DIR/tests/cli/setups.sh"
need_cpu
need_libclang

cp "$SOURCE_DIR"/tests/fixtures/{cooperative/waits,slow}.cl .
setup waits '"out": {"count": 2}, "turns": 400000000' '"children": ["slow.cl"]'
run() { "$COOPBENCH" apps --cpu --mode cooperative --wg-size 64 --runs 1 --warmup 0 --wait-deadline 50 --json document.json "$@"; }
check_exit 0 run --app ./waits.json
check_json document.json 'all(c["status"] == "ok" and metric(c["id"], "run_time")["min"] > 5e7 for c in d["cases"])'

mkdir skips && cp slow.cl skips
sed 's/    global_barrier();/    if (get_group_id(0) > 0)\n&/' waits.cl >skips/waits.cl
sed 's/400000000/1/' waits.json >skips/waits.json
check_exit 4 run --app ./skips/waits.json
check_stderr 'waited more than 50 ms for the global barrier'
