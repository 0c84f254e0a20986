# SPDX-License-Identifier: Apache-2.0
"""Tables of coopbench multitask. The rules are those of probes/multitask/over_pairs.c."""
import statistics

from tables.common import (BARRIER, EVERY, GROUPS, MET, OURS, TAB3, WORKLOADS, duration, in_time, joined, metric,
                           number, percent, rows, table)

FEW = 0.9  # of the workgroups sent for: a gather time says less
SAME = " = "  # between numbers of workgroups
# FSE'17 Section 5.4; what stands only in the picture is left out: overhead, period
FIG6 = {("light", "N/4"): ("1.04", "70 ms"), ("medium", "N/4"): ("1.08", "40 ms"),
        ("heavy", "1"): ("", "939 ms"), ("heavy", "N/4"): ("", "104 ms"),
        ("heavy", "N/2"): ("1.47", "40 ms")}


def of_pairs(run, workload, groups, barrier=BARRIER, variant=OURS):
    """Cases of all pairs with a barrier (and of those without any that resizes), and one of these numbers of
    workgroups, with the apps of a variant."""
    return [c for c in rows(run, "multitask", variant) if c["params"].get("workload") == workload
            and c["params"].get("groups") in groups.split(SAME) and "input_name" in c["params"]
            and c["params"]["barrier"] in (barrier, "none")]


def sizes(*found):
    """Numbers of workgroups that a task has; "1 = N/4" where both are one workgroup in all of these runs."""
    def one(run):
        groups = {metric(c, "task_groups") for c in rows(run, "multitask", EVERY) if c["params"].get("groups") == "N/4"}
        return groups == {1}

    known = [run for run in found if run]
    return (SAME.join(GROUPS[:2]), *GROUPS[2:]) if known and all(map(one, known)) else GROUPS


def size_label(run, groups):
    """A number of workgroups as the tables of this run call it."""
    return next((size for size in sizes(run) if groups in size.split(SAME)), groups)


def median(values):
    values = [v for v in values if v is not None]
    return statistics.median(values) if values else None


def busy(case):
    """Share of the time in which a task runs."""
    time, period = metric(case, "exec_time"), metric(case, "period")
    return None if None in (time, period) else time / period


def if_scaled(case):
    """Overhead of an app that is slower by the share of the workgroups that a task has, while it has them."""
    groups, workers, share = metric(case, "task_groups"), metric(case, "workers"), busy(case)
    return None if None in (groups, workers, share) else 1 / (1 - groups / workers * share)


def kept_speed(case):
    """Speed of the app while a task runs, of that without tasks, if it loses time only then."""
    overhead, share = metric(case, "overhead"), busy(case)
    return None if None in (overhead, share) else 1 - (1 - 1 / overhead) / share


def gathered(case):
    """Share of the workgroups sent for, over all tasks, that the app had to give; the rest it was still without, since it had
    not forked since the task before."""
    killed, times = metric(case, "kills", "mean"), metric(case, "kills", "n")
    groups, tasks = metric(case, "task_groups"), metric(case, "gather_time", "n")
    return killed * times / (groups * tasks) if None not in (killed, times, groups, tasks) and groups * tasks else None


def gather_cell(time, share):
    """A gather time, and that share where most of the workgroups did not have to be gathered in some tasks."""
    return duration(time) + (f" ({percent(share)})" if time is not None and share is not None and share < FEW else "")


def over_pairs(run, workload, groups, barrier=BARRIER, variant=OURS):
    """Medians over the pairs."""
    return over(of_pairs(run, workload, groups, barrier, variant))


def over(cases):
    """Medians over cases, and the most of each metric."""
    wanted = {"overhead": ("overhead", "median"), "period": ("period", "median"),
              "in_time": ("deadlines_met", "mean"), "p50": ("gather_time", "median"),
              "p99": ("gather_time", "p99")}
    pairs = {(c["params"]["app"], c["params"]["input_name"]) for c in cases}
    result = {"pairs": len(pairs), "if_scaled": median(if_scaled(c) for c in cases),
              "gathered": median(gathered(c) for c in cases)}
    for key, (name, statistic) in wanted.items():
        values = [v for v in (metric(c, name, statistic) for c in cases) if v is not None]
        result[key] = median(values)
        result["most_" + key] = max(values) if values else None
    return result


