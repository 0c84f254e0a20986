#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Installs what is missing, builds twice, and runs all tests: the unit tests with sanitizers, then the others in a build
# as users have it, but for tests that take long: with --full these, too, and the unit tests once more. Warnings are
# errors. Other arguments go to the second ctest (for instance -R cli). Its summary is the last output.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

chosen=(-LE long)
units=OFF
if [ "${1-}" = --full ]; then
  chosen=()
  units=ON
  shift
fi
scripts/bootstrap.sh --tests
cmake -G Ninja -B build-sanitize -DCMAKE_BUILD_TYPE=Debug -DCOOPBENCH_SANITIZE=ON -DCOOPBENCH_WERROR=ON
cmake --build build-sanitize
cmake -G Ninja -B build-test -DCOOPBENCH_WERROR=ON -DCOOPBENCH_UNIT_TESTS=$units
cmake --build build-test

(cd build-sanitize && ctest -j2 --output-on-failure -L unit)
(cd build-test && ctest -j2 --output-on-failure "${chosen[@]}" "$@")
