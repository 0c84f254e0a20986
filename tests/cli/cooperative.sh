# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Cooperative kernels in the manner of public suites (tests/fixtures/cooperative), each from its text to right rows: init,
# then all modes, under stress and beside a task, with the setup as init has written it.

source "${SOURCE_DIR:?}/tests/cli/lib.sh"
source "$SOURCE_DIR/tests/cli/setups.sh"
need_cpu
need_libclang
export POCL_MAX_PTHREAD_COUNT=8 POCL_CPU_MAX_CU_COUNT=8

# first_setups NAME KERNEL... [-- OPTIONS]: NAME.json of these and of a task, all sure.
first_setups() {
  local name=$1 kernel
  local -a files=()
  shift
  while (($# > 0)) && [[ $1 != -- ]]; do
    [[ -e $1.cl ]] || cp "$SOURCE_DIR/tests/fixtures/cooperative/$1.cl" .
    files+=("$1.cl")
    shift
  done
  check_exit 0 "$COOPBENCH" init "${files[@]}" blur.cl "${@:2}" -o "$name.json"
  for kernel in "${files[@]%.cl}" blur; do
    check_stderr "^$kernel: tried on the CPU: a run takes [0-9.e+-]+ ms, and stays within its buffers\."
  done
}

# measure CODE COMMAND NAME KERNEL... [-- OPTIONS]: with these setups, to results/COMMAND-NAME.
measure() {
  local code=$1 command=$2 name=$3 list=
  shift 3
  while (($# > 0)) && [[ $1 != -- ]]; do
    list+=${list:+,}$1.cl
    shift
  done
  check_exit "$code" "$COOPBENCH" "$command" --cpu --kernel "$list" --setup "$name.json" --no-profile -q -o results \
    --run-id "$command-$name" "${@:2}"
}

# cooperative SEED KERNEL...: these, eight at most. SEED: by it each is drawn for some of the runs under stress.
cooperative() {
  local seed=$1 name=$2
  shift
  measure 0 apps "$name" "$@" -- --verify --runs 1
  all_are ok "results/apps-$name" $(($# * 4))
  measure 0 selftest "$name" "$@" -- --stress $(($# * 4)) --seed "$seed" --together none
  all_are ok "results/selftest-$name" $(($# * 4))
  check_json "results/selftest-$name/run.json" \
    "all(sum(c['params']['app'] == kernel for c in d['cases']) >= 3 for kernel in '$*'.split())"
  measure 0 multitask "$name" "$@" -- --task blur.cl --barrier regular,query,atomic --groups 1 --runs 1 --warmup 0 --tasks 3 \
    --budget 0.1 -x '*overhead*'
  all_are ok "results/multitask-$name"
  # One with offers is run with none of these barriers.
  check_json "results/multitask-$name/run.json" \
    "all(sorted(c['id'].split('=')[-1] for c in d['cases'] if c['params']['app'] == kernel) in
         (['none'], ['atomic', 'query', 'regular']) for kernel in '$*'.split())"
}

cp "$SOURCE_DIR/examples/blur.cl" .
