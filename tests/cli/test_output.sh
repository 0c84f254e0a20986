#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Results that cannot be written: noticed before measuring, or without losing what was measured.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu
quick=(discover --cpu --protocol lockfree --wg-sizes none --bound off --launch 16)

# Under a regular file nobody can create a folder, not even root.
touch file
check_exit 1 "$COOPBENCH" "${quick[@]}" -m 11 --output-dir file/results
check_stderr 'cannot create the results folder file/results.*--output-dir'
for option in json csv; do
  check_exit 1 "$COOPBENCH" "${quick[@]}" -m 11 "--$option" file/rows
  check_stderr "--$option: cannot write file/rows"
done
check "a run that could not start left results" test ! -e results

check_exit 0 "$COOPBENCH" "${quick[@]}" -m 11 --runs 1 --run-id taken
cp results/taken/run.json before.json
check_exit 1 "$COOPBENCH" "${quick[@]}" -m 11 --runs 1 --run-id taken
check_stderr 'results/taken holds a run already.*--run-id'
check "the run that was there has changed" cmp -s before.json results/taken/run.json

# full_disk ID: the program's files may not grow over 64 KiB from its second case on: as if the disk
# were full, without touching the worker, whose compiler needs files. Samples are larger, the
# document is not.
full_disk() {
  start "${quick[@]}" --microbenchmark 11,L1,1W --runs 4000 --order listed --run-id "$1"
  wait_for 'the second case' measures discover/lockfree/L1
  prlimit --pid "$program" --fsize=65536
  check_end 1
}

mkdir elsewhere
TMPDIR=$PWD/elsewhere full_disk full
check_stderr 'cannot write results/full/.*: File too large'
check_stderr "All finished cases are in $PWD/elsewhere/coopbench-full.json"
check_schema run.schema.json elsewhere/coopbench-full.json
check_json elsewhere/coopbench-full.json \
  'not d["complete"] and d["exit_code"] == 1' \
  'case("*/11/*")["status"] == "ok" and metric("*/11/*", "groups_found")["n"] == 4000'

# Nowhere to write at all: to standard error.
TMPDIR=$PWD/file full_disk nowhere
check_stderr 'All finished cases were printed above'
sed 's/.*\x1b\[K//' err | sed -n '/^{$/,/^}$/p' >printed.json # without the bar
check_schema run.schema.json printed.json
check_json printed.json 'case("*/11/*")["status"] == "ok"'
