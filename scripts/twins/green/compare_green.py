#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sets what green contexts make of two blocking kernels beside what coopbench does: a Markdown table on stdout.

    compare_green.py green.csv RUN...

RUN: folders of `coopbench multitask --together` and `coopbench preempt --beside`, on the same GPU. The programs are not the
same: STP, ANTT and fairness are each against the same program's time alone, and the times of a resize are as they are.
"""
import argparse
import pathlib
import sys

sys.dont_write_bytecode = True  # this is the source tree
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent))

import runs  # noqa: E402

HEADS = ("way", "apps", "share of the first", "STP", "ANTT", "fairness", "resize, median", "longest")


def number(value):
    return f"{float(value):.3f}" if value not in (None, "") else ""


def time(ns):
    if ns in (None, ""):
        return ""
    ns = float(ns)
    unit, scale = next((u, s) for u, s in (("s", 1e9), ("ms", 1e6), ("µs", 1e3), ("ns", 1)) if ns >= s or s == 1)
    return f"{ns / scale:.3g} {unit}"


def of_twin(row):
    reason = "" if row["verified"] == "yes" else f" ({row['verified']}: {row['reason']})"
    return [row["what"] + reason, "CUDA: bfs, tree", row["share"], number(row["stp"]), number(row["antt"]),
            number(row["fairness"]), time(row["resize_ns"]), time(row["resize_max"])]


def of_case(case):
    metrics = {m["name"]: m for m in case["metrics"]}
    params = case["params"]
    if "policy" in params:
        way = f"one megakernel, {params['policy']}"
        share = params.get("share") or "{:.0f} of {:.0f} workgroups".format(
            *(metrics[name]["median"] for name in ("app_groups", "workers")))
    else:
        way, share = "time slicing, two processes", "all, in turns"
    resize = metrics.get("resize_time", {})
    return [way, f"{params['app']}, {params['beside']}", share,
            *(number(metrics[name]["median"]) if name in metrics else "" for name in ("stp", "antt", "fairness")),
            time(resize.get("median")), time(resize.get("max"))]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("csv", type=pathlib.Path, help="what the program `green` has printed")
    parser.add_argument("runs", nargs="*", metavar="RUN", help="folders of runs of coopbench")
    options = parser.parse_args()
    twin = list(runs.csv_rows(options.csv.read_text().splitlines()))
    lines = [of_twin(row) for row in twin if row["what"] != "alone"]
    devices, commits = {row["device"] for row in twin}, set()
    for folder in options.runs:
        run = runs.document(folder)
        if run is None:
            sys.exit(f"compare_green.py: there is no run in {folder}")
        devices |= {device["name"] for device in run["devices"]}
        drivers = ", ".join(sorted({device["driver_version"] for device in run["devices"]}))
        tool = run["tool"]
        changes = " with changes" if tool["git_dirty"] else ""
        commits.add(f"driver {drivers}, coopbench {tool['git_sha']}{changes}, {run['time']['start'][:10]}")
        lines += [of_case(case) for case in run["cases"]
                  if case["status"] == "ok" and any(m["name"] == "stp" for m in case["metrics"])]
    for line in (HEADS, ["---"] * len(HEADS), *lines):
        print("|", " | ".join(line), "|")
    print("\nMeasured on:", ", ".join(sorted(devices) + sorted(commits)))


if __name__ == "__main__":
    main()
