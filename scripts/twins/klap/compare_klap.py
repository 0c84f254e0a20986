#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sets the CUDA twins beside a run of `coopbench launch`: Markdown tables on stdout.

    compare_klap.py TWIN.csv... RUN [--device TEXT]
    compare_klap.py --self-test
"""
import argparse
import math
import pathlib
import sys

sys.dont_write_bytecode = True  # this is the source tree
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import runs  # noqa: E402
from compare import pick_device  # noqa: E402

SIZES = ("small", "medium", "large")
KINDS = ("aggregation", "promotion")
# Without launches.
PLAIN = ("none", "serial", "flat", "loop")
# The same granularity: name, the twin's launchers, ours.
AGGREGATION = (
    ("plain", ("cdp", "cdp-null", "cdp-thread", "cdp-stream"), ("thread",)),
    ("warp", ("agg-warp",), ("warp",)),
    ("block", ("agg-block",), ("block",)),
    ("grid", ("agg-grid", "agg-last"), ("grid",)),
    ("none: flat", ("flat",), ("flat",)),
)
PROMOTION = (
    ("plain", ("tail",), ("tail",)),
    ("promoted", ("P",), ("P",)),
    ("overlap", ("PO",), ("PO",)),
    ("host", ("host", "graph"), ("host",)),
    ("PA", ("PA",), ("PA",)),
    ("PAO", ("PAO",), ("PAO",)),
    ("none: loop", ("loop",), ("loop",)),
)


class Times:
    """{(program, size): {launcher: (name, µs)}}, the best of several that only differ in descendants. With a threshold
    or coarsening a launcher is one of its own, which the paper does not have."""

    def __init__(self):
        self.cases = {}

    def add(self, case, launcher, name, ns):
        row = self.cases.setdefault(case, {})
        if launcher not in row or ns / 1e3 < row[launcher][1]:
            row[launcher] = (name, ns / 1e3)

    def best(self, case, launchers):
        """(name, µs), or None."""
        row = self.cases.get(case, {})
        return min((row[l] for l in launchers if l in row), key=lambda r: r[1], default=None)

    def best_launching(self, case):
        return self.best(case, [l for l in self.cases.get(case, {}) if l not in PLAIN])


def read_twin(files, times):
    """Rows that are right, and whose launches all took place."""
    for lines in files:
        for row in runs.csv_rows(lines):
            if row["verified"] == "yes" and not row["reason"] and row["median_ns"]:
                name = row["launcher"] + (f" t{row['threshold']}" if int(row["threshold"]) > 1 else "")
                times.add((row["program"], row["size"]), name, name, float(row["median_ns"]))
            else:
                print(f"compare_klap.py: left out: {row['program']}/{row['launcher']}/{row['size']}:"
                      f" {row['reason'] or 'no time'}", file=sys.stderr)
    return times


def read_ours(document, device, times):
    """Also returns the kind of each program."""
    kinds = {}
    for case in document["cases"]:
        params = case.get("params", {})
        median = {m["name"]: m.get("median") for m in case.get("metrics") or []}.get("run_time")
        parts = case["id"].split("/")
        if case.get("device") != device or parts[0] != "launch" or case.get("status") != "ok" or not median:
            continue
        if params["kind"] not in KINDS:
            continue  # of where the time goes, and of occupancy: not the time of a whole run
        kinds[params["program"]] = params["kind"]
        is_tuned = max(params.get("threshold") or 1, params.get("coarsening") or 1) > 1
        times.add((params["program"], params["size"]), parts[2] if is_tuned else params["launcher"], parts[2], median)
    return kinds


def show(value):
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def table(head, rows, texts):
    align = ["---"] * texts + ["---:"] * (len(head) - texts)
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [head, align] + rows) + "\n"


def cells_of(best):
    return [best[0], show(best[1])] if best else ["", ""]


def ratio(over, under):
    return f"{over[1] / under[1]:.2f}" if over and under else ""


def programs_table(twin, ours, cases, groups, title):
    """A row for each program and size."""
    plain, none = groups[0], groups[-1]
    head = ["program", "size", "best twin", "µs", f"{plain[0]} twin", "µs", "best of ours", "µs",
            f"ours {none[1][0]}, µs", f"twin {none[1][0]}, µs", "plain twin / ours", "best twin / ours"]
    rows = []
    for case in cases:
        best, cdp, mine = twin.best_launching(case), twin.best(case, plain[1]), ours.best_launching(case)
        flats = [times.best(case, none[i + 1]) for i, times in enumerate((twin, ours))]
        rows.append([*case, *cells_of(best), *cells_of(cdp), *cells_of(mine),
                     *(show(f[1]) if f else "" for f in reversed(flats)), ratio(cdp, mine), ratio(best, mine)])
    return f"### {title}\n\n" + table(head, rows, 2)


def mean(pairs):
    """The geometric mean of over / under, and of how many."""
    logs = [math.log(over[1] / under[1]) for over, under in pairs if over and under]
    return f"{math.exp(sum(logs) / len(logs)):.2f} ({len(logs)})" if logs else ""


def means_table(twin, ours, cases, groups, title):
    """A row for each granularity and size."""
    plain = groups[0][1]
    head = ["granularity", "size", "plain twin / twin", "plain twin / ours", "twin / ours"]
    rows = []
    for name, theirs, mine in groups:
        for size in SIZES:
            here = [c for c in cases if c[1] == size]
            cdp = [twin.best(c, plain) for c in here]
            them = [twin.best(c, theirs) for c in here]
            us = [ours.best(c, mine) for c in here]
            row = [mean(zip(cdp, them)), mean(zip(cdp, us)), mean(zip(them, us))]
            if any(row):
                rows.append([name, size] + row)
    return f"### {title}: geometric means of times (programs)\n\n" + table(head, rows, 2)


def compare(twin, ours, kinds):
    for kind, groups in zip(KINDS, (AGGREGATION, PROMOTION)):
        cases = [c for c in twin.cases if c in ours.cases and kinds[c[0]] == kind]
        if cases:
            yield programs_table(twin, ours, cases, groups, f"{kind.capitalize()}: each program")
            yield means_table(twin, ours, cases, groups, kind.capitalize())


def self_test():
    def case(kind, program, launcher, ns, name=None):
        return {"id": f"launch/{program}/{name or launcher}/large", "device": "d", "status": "ok",
                "params": {"kind": kind, "program": program, "size": "large", "launcher": launcher},
                "metrics": [{"name": "run_time", "median": ns}]}

    document = {"cases": [
        case("aggregation", "bfs", "flat", 2e5), case("aggregation", "bfs", "grid", 4e5),
        case("aggregation", "bfs", "warp", 1e6), case("promotion", "sc", "PAO", 3e6, "PAO-128"),
        case("promotion", "sc", "PAO", 2e6, "PAO-all"), case("promotion", "sc", "loop", 9e6),
        case("children", "bfs", "grid", 1.0), case("steps", "sc", "PAO", 1.0)]}
    twin = read_twin(["""program,launcher,size,threshold,launches,n,median_ns,min_ns,max_ns,verified,reason,device
