#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Kernels that do not build: rows that name file and line.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu
quick=(discover --cpu --protocol "lockfree,spin" --microbenchmark 11 --wg-sizes none --runs 2 --json -)

copy_sources sources
export COOPBENCH_KERNEL_DIR=$PWD/sources
check_exit 0 "$COOPBENCH" "${quick[@]}"

plant sources/kernels/discovery.clh 's/^static inline bool cb_discover_lockfree/this is not C;\n&/'
line=$(grep -n 'this is not C' sources/kernels/discovery.clh | cut -d : -f 1)
check_exit 1 "$COOPBENCH" "${quick[@]}" --bound off
check_schema run.schema.json out
check_stderr "kernels/discovery.clh:$line"
check_json out \
  'd["complete"] and d["exit_code"] == 1 and d["summary"]["error"] == 2' \
  "all('kernels/discovery.clh:$line' in c['reason'] for c in d['cases'])"

plant sources/probes/discover/discover.cl 's/"discovery.clh"/"dicsovery.clh"/'
check_exit 1 "$COOPBENCH" "${quick[@]}" --bound off
check_json out \
  'all(re.search(r"probes/discover/discover.cl:\d+: #include .dicsovery.clh.", c["reason"])
       for c in d["cases"])'

export COOPBENCH_KERNEL_DIR=$PWD/nowhere
check_exit 1 "$COOPBENCH" "${quick[@]}" --bound off
check_json out \
  "all('COOPBENCH_KERNEL_DIR: cannot read $PWD/nowhere/' in c['reason'] for c in d['cases'])"
