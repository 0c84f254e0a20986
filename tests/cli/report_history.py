# SPDX-License-Identifier: Apache-2.0
#
# 40 runs; from the 31st on, times are 1.3 times as long. Each is itself the later of its folder.
import copy, json, os, random, sys

from documents import scale

random.seed(7)
base = json.load(open(sys.argv[1]))
for i in range(40):
    run = copy.deepcopy(base)
    run["run_id"], run["time"]["start"] = f"run-{i}", f"2026-10-{1 + i // 24:02}T{i % 24:02}:00:00Z"
    for metric in (m for c in run["cases"] for m in c["metrics"] if m["unit"] == "ns"):
        scale(metric, (1.3 if i >= 30 else 1) * random.uniform(0.999, 1.001))
    for metric in (m for c in run["cases"] for m in c["metrics"]):
        metric["round_medians"] = [metric["median"] * random.uniform(0.999, 1.001) for _ in range(10)]
    os.makedirs(f"many/run-{i}")
    open(f"many/run-{i}/run.json", "w").write(json.dumps(run))
