#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Builds the twin of `coopbench multitask --together` in green contexts: OUT/green.
#
#     build.sh OUT
#
# NVCC, NVCC_FLAGS: the compiler (nvcc), its flags (-arch=sm_90). libcuda is loaded as the program begins: it builds
# where there is no GPU, and the program runs on a machine that has nothing but the driver.
set -euo pipefail
[ $# -ge 1 ] || { sed -n '4,9p' "$0"; exit 64; }
here=$(cd "$(dirname "$0")" && pwd)
out=${*: -1} # as klap's build.sh, it may be told a build folder first, of which it needs nothing
mkdir -p "$out"
# Without -rdc: a module that can launch kernels gets multiprocessors beyond those of its green context.
${NVCC:-nvcc} ${NVCC_FLAGS:--arch=sm_90} -O3 -std=c++17 -Xcompiler -static-libstdc++,-static-libgcc -I"$here" "$here"/{twin.cu,apps.cu,rows.cu,contexts.cc} -o "$out/green"
echo "$out/green"
