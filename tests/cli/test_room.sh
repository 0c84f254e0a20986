#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Cases that need more memory than a device has, or has left: refused before they run, with how much is missing, who
# has it, and what to do. What drivers say is in test_faults.sh.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu
game=(apps --app game --variant paper --input 8 --mode specialised --runs 1 --warmup 0 --json -) # 206 MiB

# A device that says it is a GPU, with a library in NVML's place: others have its memory, of which 10 MiB are left.
check_exit 1 env SMALL_GPU=yes SMALL_DEVICE=65536 LD_PRELOAD="${DRIVER_FAULTS:?}" \
  LD_LIBRARY_PATH="$BINARY_DIR/tests/fake_nvml:${LD_LIBRARY_PATH-}" FAKE_NVML_ANY=yes \
  FAKE_NVML_PROCESSES='1:900:45 2:300:0 0:2:0' FAKE_NVML_MEMORY=10:2000 "$COOPBENCH" "${game[@]}" --gpu
check_json out 'all(c["status"] == "error" for c in d["cases"])' \
  'all(re.match("no room for 206.2 MiB more on .*: 10 MiB of 1.953 GiB are free, 196.2 MiB are missing; "
                "2 other processes have 1.172 GiB \(nvidia-smi\)\. Take a smaller input \(--scale, --input\), or wait",
                c["reason"]) for c in d["cases"])'
# Buffers that each fit are refused together: 32 MiB of words, and what is read of them.
small=(env SMALL_GPU=yes SMALL_DEVICE=65536 LD_PRELOAD="$DRIVER_FAULTS" LD_LIBRARY_PATH="$BINARY_DIR/tests/fake_nvml:${LD_LIBRARY_PATH-}"
  FAKE_NVML_ANY=yes FAKE_NVML_PROCESSES='0:2:0' FAKE_NVML_MEMORY=34:2000)
check_exit 1 "${small[@]}" "$COOPBENCH" litmus --gpu --filter litmus/MP/workgroups/relaxed --runs 1 --json -
check_json out 'len(d["cases"]) == 1' \
  'all(re.match("no room for 53.25 MiB more on .*: 34 MiB of 1.953 GiB are free", c["reason"]) for c in d["cases"])'

# A device that never has so much is unsupported. POCL_MEMORY_LIMIT is in GiB.
need_libclang
cat >large.cl <<'CL'
kernel void large(global int *numbers)
{
    numbers[get_global_id(0)] = 1;
    resizing_global_barrier();
}
CL
cat >large.json <<'JSON'
{"schema": "coopbench-setup", "schema_version": "1.0", "kernel": "large.cl", "arguments": {"numbers": {"count": 400000000}}}
JSON
check_exit 77 env POCL_MEMORY_LIMIT=1 "$COOPBENCH" apps --cpu --app ./large.json --runs 1 --warmup 0 --json -
check_json out 'all(c["status"] == "unsupported" for c in d["cases"])' \
  'all(re.search("numbers: no room for 1.49 GiB more on .*, which has 1 GiB in all", c["reason"]) for c in d["cases"])'
