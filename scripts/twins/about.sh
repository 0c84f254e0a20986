#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The first line of a CSV of a CUDA program of this folder: the GPU's driver, CUDA if nvcc is here, the commit and the date
# (scripts/tables/kept.py reads it). On stdout; fails if one of the others is not to be known.
set -euo pipefail

here=$(dirname "${BASH_SOURCE[0]}")
driver=$(nvidia-smi --query-gpu=driver_version --format=csv,noheader)
cuda=$(nvcc --version 2>/dev/null | sed -n 's/.* release \([0-9.]*\),.*/\1/p') || true
commit=$(git -C "$here" rev-parse --short=7 HEAD)
changes=$(git -C "$here" status --porcelain --untracked-files=no)
if [ -z "$driver" ]; then
  echo "about.sh: nvidia-smi does not tell the driver" >&2
  exit 1
fi
echo "# driver ${driver%%$'\n'*}${cuda:+, CUDA $cuda}, commit $commit${changes:+ with changes}, $(date -u +%F)"
