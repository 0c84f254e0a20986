#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What list tells of devices and benchmarks.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"

check_exit 0 "$COOPBENCH" list benchmarks
check_stdout '^discover '
check_stdout "reproduces OOPSLA'16"
check_exit 0 "$COOPBENCH" list benchmarks --json -
check_json out \
  '[b["id"] for b in d["benchmarks"]] == sorted(b["id"] for b in d["benchmarks"])' \
  'all(b["summary"] and b["reproduces"] and b["metrics"] for b in d["benchmarks"])' \
  'all(m["better"] in ("lower", "higher", "none") and m["unit"] and m["help"]
       for b in d["benchmarks"] for m in b["metrics"])' \
  'all(p["name"] and p["help"] for b in d["benchmarks"] for p in b["params"])'

check_exit 0 "$COOPBENCH" list apps
check_stdout '^bfs  '
check_stdout '^ +--input: '
check_stdout '^ +depth: tiny 6, small 8, paper 11$'
check_stdout "^ +--variant paper: .* \\(OOPSLA'16 Section 5.3, LonestarGPU's mst\\)\$"
check_stdout '^ +hundreds: tiny 20000:hundreds,'
check "as many variants as there are" test "$(grep -c '^ *--variant' out)" = "$(ls "$SOURCE_DIR"/apps/*/{paper,once}.cl | wc -l)"
check_exit 0 "$COOPBENCH" list apps --json -
check_json out '[a["id"] for a in d["apps"]] == sorted(a["id"] for a in d["apps"])' \
  'all(a["summary"] and a["source"] and a["input"] and a["inputs"] for a in d["apps"])' \
  'all(i["name"] and i["tiny"] and i["small"] and i["paper"] for a in d["apps"] for i in a["inputs"])' \
  '{a["id"] for a in d["apps"] if a.get("paper", {}).get("source")} >= {"bfs", "dmr", "mst"}' \
  'not any("paper" in a for a in d["apps"] if a["synthetic"])' \
  '{"bfs": False, "barriers": True}.items() <= {a["id"]: a["synthetic"] for a in d["apps"]}.items()'

check_exit 0 "$COOPBENCH" list configs
check_stdout '^smoke +Whether everything works, in seconds on any device$'
check "a suite takes more than a line of 80 letters" test -z "$(grep -E '.{81}' out)"
check "not a line for each suite" test "$(wc -l <out)" = "$(ls "$SOURCE_DIR"/configs/*.json | wc -l)"
check_exit 0 "$COOPBENCH" list configs --json -
check_json out 'next(c for c in d["configs"] if c["name"] == "smoke")["description"].endswith("quote.")'

check_exit 2 "$COOPBENCH" list nonsense
check_stderr 'list devices'
check_exit 2 "$COOPBENCH" list
check_exit 2 "$COOPBENCH" list devices benchmarks
check_exit 2 "$COOPBENCH" list devices --json file
check "list --json wrote a file" test ! -e file

need_device
check_exit 0 "$COOPBENCH" list devices
check_stdout '^0:0  '
for label in 'Compute units' 'Local memory' 'Atomics back end' 'Host channel' 'Device clock'; do
  check_stdout "^  $label  "
done
check_exit 0 "$COOPBENCH" list devices --json -
check_json out \
  'len(d["devices"]) >= 1' \
  'all(re.match("(uuid|pci|name):.", x["id"]) for x in d["devices"])' \
  'len({x["index"] for x in d["devices"]}) == len(d["devices"])' \
  'all(x["type"] in ("gpu", "cpu", "accelerator", "other") for x in d["devices"])' \
  'all(x["atomics"] in ("c11", "ptx", "cl12") for x in d["devices"])' \
  'all(x["host_channel"] in ("svm", "queue") for x in d["devices"])' \
  'all(x["clock"] and x["svm"] and "atomic_scope" in x for x in d["devices"])' \
  'all(x["atomic_order"] in ("relaxed", "acq_rel", "seq_cst", None) for x in d["devices"])' \
  'all(x["compute_units"] > 0 and x["max_wg_size"] > 0 and x["local_mem_bytes"] > 0
       for x in d["devices"])'

# ---- Who else uses a device ----------------------------------------------------------------------

check_json out 'all("others" in x for x in d["devices"])' \
  'all(("sign" in x["others"]) != bool(x["others"].get("unknown")) for x in d["devices"])'
need_cpu
check_exit 0 "$COOPBENCH" list devices
check_stdout '^  Others now +busy on [0-9.]+ of [0-9]+ cores.*; [0-9.]+ [GM]iB of [0-9.]+ [GM]iB free$'

# A device that says it is a GPU: with a library in NVML's place, and without.
as_gpu() { SMALL_GPU=yes SMALL_DEVICE=65536 LD_PRELOAD=${DRIVER_FAULTS:?} "$@"; }
with_nvml() { as_gpu env LD_LIBRARY_PATH="$BINARY_DIR/tests/fake_nvml:${LD_LIBRARY_PATH-}" FAKE_NVML_ANY=yes "$@"; }
check_exit 0 with_nvml FAKE_NVML_PROCESSES='1:2048:45' "$COOPBENCH" list devices
check_stdout '^  Others now +1 process with 2 GiB, at work 45 % of the time$'
check_exit 0 with_nvml FAKE_NVML_PROCESSES='1:2048:45' FAKE_NVML_MEMORY=5:6 "$COOPBENCH" list devices --json -
check_json out '{"sign": "nvml", "processes": 1, "bytes": 2**31, "share": 0.45, "free_bytes": 5 * 2**20,
                 "total_bytes": 6 * 2**20} in [x["others"] for x in d["devices"]]'
check_exit 0 as_gpu env LD_LIBRARY_PATH= "$COOPBENCH" list devices
check_stdout '^  Others now +not known: (libnvidia-ml.so.1 cannot be loaded|NVML does not find)'
