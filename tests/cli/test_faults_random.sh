#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Faults of a driver, drawn at random: each run of each command ends with rows and an exit code.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu

check 'all end as they should' python3 "$SOURCE_DIR/tests/faults/faults.py" --program "$COOPBENCH" \
  --library "${DRIVER_FAULTS:?}" --folder faults --runs "${FAULT_RUNS:-120}" --seconds 300
