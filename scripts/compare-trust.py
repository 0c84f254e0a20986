#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How far `coopbench compare` can be trusted, measured: docs/trust.md holds what this prints.

    COOPBENCH=build/coopbench scripts/compare-trust.py FOLDER [--pairs N] -- BENCH OPTIONS...

Measures N + 1 runs one after the other (those that FOLDER has already are kept), compares each with
the one before (A/A: every regression or improvement is a false alarm), with several before as
baselines, and with copies that are slowed down: every sample of a copy is 5 or 10 % worse. The
threshold is half of what is put in. A comparison whose A/A verdict was "same" at that threshold is
one whose noise allows to find the change.
"""
import argparse
import collections
import csv
import io
import json
import os
import pathlib
import subprocess
import sys

PROGRAM = os.environ.get("COOPBENCH", "coopbench")
SCALED = ("median", "mean", "min", "max", "q1", "q3", "ci95_low", "ci95_high")
VERDICTS = ("regression", "improvement", "same", "inconclusive")


def measure(folder, count, arguments):
    for i in range(count):
        if (folder / f"r{i:03}" / "samples.csv").exists():
            continue
        command = [PROGRAM, *arguments, "-q", "-o", str(folder), "--run-id", f"r{i:03}"]
        code = subprocess.run(command, stdout=subprocess.DEVNULL).returncode
        if code:
            sys.exit(f"exit code {code}: {' '.join(command)}")


def slow_down(source, target, factor):
    """A copy of a run in which everything is worse by the factor."""
    run = json.loads((source / "run.json").read_text())
    worse = {}
    for case in run["cases"]:
        for m in case["metrics"]:
            f = {"lower": factor, "higher": 1 / factor}.get(m["better"], 1)
            worse[case["id"], m["name"]] = f
            for key in SCALED:
                if key in m:
                    m[key] *= f
    lines = list(csv.reader(io.StringIO((source / "samples.csv").read_text())))
    for line in lines[1:]:
        line[4] = repr(float(line[4]) * worse[line[0], line[2]])
    target.mkdir(exist_ok=True)
    (target / "run.json").write_text(json.dumps(run))
    with open(target / "samples.csv", "w", newline="") as out:
        csv.writer(out, lineterminator="\n").writerows(lines)


def compare(baselines, run, threshold):
    """The verdict of each (case, metric) with an interval, and the exit code."""
    command = [PROGRAM, "compare", "--json", "-", "--threshold", f"{threshold}%"]
    for baseline in baselines:
        command += ["--baseline", str(baseline)]
    done = subprocess.run([*command, str(run)], stdout=subprocess.PIPE)
    if done.returncode not in (0, 5):
        sys.exit(f"exit code {done.returncode}: {' '.join(command)} {run}")
    rows = json.loads(done.stdout)["comparisons"]
    return {(r["case"], r["metric"]): r["verdict"] for r in rows
            if "change_low" in r and r["baseline"]["median"]}, done.returncode


def show(what, verdicts, alarms=None, runs=None):
    n = max(1, sum(verdicts.values()))
    shares = " | ".join(f"{100 * verdicts[v] / n:.2f} %" for v in VERDICTS)
    runs = f"{alarms} of {runs}" if runs else ""
    print(f"| {what} | {sum(verdicts.values())} | {shares} | {runs} |")


def against_itself(runs, baselines, threshold):
    verdicts, alarms, n = collections.Counter(), 0, 0
    worst = collections.Counter()
    for i in range(baselines, len(runs)):
        found, code = compare(runs[i - baselines:i], runs[i], threshold)
        verdicts.update(found.values())
        worst.update(k for k, v in found.items() if v in ("regression", "improvement"))
        alarms += code == 5
        n += 1
    show(f"A/A, {baselines} baseline{'s' * (baselines > 1)}, threshold {threshold} %", verdicts, alarms, n)
    return worst, n


def injected(runs, percent, baselines, folder):
    allowed, others, alarms = collections.Counter(), collections.Counter(), 0
    for i in range(baselines, len(runs)):
        before = runs[i - baselines:i]
        slow_down(runs[i], folder / "slow", 1 + percent / 100)
        quiet, _ = compare(before, runs[i], percent / 2)
        found, code = compare(before, folder / "slow", percent / 2)
        for key, verdict in found.items():
            (allowed if quiet.get(key) == "same" else others)[verdict] += 1
        alarms += code == 5
    show(f"{percent} % slower, {baselines} baselines, noise allows", allowed, alarms, len(runs) - baselines)
    show(f"{percent} % slower, {baselines} baselines, others", others)


def main():
    split = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--pairs", type=int, default=100)
    given = parser.parse_args(sys.argv[1:split])
    measure(given.folder, given.pairs + 1, sys.argv[split + 1:])
    runs = [given.folder / f"r{i:03}" for i in range(given.pairs + 1)]
    print("| | comparisons | " + " | ".join(VERDICTS) + " | runs that fail |")
    print("|---|--:|" + "--:|" * len(VERDICTS) + "--:|")
    for threshold in (5, 2.5):
        worst, n = against_itself(runs, 1, threshold)
        if threshold == 5:
            first = worst
    for baselines in (3, 5, 10):
        against_itself(runs, baselines, 5)
    for percent in (5, 10):
        injected(runs, percent, 5, given.folder)
    print("\nMost false alarms of A/A at 5 %, by case and metric: ", end="")
    print("; ".join(f"{c} {m} {k} of {n}" for (c, m), k in first.most_common(5)) or "none")


main()
