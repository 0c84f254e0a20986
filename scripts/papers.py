#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the tables of docs/papers.md that hold the papers' numbers beside ours, from reference results.

    scripts/papers.py            writes them
    scripts/papers.py --check    exits with 1 if they are not up to date
    scripts/papers.py --root DIR of another checkout

A table stands between "<!-- KIND: DEVICE = FOLDER; ... -->" and "<!-- end -->"; a folder that is not there
yet leaves its cells empty. The rules are those of probes/apps/pairs.c, probes/multitask/over_pairs.c and
probes/preempt/table3.c.
"""
import argparse
import json
import math
import pathlib
import re
import statistics
import sys

MET = 0.95  # of the tasks in time: the deadline is met
BARRIER = "atomic"
GROUPS = ("1", "N/4", "N/2", "N-1")
WORKLOADS = {"light": (70, 3), "medium": (40, 3), "heavy": (40, 10)}  # period, duration in ms

# FSE'17 Tab. 2: mean and maximum, of all, barrier, work stealing
TAB2 = ("1.07", "1.23", "1.06", "1.20", "1.12", "1.23")
# FSE'17 Tab. 3
TAB3 = {"light": "1.04 (N/4)", "medium": "1.08 (N/4)", "heavy": "1.47 (N/2)"}
# FSE'17 Section 5.4; what stands only in the picture is left out: overhead, period
FIG6 = {("light", "N/4"): ("1.04", "70 ms"), ("medium", "N/4"): ("1.08", "40 ms"),
        ("heavy", "1"): ("", "939 ms"), ("heavy", "N/4"): ("", "104 ms"),
        ("heavy", "N/2"): ("1.47", "40 ms")}
# OOPSLA'16 Tab. 4, GTX 980 and Quadro K5200: speedup by the barrier, slowdown by portability
SPEEDUP = {("color", "grid"): ("1.07", "1.04"), ("color", "circuit"): ("1.02", "0.85"),
           ("mis", "grid"): ("1.05", "1.02"), ("mis", "circuit"): ("0.97", "0.93"),
           ("sssp_bellman", "road"): ("0.99", "0.92")}
PORTABILITY = {("bfs", "rmat"): ("1.29", "1.43"), ("sssp_worklist", "rmat"): ("1.10", "1.14")}


def rows(run, bench):
    """Cases of a bench that are ok."""
    return [c for c in run["cases"] if c["bench"] == bench and c["status"] == "ok"] if run else []


def metric(case, name, statistic="median"):
    found = [m for m in case["metrics"] if m["name"] == name]
    return found[0].get(statistic) if found else None


def number(value, digits=3):
    return "" if value is None else f"{value:.{digits}f}"


def duration(ns):
    if ns is None:
        return ""
    for limit, factor, unit in ((1e6, 1e3, "µs"), (1e9, 1e6, "ms"), (math.inf, 1e9, "s")):
        if ns < limit:
            return f"{float(f'{ns / factor:.3g}'):g} {unit}"


def table(heads, lines):
    rule = ["---"] + ["---:"] * (len(heads) - 1)
    return "".join("| " + " | ".join(line) + " |\n" for line in [heads, rule] + lines)


# ---- apps ------------------------------------------------------------------------------------------


def pairs(run):
    """{(app, input): {mode: case}} of the measured cases."""
    found = {}
    for c in rows(run, "apps"):
        p = c["params"]
        if "sizes" not in p and not p.get("verify"):
            found.setdefault((p["app"], p["input_name"]), {})[p["mode"]] = c
    return found


def ratio(modes, over, under, name="run_time"):
    times = [metric(modes[m], name) if m in modes else None for m in (over, under)]
    return times[0] / times[1] if all(times) else None


def steals(modes):
    return any(c["params"]["barrier"] == "none" for c in modes.values())


def mean_and_max(values):
    values = [v for v in values if v]
    return [number(statistics.geometric_mean(values)), number(max(values))] if values else ["", ""]


def tab2(devices):
    lines = [["FSE'17: Iris 6100", "original", *TAB2]]
    for name, run in devices:
        for base in ("specialised", "portable"):
            cells, all_pairs = [], pairs(run).values()
            for wanted in (None, False, True):
                cells += mean_and_max([ratio(m, "cooperative", base) for m in all_pairs
                                       if wanted is None or steals(m) == wanted])
            lines.append([name, base, *cells])
    return table(["device", "slowdown over", "all: mean", "max", "barriers: mean", "max",
                  "work stealing: mean", "max"], lines)


def tab4(devices, over, under, name, paper):
    lines = []
    measured = [(device, pairs(run)) for device, run in devices]
    for pair in sorted(set(paper).union(*(m for _, m in measured))):
        values = [ratio(m.get(pair, {}), over, under, name)
                  if name == "run_time" or not steals(m.get(pair, {})) else None for _, m in measured]
        lines.append([f"{pair[0]} [{pair[1]}]", *paper.get(pair, ("", "")),
                      *(number(v, 2) for v in values)])
    return table(["app [input]", "GTX 980", "K5200", *(d for d, _ in devices)], lines)


def speedup(devices):
    return tab4(devices, "multikernel", "portable", "host_time", SPEEDUP)


def portability(devices):
    return tab4(devices, "portable", "specialised", "run_time", PORTABILITY)


# ---- multitask -------------------------------------------------------------------------------------


def over_pairs(run, workload, groups):
    """Medians over the pairs with our barrier (and those without any that resizes)."""
    cases = [c for c in rows(run, "multitask") if c["params"].get("workload") == workload
             and c["params"]["groups"] == groups and "input_name" in c["params"]
             and c["params"]["barrier"] in (BARRIER, "none")]
    wanted = {"overhead": ("overhead", "median"), "period": ("period", "median"),
              "in_time": ("deadlines_met", "mean"), "p50": ("gather_time", "median"),
              "p99": ("gather_time", "p99")}
    result = {"pairs": len(cases)}
    for key, (name, statistic) in wanted.items():
        values = [v for v in (metric(c, name, statistic) for c in cases) if v is not None]
        result[key] = statistics.median(values) if values else None
        result["most_" + key] = max(values) if values else None
    return result


def tab3(devices):
    lines = []
    for workload, (period, length) in WORKLOADS.items():
        line = [workload, number(period / (period - length)), TAB3[workload]]
        for _, run in devices:
            met = [(g, over_pairs(run, workload, g)) for g in GROUPS]
            met = [(g, r) for g, r in met if (r["in_time"] or 0) >= MET]
            line.append(f"{number(met[0][1]['overhead'])} ({met[0][0]})" if met else "")
        lines.append(line)
    return table(["workload", "kernel-level P/(P-D)", "FSE'17, cooperative", *(d for d, _ in devices)],
                 lines)


def fig6(devices):
    heads = ["workload, task's workgroups", "FSE'17: overhead", "period"]
    for name, _ in devices:
        heads += [f"{name}: pairs", "overhead", "worst", "in time", "period", "gather p50", "p99",
                  "worst p99"]
    lines = []
    for workload in WORKLOADS:
        for groups in GROUPS:
            line = [f"{workload}, {groups}", *FIG6.get((workload, groups), ("", ""))]
            for _, run in devices:
                r = over_pairs(run, workload, groups)
                share = "" if r["in_time"] is None else f"{100 * r['in_time']:.0f} %"
                line += [str(r["pairs"] or ""), number(r["overhead"]), number(r["most_overhead"]), share,
                         duration(r["period"]), duration(r["p50"]), duration(r["p99"]),
                         duration(r["most_p99"])]
            lines.append(line)
    return table(heads, lines)


# ---- preempt ---------------------------------------------------------------------------------------


def in_time(case):
    return metric(case, "deadlines_met", "mean") or 0


def choose(cases, first):
    """The least by a metric of those that are in time; if none is, the one that comes nearest."""
    def order(case):
        met = in_time(case) >= MET
        return (not met, 0 if met else -in_time(case), metric(case, first), metric(case, "overhead"))
    return min(cases, key=order, default=None)


def sides(run, workload):
    """What stands beside the model, for each app: preempted, cooperative with the fewest workgroups, and
    with the soonest answer."""
    apps, found = {}, ([], [], [])
    for bench in ("preempt", "multitask"):
        for c in rows(run, bench):
            p = c["params"]
            if p.get("workload") == workload and p.get("place") != "queue":
                apps.setdefault((p["app"], p.get("input")), {}).setdefault(bench, []).append(c)
    for cases in apps.values():
        if "preempt" in cases:
            for side, bench, first in ((0, "preempt", "overhead"), (1, "multitask", "task_groups"),
                                       (2, "multitask", "answer_time")):
                if bench in cases:
                    found[side].append(choose(cases[bench], first))
    return found


def side_cells(cases):
    """Medians over the apps, and the numbers of workgroups of their tasks."""
    if not cases:
        return ["", ""]
    groups = sorted({c["params"]["groups"] for c in cases})
    late = "*" if any(in_time(c) < MET for c in cases) else ""
    overhead = statistics.median(metric(c, "overhead") for c in cases)
    answer = statistics.median(metric(c, "answer_time") for c in cases)
    return [f"{number(overhead)}{late} ({', '.join(groups)})", duration(answer)]


def tab3_measured(devices):
    heads = ["workload", "kernel-level P/(P-D)", "FSE'17, cooperative"]
    for name, _ in devices:
        heads += [f"{name}: preempted", "answer", "cooperative", "answer", "soonest", "answer"]
    lines = []
    for workload, (period, length) in WORKLOADS.items():
        line = [workload, number(period / (period - length)), TAB3[workload]]
        for _, run in devices:
            for cases in sides(run, workload):
                line += side_cells(cases)
        lines.append(line)
    return table(heads, lines)


KINDS = {f.__name__: f for f in (tab2, tab3, tab3_measured, fig6, speedup, portability)}


def load(folder):
    path = folder / "run.json"
    return json.loads(path.read_text()) if path.exists() else None


def fill(match, root):
    kind, spec = match.group(1), match.group(2)
    if kind not in KINDS:
        sys.exit(f"docs/papers.md: there is no table {kind}, only {', '.join(KINDS)}")
    devices = [part.split(" = ") for part in spec.split("; ")]
    filled = KINDS[kind]([(name, load(root / folder)) for name, folder in devices])
    return f"<!-- {kind}: {spec} -->\n\n{filled}\n<!-- end -->\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing, compare")
    parser.add_argument("--root", type=pathlib.Path,
                        default=pathlib.Path(__file__).resolve().parent.parent)
    options = parser.parse_args()
    page = options.root / "docs" / "papers.md"
    before = page.read_text()
    after = re.sub(r"<!-- (\w+): ([^>]*?) -->\n.*?<!-- end -->\n", lambda m: fill(m, options.root), before,
                   flags=re.S)
    if options.check and after != before:
        sys.exit("docs/papers.md is not up to date: run scripts/papers.py")
    if not options.check:
        page.write_text(after)


if __name__ == "__main__":
    main()
