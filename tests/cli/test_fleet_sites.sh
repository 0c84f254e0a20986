#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# scripts/fleet for sites with JUBE or ReFrame: a benchmark file that JUBE runs, a test class that is compiled only.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu
site=$SOURCE_DIR/scripts/fleet
check_exit 0 python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read())' "$site/reframe_coopbench.py"
command -v jube >/dev/null || {
  echo 'skipped: there is no jube'
  exit 77
}

cat >quick.json <<'JSON'
{"schema": "coopbench-config", "schema_version": "1.0", "suite": [
  {"bench": "discover", "protocol": "lockfree", "microbenchmark": "11", "wg-sizes": "none", "bound": "off", "launch": "16", "runs": 3}]}
JSON
export POCL_DEVICES='pthread pthread'
check_exit 0 env SUITE="$PWD/quick.json" DEVICES=0:0,0:1 CASE=discover/lockfree/11/launch=16 METRIC=groups_found \
  jube run "$site/coopbench.xml" -o runs -r --hide-animation
# How many of the 8 start in time is up to the operating system.
sed 's/,[1-8]\.0$/,1 to 8/' runs/000000/result/devices.dat >table
check "the table is not $(cat table)" diff - table <<'TABLE'
device,cases,ok,median
0:0,1,1,1 to 8
0:1,1,1,1 to 8
TABLE
check_exit 0 "$COOPBENCH" report runs/*/*_measure/work/run -o page
