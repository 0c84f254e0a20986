#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Two builds and all tests: what a developer and continuous integration run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
  cat <<'TEXT'
usage: scripts/test.sh [--quick | --full] [CTEST OPTION...]

Installs what is missing, builds twice, and runs all tests: the unit tests with sanitizers, then the others in a build
as users have it. Warnings are errors. The summary of the second ctest is the last output.

  --quick       one build, not optimised; unit tests without sanitizers, a command of each benchmark: about a minute
  --full        also the tests that take long, the unit tests in both builds, and a release build: about an hour
  CTEST OPTION  of the second ctest, for instance -R cli_launch
TEXT
}

# How many times longer than on a quiet machine of today a bit of work takes here and now, rounded up.
slowness() {
  local start=${EPOCHREALTIME/./} i
  for ((i = 0; i < 400000; i++)); do :; done
  echo $(((${EPOCHREALTIME/./} - start) / 1000000 + 1))
}

# build FOLDER TARGET [OPTION...]: warnings are errors.
build() {
  cmake -G Ninja -B "$1" -DCOOPBENCH_WERROR=ON -DCOOPBENCH_SLOWNESS="$(slowness)" "${@:3}"
  cmake --build "$1" --target "$2"
}

chosen=(-LE long)
units=OFF
case "${1-}" in
  -h | --help)
    usage
    exit 0
    ;;
  --quick)
    scripts/bootstrap.sh --tests
    build build-quick unit_tests -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O0
    cd build-quick
    exec ctest -j2 --output-on-failure -L quick "${@:2}"
    ;;
  --full)
    chosen=()
    units=ON
    shift
    ;;
esac
scripts/bootstrap.sh --tests
PATH=$(dirname "$(python3 -c 'import sys; print(sys.executable)')"):$PATH # tests/cli/lib.sh says why
build build-sanitize unit_tests -DCMAKE_BUILD_TYPE=Debug -DCOOPBENCH_SANITIZE=ON
build build-test all -DCOOPBENCH_UNIT_TESTS=$units
[[ $units == OFF ]] || build build-release all -DCMAKE_BUILD_TYPE=Release # -O3 finds more to warn of

(cd build-sanitize && ctest -j2 --output-on-failure -L unit)
(cd build-test && ctest -j2 --output-on-failure "${chosen[@]}" "$@")
