# SPDX-License-Identifier: Apache-2.0
"""FSE'17 Tab. 3 with both sides measured. The rules are those of probes/preempt/table3.c, for one barrier."""
import statistics

from tables.barriers import AUTHORS, BARRIERS
from tables.common import BARRIER, MET, OURS, TAB3, WORKLOADS, duration, in_time, metric, number, rows, table
from tables.multitask import size_label


def choose(cases, first):
    """The least by a metric of those that are in time; if none is, the one that comes nearest."""
    def order(case):
        met = in_time(case) >= MET
        return (not met, 0 if met else -in_time(case), metric(case, first), metric(case, "overhead"))
    return min(cases, key=order, default=None)


def sides(run, workload, barrier=BARRIER, variant=OURS):
    """What stands beside the model, for each app: preempted, cooperative with the fewest workgroups, and
    with the soonest answer."""
    apps, found = {}, ([], [], [])
    for bench in ("preempt", "multitask"):
        for c in rows(run, bench, variant):
            p = c["params"]
            other = bench == "multitask" and p["barrier"] not in (barrier, "none")
            if p.get("workload") == workload and p.get("place") != "queue" and not other:
                apps.setdefault((p["app"], p.get("input")), {}).setdefault(bench, []).append(c)
    for cases in apps.values():
        if "preempt" in cases:
            for side, bench, first in ((0, "preempt", "overhead"), (1, "multitask", "task_groups"),
                                       (2, "multitask", "answer_time")):
                if bench in cases:
                    found[side].append(choose(cases[bench], first))
    return found


def side_cells(cases, run):
    """Medians over the apps, and the numbers of workgroups of their tasks."""
    if not cases:
        return ["", ""]
    groups = sorted({size_label(run, c["params"]["groups"]) for c in cases})
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
                line += side_cells(cases, run)
        lines.append(line)
    return table(heads, lines)


def tab3_measured_barriers(devices):
    """The same of the paper's barriers and ours, with the fewest workgroups."""
    heads, lines = ["workload"], [[workload] for workload in WORKLOADS]
    for name, run in devices:
        heads += [f"{name}: preempted", "answer"]
        for line in lines:
            line += side_cells(sides(run, line[0])[0], run) if run else [""] * 2
        for barrier in BARRIERS:
            heads += [f"`{barrier}`", "answer"]
            for line in lines:
                line += side_cells(sides(run, line[0], barrier)[1], run) if run else [""] * 2
    return table(heads, lines)


def tab3_authors(devices):
    """The same of the authors' apps, with the paper's barriers: the fewest workgroups, as there."""
    heads, lines = ["workload", "FSE'17, cooperative"], [[w, TAB3[w]] for w in WORKLOADS]
    for name, run in devices:
        heads += [f"{name}: apps", "preempted", "answer"]
        for line in lines:
            cases = sides(run, line[0], AUTHORS[0], "paper")[0]
            line += [str(len(cases) or ""), *side_cells(cases, run)]
        for barrier in AUTHORS:
            heads += [f"`{barrier}`", "answer"]
            for line in lines:
                line += side_cells(sides(run, line[0], barrier, "paper")[1], run)
    return table(heads, lines)
