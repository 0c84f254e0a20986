#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Faults of the OpenCL driver, injected where the program calls OpenCL: runs of all commands that measure, each with a
# fault at a random call, and how they end.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
  cat <<'TEXT'
usage: scripts/faults.sh [OPTION...]

Draws a command, a fault and the call that it meets, runs it on the CPU device (PoCL), and checks that it ends: with a
row for each case, a documented exit code, a message that says what happened and what to do, no process left behind, no
half-written file, and no figure that cannot be. Prints what was wrong, and the command that repeats it.
Exit codes: 0 nothing was wrong, 1 something was, 2 wrong usage.

  --runs N          so many runs (default: 100; each takes a second or two)
  --seconds S       begin none after so long
  --seed N          the runs of an earlier call
  --command NAME    only this command; may be given several times
  --fault NAME      only faults whose name has this; may be given several times
  --each            each fault once, in place of --runs
  --one RUN         this run: COMMAND:CACHE:FAULT:CALL
  --list            the faults, and the function that each meets
  --sanitize        with a program that has sanitizers
  --verbose         a line for each run; with --one what it prints

  FAULTS_DIR  folder of the build and of the runs (default: build-faults)
TEXT
}

sanitize=OFF
options=()
for option in "$@"; do
  case $option in
  -h | --help)
    usage
    exit 0
    ;;
  --sanitize) sanitize=ON ;;
  *) options+=("$option") ;;
  esac
done

folder=${FAULTS_DIR:-build-faults}
[[ $sanitize == OFF ]] || folder+=-sanitize
cmake -G Ninja -B "$folder" -DCOOPBENCH_SANITIZE=$sanitize >/dev/null
cmake --build "$folder" --target coopbench driver_faults >"$folder/build.log" || {
  tail -n 30 "$folder/build.log" >&2
  exit 2
}
python=python3 # the one that has jsonschema need not be the first in PATH
python3 -c 'import jsonschema' 2>/dev/null || python=/usr/bin/python3
exec "$python" tests/faults/faults.py --program "$folder/coopbench" --library "$folder/tests/libdriver_faults.so" \
  --folder "$folder/faults" "${options[@]}"
