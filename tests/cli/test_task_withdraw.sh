#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Tasks that are taken back while a kernel with long phases is to give up workgroups for them (task_line.c), or two
# (withdraw_together.c): each is done once, or never. SEED, TASKS, DEVICE: others.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
source "$SOURCE_DIR/tests/cli/line.sh"

tasks=${TASKS:-60}
for in_flight in 1 8; do
  check_exit 0 timeout 100 "$TASK_LINE" "$device" ./program.cl $in_flight "$tasks" "$seed" slow
done

# Beside two kernels in one megakernel.
: "${WITHDRAW_TOGETHER:?is tests/cli/withdraw_together.c, built}"
check_exit 0 timeout 100 "$WITHDRAW_TOGETHER" "$device" "$tasks" "$seed"

# It would notice: a withdrawn task that is done all the same, or one that is said to be withdrawn and is not.
copy_sources sources
export COOPBENCH_KERNEL_DIR=$PWD/sources
wrong() { # FILE SED-SCRIPT WORDS: some random run fails for this reason
  local code=0 i
  cp "kernels/coop/$1" right
  plant "kernels/coop/$1" "$2"
  for i in 1 2 3 4 5 6; do
    code=0
    timeout 100 "$TASK_LINE" "$device" ./program.cl 8 "$tasks" $((seed + i)) slow >out 2>err || code=$?
    ((code == 0)) || break
  done
  check "not found: $2" test "$code" = 1
  check_stderr "$3"
  mv right "kernels/coop/$1"
}
cd sources && cp ../program.cl .
wrong pool.clh 's/if (cb_load_relaxed(CB_ATOMIC(lane->withdrawn)))/if (false)/' 'instead of'
wrong withdraw.clh 's/^        lane->withdrawn = 1;/        ;/' 'instead of'

# So does the trace, in random runs.
plant kernels/coop/pool.clh 's/if (cb_load_relaxed(CB_ATOMIC(lane->withdrawn)))/if (false)/'
check_exit 3 timeout 200 "$COOPBENCH" selftest --device "$device" --stress 24 --seed "$seed" --app octree --together none \
  --json document.json
check_json document.json 'any(re.search(r"trace: TASK at .* began share \d+ of task \d+, which was withdrawn at", c["reason"] or "")
                              for c in d["cases"])'
