# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# For tests with the 32 KiB of local memory that OpenCL promises: a driver says that there is no more, and refuses
# kernels that need more (tests/faults/small_device.c). Apps take the forms of their kernels that GPUs get, which have
# more in local memory; how workgroups wait stays as PoCL needs it.
least=32768
copy_sources sources
find sources/apps -name '*.cl*' -exec sed -i 's/COOP_CPU_DEVICE/COOP_NO_DEVICE/g' {} +
export COOPBENCH_KERNEL_DIR=$PWD/sources

small() { SMALL_DEVICE=$least LD_PRELOAD=${DRIVER_FAULTS:?} "$COOPBENCH" "$@"; }

# measure CODE COMMAND OPTION...: one short run of each case, with its document in document.json.
measure() {
  check_exit "$1" small "$2" --cpu --runs 1 --warmup 0 --wait-deadline 20000 --json document.json "${@:3}"
}

# all_ok [N]: every case is right, and so many there are.
all_ok() {
  check_json document.json 'd["summary"]["ok"] == d["summary"]["cases"] > 0' \
    'all(c["verification"]["status"] == "pass" for c in d["cases"])' ${1:+"d['summary']['ok'] == $1"}
}