bfs,flat,large,1,0,11,100000,1,1,yes,,X
bfs,cdp,large,1,9,11,8000000,1,1,yes,,X
bfs,cdp-null,large,1,9,11,9000000,1,1,yes,,X
bfs,agg-warp,large,1,9,11,4000000,1,1,yes,,X
bfs,agg-warp,large,32,9,11,2000000,1,1,yes,,X
bfs,agg-block,large,1,9,11,1,1,1,no,word 1 is 2 instead of 3,X
bfs,agg-grid,large,1,9,0,,,,yes,,X
program,launcher,size,threshold,launches,n,median_ns,min_ns,max_ns,verified,reason,device
sc,tail,large,1,9,11,20000000,1,1,yes,,X
sc,PAO,large,1,9,11,4000000,1,1,yes,,X""".splitlines()], Times())
    ours = Times()
    text = "\n".join(compare(twin, ours, read_ours(document, "d", ours)))
    assert ("| bfs | large | agg-warp t32 | 2000 | cdp | 8000 | grid | 400 | 200 | 100 | 20.00 | 5.00 |"
            in text), text
    assert "| warp | large | 2.00 (1) | 8.00 (1) | 4.00 (1) |" in text, text
    assert "| grid | large |  | 20.00 (1) |  |" in text, text
    assert "| block |" not in text, text
    assert "| sc | large | PAO | 4000 | tail | 20000 | PAO-all | 2000 | 9000 |  | 10.00 | 2.00 |" in text, text
    assert "| PAO | large | 5.00 (1) | 10.00 (1) | 2.00 (1) |" in text, text
    print("ok")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("files", nargs="*", metavar="TWIN.csv... RUN",
                        help="what the twins printed, then the folder or run.json of `coopbench launch`")
    parser.add_argument("--device", metavar="TEXT", help="part of the device's name or id")
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    if options.self_test:
        return self_test()
    if len(options.files) < 2:
        parser.error("a CSV and a run are needed")
    document = runs.document(options.files[-1])
    if document is None:
        sys.exit(f"compare_klap.py: there is no run {options.files[-1]}")
    twin, ours = Times(), Times()
    for name in options.files[:-1]:
        with open(name, newline="", encoding="utf-8") as file:
            read_twin([file], twin)
    tables = list(compare(twin, ours, read_ours(document, pick_device(document, options.device), ours)))
    if not tables:
        sys.exit("compare_klap.py: the two have no case in common")
    print("\n".join(tables), end="")


if __name__ == "__main__":
    main()
