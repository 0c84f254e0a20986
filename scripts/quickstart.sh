#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# From a fresh checkout to a table and pictures: installs what is missing, builds, measures how many
# workgroups the default device runs at once, and draws the result. Arguments go to
# `coopbench discover` (for instance --gpu). Exits with its exit code.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/bootstrap.sh
cmake -G Ninja -B build -DCMAKE_BUILD_TYPE=Release -DCOOPBENCH_TESTS=OFF
cmake --build build

output=$(mktemp)
trap 'rm -f "$output"' EXIT
code=0
build/coopbench discover "$@" | tee "$output" || code=$?

# Where the results are depends on the arguments, and with --help or --dry-run there are none.
folder=$(sed -n 's/^Results: \(.*\) (run\.json,.*/\1/p' "$output")
[[ $folder ]] || exit "$code"
drawn=0
build/coopbench plot "$folder" || drawn=$?
echo
echo "Table: above; as CSV: $folder/summary.csv"
if ((drawn == 0)); then
  echo "Pictures: $folder/plots/*.svg and *.png"
fi
exit $((code ? code : drawn))
