#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A device with 32 KiB of local memory: all programs of launch, by all launchers.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu
source "$SOURCE_DIR/tests/cli/small_device.sh"

# Of pt, sc and unq, a step has its tile in local memory: a smaller one than elsewhere.
measure 0 launch --scale tiny
all_ok
check_json document.json \
  '{c["params"]["program"] for c in d["cases"] if "steps of 2048 elements" in str(c.get("notes"))} == {"pt", "sc", "unq"}'

# Where more of it is needed: prefix sums, times of children and of steps.
measure 0 launch --scale tiny --program equal --launcher warp,block,multiblock,grid,ahead --places scan
all_ok
measure 0 launch --scale tiny --program sc,equal --launcher thread,block,multiblock,tail,PO,PAO --occupancy
all_ok
