#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The whole suite smoke; test_config.sh runs a row of each kind.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_device

check_exit 0 timeout 200 "$COOPBENCH" run "$SOURCE_DIR/configs/smoke.json" --json -
check_schema run.schema.json out
n=$(for kind in BARRIER MUTEX SEMAPHORE QUEUE; do primitives $kind; done | tr ',' '\n' | wc -l)
check_json out \
  'd["complete"] and d["summary"]["ok"] == d["summary"]["cases"]' \
  "len(d['cases']) == 77 + $n" \
  'd["invocation"]["config"] == "smoke.json"' \
  'all(c["sampling"]["runs"] == 3 and c["sampling"]["warmup"] == 1 for c in d["cases"]
       if c["params"].get("protocol") != "bound")'
