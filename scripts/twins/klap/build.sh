#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Builds the CUDA twins of `coopbench launch`, one program each: OUT/klap-PROGRAM.
#
#     build.sh BUILD OUT [PROGRAM...]
#
# BUILD: a build folder of coopbench, for its host code. NVCC, NVCC_FLAGS, JOBS: the compiler (nvcc), its flags
# (-arch=sm_90), how many at once (all cores).
set -euo pipefail
[ $# -ge 2 ] || { sed -n '4,9p' "$0"; exit 64; }
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
core=$(realpath "$1")/libcoopbench_core.a
mkdir -p "$2"
out=$(cd "$2" && pwd)
shift 2
defines="-D_GNU_SOURCE -DCL_TARGET_OPENCL_VERSION=300"
nvcc="${NVCC:-nvcc} ${NVCC_FLAGS:--arch=sm_90} -rdc=true -O3 -std=c++17 $defines -I$here -I$root -I$root/kernels"
libraries="-lcudadevrt -Xlinker --as-needed -lcjson -lOpenCL -lz -lm"

cc -std=c11 $defines -I"$root" -I"$root/kernels" "$here/list.c" "$core" -Wl,--as-needed -lcjson -lOpenCL -lz -lm \
  -o "$out/list"
$nvcc -c "$here/twin.cc" -o "$out/twin.o"

# Text that must not be contracted says so as in OpenCL C, which nvcc does not know.
build() { # KIND ID DEFINE...
  local all="$*" contract=
  local text=${all##*TWIN_TEXT=\"}
  text=${text%%\"*}
  ! grep -q 'FP_CONTRACT *OFF' "$root/$text" || contract=-fmad=false
  $nvcc $contract "${@:3}" "$here/$1_twin.cu" "$out/twin.o" "$core" $libraries -o "$out/klap-$2" && echo "klap-$2"
}
export -f build
export nvcc libraries here root core out

[ $# -gt 0 ] || set -- $("$out/list" | cut -d' ' -f2)
for program; do
  "$out/list" | grep " $program " || { echo "build.sh: no program $program" >&2; exit 64; }
done | xargs -P "${JOBS:-$(nproc)}" -d '\n' -I LINE bash -c 'build LINE'
