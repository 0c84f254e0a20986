#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Two builds and all tests: what a developer and continuous integration run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
  cat <<'TEXT'
usage: scripts/test.sh [--full] [CTEST OPTION...]

Installs what is missing, builds twice, and runs all tests: the unit tests with sanitizers, then the others in a build
as users have it. Warnings are errors. The summary of the second ctest is the last output.

  --full        also the tests that take long, and the unit tests in both builds: about an hour
  CTEST OPTION  of the second ctest, for instance -R cli_launch
TEXT
}

chosen=(-LE long)
units=OFF
case "${1-}" in
  -h | --help)
    usage
    exit 0
    ;;
  --full)
    chosen=()
    units=ON
    shift
    ;;
esac
scripts/bootstrap.sh --tests
cmake -G Ninja -B build-sanitize -DCMAKE_BUILD_TYPE=Debug -DCOOPBENCH_SANITIZE=ON -DCOOPBENCH_WERROR=ON
cmake --build build-sanitize
cmake -G Ninja -B build-test -DCOOPBENCH_WERROR=ON -DCOOPBENCH_UNIT_TESTS=$units
cmake --build build-test

(cd build-sanitize && ctest -j2 --output-on-failure -L unit)
(cd build-test && ctest -j2 --output-on-failure "${chosen[@]}" "$@")
