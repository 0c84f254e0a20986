# SPDX-License-Identifier: Apache-2.0
#
# history_runs.py BASE FOLDER N: N runs made of the document BASE. Each case varies by 1 %; the first gets slower by 5 % in
# the middle, all stray in run N/4, and from 3N/4 on all take twice as long, with another driver.
import copy, datetime, json, pathlib, random, sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from documents import scale

base, folder, n = json.load(open(sys.argv[1])), pathlib.Path(sys.argv[2]), int(sys.argv[3])
base["cases"] = [c for c in base["cases"] if c["status"] == "ok"][:6]
random.seed(1)
for i in range(n):
    run = copy.deepcopy(base)
    run["run_id"], run["tool"]["git_sha"] = f"run-{n - i:03}", f"{0xabc000 + i:012x}"  # the order is that of the times
    start = datetime.datetime(2026, 10, 1) + datetime.timedelta(hours=6 * i)
    run["time"]["start"] = start.strftime("%Y-%m-%dT%H:%M:%SZ")
    if i >= n * 3 // 4:
        run["devices"][0]["driver_version"] = "9.9"
    for k, c in enumerate(run["cases"]):
        for m in c["metrics"]:
            if m["name"] == "core_speed":
                continue
            factor = random.gauss(1, 0.01) * (0.95 if k == 0 and i >= n // 2 else 1)
            factor *= (1.5 if i == n // 4 else 1) * (2 if i >= n * 3 // 4 else 1)
            scale(m, factor)
            for name in ("round_medians", "round_bests", "round_sizes"):
                m.pop(name, None)
    (folder / run["run_id"]).mkdir(parents=True)
    (folder / run["run_id"] / "run.json").write_text(json.dumps(run))
