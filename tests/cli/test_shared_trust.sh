#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# scripts/shared-trust.py measures how far runs on a shared device can be trusted. That a quiet device is called quiet cannot
# be tested beside other tests; what a neighbour that has all cores makes of runs can.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu
trust() { check_exit 0 "$SOURCE_DIR/scripts/shared-trust.py" "$@" --program "$COOPBENCH"; }
cat >busy.sh <<'SH'
for ((i = 0; i < 2 * $(nproc); i++)); do
  (while ((SECONDS < 120)) && kill -0 $$ 2>/dev/null; do :; done) &
done
wait
SH
trust quiet --runs 2
check_stdout '^[0-2] of 2 runs on a quiet device were called disturbed$'
trust bursts --runs 2 --neighbour "bash busy.sh"
check_stdout '^2 of 2 runs beside bursts were called disturbed$'
trust compare --runs 1 --neighbour "bash busy.sh"
check_stdout '^1 pairs: 2 disturbed$'
trust defaults --beside copy --keep kept/durations.json 'memory --filter memory/contentious.read.atomic/groups=1 --runs 3'
check_stdout '^\| .* \| `memory .*` \| [0-9.]+ s \| [0-9.]+ s \| [0-9.]+ \| 1 of 1 \| 0 \| 0 \| 0, 0 \| '
check_exit 0 python3 -c '
import json
kept = json.load(open("kept/durations.json"))
row, = kept["durations"]
print(kept["driver_version"] != "", row["commit"] != "", row["beside"], row["ok"], row["exit_codes"])'
check_stdout '^True True copy 1 [[]0, 0[]]$'
check_exit 2 "$SOURCE_DIR/scripts/shared-trust.py" bursts --device gpu
check_stderr 'the neighbour is a command: --neighbour'
