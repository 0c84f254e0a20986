#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Built kernels are kept between runs, in a folder that may be damaged, missing or unwanted.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu
quick=(discover --cpu --protocol "lockfree,spin" --microbenchmark 11 --wg-sizes none --runs 2 --bound off --json -)

# The programs in the cache (notes of what was built are smaller), with what changes when one is written anew: the inode.
entries() { (cd "$COOPBENCH_CACHE_DIR" && find . -name '*.entry' -size +4k -printf '%f %i\n' | sort); }

# PoCL without a cache of its own stands for all drivers that have none. What it leaves in its folder goes with the test.
export POCL_KERNEL_CACHE=0 POCL_CACHE_DIR=$PWD/pocl
mkdir pocl
check_exit 0 "$COOPBENCH" "${quick[@]}" --no-cache
check "--no-cache kept something" test ! -e "$COOPBENCH_CACHE_DIR"
# A worker that released its programs at its end would delete PoCL's files of them, which others may be about to load.
check "the end of a worker deleted PoCL's files" test -n "$(find pocl -name '*.so')"

check_exit 0 "$COOPBENCH" "${quick[@]}"
entries >first
check "two protocols and the clock are three programs" test "$(wc -l <first)" -eq 3
check_exit 0 "$COOPBENCH" "${quick[@]}"
entries >second
check "the second run compiled" cmp first second
check_json out 'd["summary"]["ok"] == 2'

# Other options, other programs; those of before stay.
check_exit 0 "$COOPBENCH" "${quick[@]}" --atomics cl12
entries >third
check "cl12 has programs of its own" test "$(wc -l <third)" -eq 6
check "and needs no others" test "$(comm -12 first third | wc -l)" -eq 3

# Damaged entries are replaced, whatever is in them.
for entry in "$COOPBENCH_CACHE_DIR"/*.entry; do
  printf 'damaged' | dd of="$entry" bs=1 seek=10 conv=notrunc status=none
done
check_exit 0 "$COOPBENCH" "${quick[@]}"
check_json out 'd["summary"]["ok"] == 2'
damaged() { find "$COOPBENCH_CACHE_DIR" -name '*.entry' -size +4k -exec grep -l damaged {} + | wc -l; }
check "those of cl12, which it did not need, are as they were" test "$(damaged)" -eq 3
check_exit 0 "$COOPBENCH" "${quick[@]}" --no-cache --atomics cl12
check "--no-cache touched the cache" test "$(damaged)" -eq 3

# Several runs at once share the folder.
rm -r "$COOPBENCH_CACHE_DIR"
for i in 1 2 3; do
  "$COOPBENCH" "${quick[@]}" --run-id "together$i" >"together$i" 2>&1 &
done
for i in 1 2 3; do
  wait -n || fail "a run beside others failed"
done
check "they kept the same" test "$(entries | wc -l)" -eq 3
check "nothing is left over" test -z "$(find "$COOPBENCH_CACHE_DIR" -name '*.tmp')"

# Nowhere to keep them: a note, and the same results.
touch file
COOPBENCH_CACHE_DIR=$PWD/file/cache check_exit 0 "$COOPBENCH" "${quick[@]}"
check_stderr '^Note: built kernels are not kept for later runs: cannot create the folder'
check_json out 'd["summary"]["ok"] == 2'
COOPBENCH_CACHE_DIR=$PWD/file/cache check_exit 0 "$COOPBENCH" "${quick[@]}" --quiet
check "--quiet prints notes" test ! -s err

# A driver with a cache of its own needs none of ours.
unset POCL_KERNEL_CACHE
rm -r "$COOPBENCH_CACHE_DIR"
check_exit 0 "$COOPBENCH" "${quick[@]}"
check "what the driver keeps was kept twice" test -z "$(entries)"

# Kernels are built before the run, once, and the run finds them: it adds nothing to the driver's cache.
export POCL_CACHE_DIR=$PWD/ahead
kernels() { find "$POCL_CACHE_DIR" -name '*.so' | wc -l; }
mkdir ahead
stress=(selftest --cpu --stress 4 --seed 5 --app bfs,mis --json -)
check_exit 0 "$COOPBENCH" "${stress[@]}"
check_stderr '^Building [2-4] sets of kernels before the run$'
check_json out 'd["summary"]["ok"] == 4'
before=$(kernels)
check_exit 0 "$COOPBENCH" "${stress[@]}"
check "the second run built again" test -z "$(grep Building err)"
check "the second run compiled" test "$(kernels)" -eq "$before"

# Interrupted while it builds, the run has no measurement and no builder left; what was built stays noted.
rm -r ahead "$COOPBENCH_CACHE_DIR"
mkdir ahead
start "${stress[@]}"
wait_for "the first kernels" grep -aq 'Building kernels: 0 of' err
kill -INT "$program"
check_end 130
check "a builder is left" test -z "$(pgrep -P "$program" 2>/dev/null)"

# Who removes the driver's cache gets everything built again; --no-cache builds nothing ahead.
check_exit 0 "$COOPBENCH" "${stress[@]}"
mv ahead away
mkdir ahead
check_exit 0 "$COOPBENCH" "${stress[@]}"
check_stderr '^Building [2-4] sets of kernels'
mv ahead away2
mkdir ahead
check_exit 0 "$COOPBENCH" "${stress[@]}" --no-cache
check "--no-cache built ahead" test -z "$(grep Building err)"
