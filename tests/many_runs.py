#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a folder of many runs from runs of PoCL in results/reference, as if measured day after day.

many_runs.py FOLDER RUNS CASES [FIRST]: runs FIRST (0) to FIRST + RUNS - 1. Values vary by 1 %; a tenth of the cases has
one step of 5 %. The same numbers give the same runs, whichever are made together.
"""

import datetime
import gzip
import json
import os
import pathlib
import random
import sys

from documents import STATISTICS

REFERENCE = pathlib.Path(__file__).resolve().parent.parent / "results/reference/pocl-3.1"
SOURCES = ("primitives", "memory", "discover", "fse17-barriers", "apps")
HOLE = "\N{SNOWMAN}"  # where a number goes


def load(name):
    with gzip.open(REFERENCE / name / "run.json.gz") as document:
        return json.load(document)


def cases(n):
    found = {}
    for source in SOURCES:
        for case in load(source)["cases"]:
            if case["status"] == "ok":
                found.setdefault((case["id"], case["device"]), case)
    if n > len(found):
        sys.exit(f"many_runs.py: there are {len(found)} cases, not {n}")
    return list(found.values())[:n]


def with_holes(case):
    """The text of the case between the numbers that vary, and these."""
    numbers = []
    for metric in case["metrics"]:
        if metric["name"] != "core_speed":
            for name in STATISTICS:
                if metric.get(name) is not None:
                    numbers.append((metric["name"], metric["better"], float(metric[name])))
                    metric[name] = HOLE
    return json.dumps(case).split(json.dumps(HOLE)), numbers


def case_text(seed, number, run, parts, numbers):
    rng = random.Random(f"{seed} {number} {run}")
    step = random.Random(f"{seed} {number}").randrange(20, 2000)
    factors = {}
    for metric, better, _ in numbers:
        slower = 1.05 if number % 10 == 0 and run >= step else 1
        if metric not in factors:
            factors[metric] = rng.gauss(1, 0.01) * (1 / slower if better == "higher" else slower)
    texts = [f"{value * factors[metric]:.12g}" for metric, _, value in numbers]
    return "".join(part + text for part, text in zip(parts, texts + [""]))


def main(folder, n, n_cases, first=0):
    head = load(SOURCES[0])
    templates = [with_holes(case) for case in cases(n_cases)]
    head.update(schema_version="2.0", cases=HOLE, findings=[])
    head["summary"].update(cases=n_cases, ok=n_cases)
    for run in range(first, first + n):
        start = datetime.datetime(2020, 1, 1) + datetime.timedelta(hours=2 * run)
        head["run_id"] = f"run-{run:05}"
        head["tool"]["git_sha"] = f"{0xabc000 + run:012x}"
        head["time"]["start"] = start.strftime("%Y-%m-%dT%H:%M:%SZ")
        texts = [case_text(1, i, run, *template) for i, template in enumerate(templates)]
        before, after = json.dumps(head).split(json.dumps(HOLE))
        path = pathlib.Path(folder) / head["run_id"]
        path.mkdir(parents=True)
        (path / "run.json").write_text(before + "[" + ",\n".join(texts) + "]" + after)
        os.utime(path / "run.json", (start.timestamp(), start.timestamp()))


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
