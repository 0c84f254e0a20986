#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The back ends of atomics and clock that a device may lack.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu
few=(discover --cpu --microbenchmark 11 --wg-sizes none --runs 3 --json -)

check_exit 0 "$COOPBENCH" "${few[@]}" --atomics cl12
check_json out \
  'd["devices"][0]["atomics"] == "cl12"' \
  'd["summary"]["ok"] == d["summary"]["cases"] == 4' \
  'metric("*/bound/11", "groups_bound")["median"] == 8'

# Cooperative kernels read with plain accesses what others wrote: with OpenCL 1.2, none of these may be plain.
# (A CPU device keeps its caches coherent: that the words are fresh shows on a GPU only.)
check_exit 0 "$COOPBENCH" selftest --cpu --atomics cl12 --seed 31 --stress 6 --wait-deadline 1000 --json -
check_json out 'len(d["cases"]) == 6' 'all(c["verification"]["status"] == "pass" for c in d["cases"])'

# Without a clock, waits are bounded by turns of their loops, which take far longer than calibrated
# where threads share cores: a short deadline keeps the test short. Where other programs run, too, 200 ms
# of turns were over before the last workgroup had its turn.
check_exit 0 "$COOPBENCH" "${few[@]}" --clock none --wait-deadline 800
check_schema run.schema.json out
check_json out \
  'd["devices"][0]["clock"] == "none" and "ns_per_tick" not in d["devices"][0]' \
  'd["summary"]["ok"] == 4' \
  'metric("*/bound/11", "groups_bound")["median"] == 8' \
  'all({m["name"] for m in c["metrics"]} == {"groups_found", "groups_bound", "recall", "launch_time"}
       for c in d["cases"] if c["params"]["protocol"] != "bound")'

check_exit 4 "$COOPBENCH" "${few[@]}" --clock none --wait-deadline 50 --bound off \
  --protocol unsafe --launch 9
check_json out \
  'case("*/unsafe/*")["status"] == "timeout"' \
  '"the global barrier" in case("*/unsafe/*")["reason"]'

# What the device lacks is a row with the reason, not an error.
check_exit 77 "$COOPBENCH" "${few[@]}" --atomics ptx --bound off
check_schema run.schema.json out
check_json out \
  'd["exit_code"] == 77 and d["complete"]' \
  'd["summary"]["unsupported"] == d["summary"]["cases"] == 3' \
  'all("needs an NVIDIA GPU" in c["reason"] for c in d["cases"])'
check_exit 77 "$COOPBENCH" "${few[@]}" --atomics ptx --protocol spin
check_json out \
  'case("*/bound/*")["status"] == "unsupported"' \
  'case("*/spin/*")["status"] == "skipped"' \
  '"discover/bound/11" in case("*/spin/*")["reason"]'