def fewest(run, workload, barrier=BARRIER, variant=OURS):
    """Overhead with the fewest workgroups that are in time."""
    for groups in sizes(run):
        r = over_pairs(run, workload, groups, barrier, variant)
        if (r["in_time"] or 0) >= MET:
            return f"{number(r['overhead'])} ({groups})"
    return ""


def tab3(devices):
    lines = [[workload, number(period / (period - length)), TAB3[workload],
              *(fewest(run, workload) for _, run in devices)]
             for workload, (period, length) in WORKLOADS.items()]
    return table(["workload", "kernel-level P/(P-D)", "FSE'17, cooperative", *(d for d, _ in devices)],
                 lines)


def of_paper(workload, groups):
    """Overhead and period in the paper; it has no two numbers of workgroups that are the same."""
    return FIG6.get((workload, groups), ("", "")) if SAME not in groups else ("", "")


def fig6(devices):
    heads = ["workload, task's workgroups", "FSE'17: overhead", "period"]
    for name, _ in devices:
        heads += [f"{name}: pairs", "overhead", "worst", "in time", "period", "gather p50", "p99",
                  "worst p99"]
    lines = []
    for workload in WORKLOADS:
        for groups in sizes(*(run for _, run in devices)):
            line = [f"{workload}, {groups}", *of_paper(workload, groups)]
            for _, run in devices:
                r = over_pairs(run, workload, groups)
                line += [str(r["pairs"] or ""), number(r["overhead"]), number(r["most_overhead"]),
                         percent(r["in_time"]), duration(r["period"]), gather_cell(r["p50"], r["gathered"]),
                         duration(r["p99"]), duration(r["most_p99"])]
            lines.append(line)
    return table(heads, lines)


# ---- each pair -------------------------------------------------------------------------------------


def name_of(case):
    return f"{case['params']['app']} {case['params']['input']}"


def by_pair(run, workload):
    """{name: {groups: case}}"""
    found = {}
    for groups in GROUPS:
        for case in of_pairs(run, workload, groups):
            found.setdefault(name_of(case), {})[groups] = case
    return found


def heavy(devices):
    """Each pair beside the workload heavy."""
    heads, lines = ["app, input"], []
    for groups in GROUPS[1:]:
        heads += [f"{groups}: task p50", "in time", "overhead"]
    for name, cases in sorted((p for _, run in devices for p in by_pair(run, "heavy").items())):
        line = [name]
        for case in (cases.get(groups) for groups in GROUPS[1:]):
            line += ["", "", ""] if case is None else [
                duration(metric(case, "exec_time")), percent(in_time(case)), number(metric(case, "overhead"))]
        lines.append(line)
    return table(heads, lines)


def spread(values):
    """The least and the most of times."""
    values = [v for v in values if v is not None]
    return joined(duration(min(values)), duration(max(values))) if values else ""


def gather(devices):
    """99th percentile of the gather time: each pair, from workload to workload."""
    lines = []
    for _, run in devices:
        pairs = [by_pair(run, workload) for workload in WORKLOADS]
        for name in sorted(set().union(*pairs)):
            lines.append([name] + [
                spread(metric(p[name][groups], "gather_time", "p99") for p in pairs if groups in p.get(name, {}))
                for groups in GROUPS])
        lines.append(["median over the pairs"] + [
            spread(over_pairs(run, workload, groups)["p99"] for workload in WORKLOADS)
            for groups in GROUPS])
    return table(["app, input"] + [f"gather p99: {groups}" for groups in GROUPS], lines)


