#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A child, a phase or a delay that takes longer than --wait-deadline, while others wait for it, is no deadlock, in any
# mode; a barrier that a workgroup skips is one, and found.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
source "$SOURCE_DIR/tests/cli/setups.sh"
need_cpu

discover() { "$COOPBENCH" discover --cpu --microbenchmark 11 --wg-sizes none --bound off --json document.json "$@"; }

# In the first turn of its delay, each workgroup holds the lock for longer than others wait for it.
copy_sources sources
plant sources/kernels/discovery.clh \
  's|^        cb_unlock(m);|        for (volatile uint i = 0; turn == 0 \&\& i < 200000000; i++)\n            ;\n&|'
COOPBENCH_KERNEL_DIR=$PWD/sources check_exit 0 discover --protocol ticket --delay 1 --launch 8 --runs 1 --warmup 0 --wait-deadline 100

# A poll that stays open for longer than others wait for it.
check_exit 2 discover --protocol lockfree --quiet-time 500000000 --wait-deadline 500
check_stderr 'quiet-time: .* give up after 500 ms, and it stays open for 500 ms at least: raise --wait-deadline'

need_libclang

cp "$SOURCE_DIR"/tests/fixtures/{cooperative/waits,slow}.cl .
setup waits '"out": {"count": 2}, "turns": 400000000' '"children": ["slow.cl"]'
modes=cooperative,specialised,portable
run() { "$COOPBENCH" apps --cpu --mode $modes --wg-size 64 --runs 1 --warmup 0 --wait-deadline 200 --json document.json "$@"; }
check_exit 0 run --app ./waits.json
check_json document.json 'len(d["cases"]) == 3' \
  'all(c["status"] == "ok" and metric(c["id"], "run_time")["min"] > 2e8 for c in d["cases"])'

mkdir skips && cp slow.cl skips
sed 's/    global_barrier();/    { const uint group = get_group_id(0); if (group > 0) global_barrier(); }/' waits.cl >skips/waits.cl
sed 's/400000000/1/' waits.json >skips/waits.json
check_exit 4 run --app ./skips/waits.json
check_json document.json 'len(d["cases"]) == 3' \
  'all(re.search("waited more than 200 ms for the global barrier .*: a deadlock, or starvation", c["reason"]) for c in d["cases"])'