def limited_speeds(devices):
    """{name: {groups a task would have: speed of the app, of that with all}}, of runs of throttle: no task at all."""
    left, speeds = {"3N/4": "N/4", "N/2": "N/2"}, {}
    for _, run in devices:
        steps = rows(run, "throttle")
        most = {name_of(c): metric(c, "progress") for c in steps if c["params"].get("step") == 1}
        for c in steps:
            groups = left.get(c["params"].get("groups"))
            if groups:
                speeds.setdefault(name_of(c), {})[groups] = metric(c, "progress") / most[name_of(c)]
    return speeds


def limited_on(devices):
    """The names of the runs of throttle."""
    return ", ".join(dict.fromkeys(name for name, run in devices if rows(run, "throttle")))


def at_least(case, limited):
    """Overhead of a task that costs the app nothing but its workgroups: while it runs, the app is as fast as it is
    on the others without any task."""
    speed, share = limited.get(name_of(case), {}).get(case["params"]["groups"]), busy(case)
    return None if None in (speed, share) else 1 / (1 - (1 - speed) * share)


def price(devices):
    """What tasks cost, beside what they would if each app lost speed as it loses workgroups, and beside what they
    would if they cost nothing but workgroups."""
    limited, by = limited_speeds(devices), limited_on(devices)
    devices = [(name, run) for name, run in devices if rows(run, "multitask")]
    heads, lines = ["workload", "P/(P-D)"], []
    for name, _ in devices:
        for groups in GROUPS[1:]:
            heads += [f"{name}, {groups}: in time", "overhead", "if all scaled"]
            heads += [f"if limited alone ({by})"] if groups in GROUPS[1:3] else []
    for workload, (period, length) in WORKLOADS.items():
        line = [workload, number(period / (period - length))]
        for _, run in devices:
            for groups in GROUPS[1:]:
                r = over_pairs(run, workload, groups)
                line += [percent(r["in_time"]), number(r["overhead"]), number(r["if_scaled"])]
                if groups in GROUPS[1:3]:
                    line.append(number(median(at_least(c, limited) for c in of_pairs(run, workload, groups))))
        lines.append(line)
    return table(heads, lines)


def kept(devices):
    """What is left of each app's speed while a task runs, by workload: the same, if nothing else costs. And what is
    left of it with as few workgroups and no task."""
    limited = limited_speeds(devices)
    alone = f"no task ({limited_on(devices)})"
    columns = [(groups, what) for groups in GROUPS[1:3] for what in (*WORKLOADS, alone)]
    measured = ", ".join(name for name, run in devices if rows(run, "multitask"))
    speeds = {name: {(groups, alone): speed for groups, speed in of.items()} for name, of in limited.items()}
    for _, run in devices:
        for groups, workload in columns:
            for case in of_pairs(run, workload, groups):
                speeds.setdefault(name_of(case), {})[groups, workload] = kept_speed(case)
    lines = [[name, *(number(of.get(column)) for column in columns)] for name, of in sorted(speeds.items())]
    lines.append(["median over the pairs",
                  *(number(median(of.get(column) for of in speeds.values())) for column in columns)])
    return table([f"app, input ({measured})"] + [f"{groups}: {what}" for groups, what in columns], lines)


def without_tasks(devices):
    """FSE'17 Tab. 2, pair by pair, with as many workgroups in each mode."""
    lines = []
    for name, run in devices:
        of_run = []
        for c in rows(run, "multitask"):
            p = c["params"]
            if metric(c, "overhead_specialised") is None or (
                    "input_name" in p and p["barrier"] not in (BARRIER, "none")):
                continue
            of_run.append([name_of(c), name, p["barrier"], f"{metric(c, 'workers'):.0f}",
                           *(duration(metric(c, n)) for n in
                             ("app_time_alone", "specialised_time", "portable_time")),
                           number(metric(c, "overhead_specialised")), number(metric(c, "overhead_portable"))])
        lines += sorted(of_run, key=lambda line: line[0])
    return table(["kernel", "device", "barrier", "workgroups", "cooperative", "specialised", "portable",
                  "coop. : spec.", "coop. : port."], lines)
