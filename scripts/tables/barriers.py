# SPDX-License-Identifier: Apache-2.0
"""FSE'17's tables with the paper's resizing barriers beside ours, of one run of multitask."""
import statistics

from tables.apps import TAB2
from tables.common import GROUPS, OURS, TAB3, WORKLOADS, duration, metric, number, percent, rows, table
from tables.multitask import FIG6, busy, fewest, gather_cell, gathered, kept_speed, median, of_pairs, over, over_pairs

BARRIERS = ("regular", "query", "atomic")  # the paper's two (Section 4.2), ours
AUTHORS = ("regular", "master")  # those that the authors' apps have run with
# Fig. 5: the paper's pair, ours and the inputs that stand for its own
FIG5 = (("octree", "octree", ("hundreds", "clustered")), ("bfs usa", "bfs", ("road",)),
        ("color G3_circuit", "color", ("circuit",)))

SECTION42 = (("regular", "first form, as printed"), ("master", "second form, as printed"),
             ("query", "second form, without a master"), ("model", "Section 3.1's model"),
             ("literal", "the draft's, and one more barrier"), ("atomic", "ours"))
# What they were in runs without `model`, before they were as printed
BEFORE = {"regular": "first form, without a master, offers together", "master": "second form, offers together",
          "literal": "the draft's, and one more barrier, offers together"}


def slowdowns(run, barrier, name, variant=OURS, kinds=(("barrier", "none"), ("barrier",))):
    """Geometric mean and maximum over the pairs, of all and of those with barriers; or of these kinds."""
    cells = []
    for kind in kinds:
        wanted = [barrier if k == "barrier" else k for k in kind]
        values = [metric(c, name) for c in rows(run, "multitask", variant)
                  if "input_name" in c["params"] and c["params"]["barrier"] in wanted]
        values = [v for v in values if v is not None]
        cells += [number(statistics.geometric_mean(values)), number(max(values))] if values else ["", ""]
    return cells


def tab2_barriers(devices):
    """Tab. 2: with as many workgroups of the same size in each mode."""
    lines = [[barrier, base, *slowdowns(run, barrier, f"overhead_{base}")]
             for _, run in devices for barrier in BARRIERS for base in ("specialised", "portable")]
    return table(["barrier", "slowdown over", "all: mean", "max", "barriers: mean", "max"], lines)


def fig6_barriers(devices):
    """Figs. 5 and 6: medians over the pairs, and the worst gather time of them."""
    heads = ["workload, task's workgroups"]
    for barrier in BARRIERS:
        heads += [f"{barrier}: overhead", "in time", "gather p50", "p99", "worst p99"]
    lines = []
    for _, run in devices:
        for workload, groups in ((w, g) for w in WORKLOADS for g in GROUPS):
            line = [f"{workload}, {groups}"]
            for barrier in BARRIERS:
                r = over_pairs(run, workload, groups, barrier)
                line += [number(r["overhead"]), percent(r["in_time"]), gather_cell(r["p50"], r["gathered"]),
                         *(duration(r[key]) for key in ("p99", "most_p99"))]
            lines.append(line)
    return table(heads, lines)


def tab3_barriers(devices):
    """Tab. 3: the overhead with the fewest workgroups that are in time, of the paper's systems and of ours."""
    lines = [[workload, number(period / (period - length)), TAB3[workload],
              *(fewest(run, workload, barrier, "paper") for _, run in devices for barrier in AUTHORS),
              *(fewest(run, workload, barrier) for _, run in devices for barrier in BARRIERS)]
             for workload, (period, length) in WORKLOADS.items()]
    return table(["workload", "kernel-level P/(P-D)", "FSE'17, cooperative",
                  *(f"the authors' apps, {barrier}" for barrier in AUTHORS), *BARRIERS], lines)


def in_all(run, barrier):
    """Median over the pairs of the time beside heavy tasks with N/2, over that of the specialised app without any."""
    alone = {(c["params"]["app"], c["params"]["input_name"]): metric(c, "overhead_specialised") for c in rows(run, "multitask")
             if "input_name" in c["params"] and c["params"]["barrier"] in (barrier, "none")
             and metric(c, "overhead_specialised") is not None}
    beside = {(c["params"]["app"], c["params"]["input_name"]): metric(c, "overhead")
              for c in of_pairs(run, "heavy", "N/2", barrier)}
    return median(alone[pair] * beside[pair] for pair in beside if pair in alone and beside[pair] is not None)


def resizing_barriers(devices):
    """Section 4.2: all implementations, without tasks (Tab. 2), beside heavy ones with N/2 (Figs. 5 and 6), and both."""
    lines = []
    for device, run in devices:
        is_printed = any(c["params"]["barrier"] == "model" for c in rows(run, "multitask"))
        for barrier, form in SECTION42:
            if not is_printed and barrier == "model":
                continue
            form = form if is_printed else BEFORE.get(barrier, form)
            mean, most = slowdowns(run, barrier, "overhead_specialised")[:2]
            r = over_pairs(run, "heavy", "N/2", barrier)
            lines.append([device, f"`{barrier}`", form, mean, most, number(r["overhead"]), number(in_all(run, barrier)),
                          *(duration(r[key]) for key in ("p50", "p99", "most_p99"))])
    return table(["device", "barrier", "FSE'17 Section 4.2", "slowdown: mean", "max", "beside heavy", "both", "gather p50", "p99",
                  "worst p99"], lines)


# What FSE'17 had: the authors' apps, and the two forms of the barrier as printed
SYSTEMS = (("the authors' apps, `regular`", "regular", "paper"), ("the authors' apps, `master`", "master", "paper"),
           ("our apps, `atomic`", "atomic", OURS))


def tab2_systems(devices):
    """Tab. 2: the paper's number, its system, ours."""
    kinds = (("barrier", "none"), ("barrier",), ("none",))
    lines = [["FSE'17: Iris 6100", "its own", *TAB2]]
    lines += [[device, system, *slowdowns(run, barrier, "overhead_specialised", variant, kinds)]
              for device, run in devices for system, barrier, variant in SYSTEMS]
    return table(["device", "system", "all: mean", "max", "barriers: mean", "max", "work stealing: mean", "max"], lines)


def fig6_systems(devices):
    """Figs. 5 and 6 of one device, in the same columns."""
    (name, run), = devices
    heads = ["workload, task's workgroups", "FSE'17: overhead", "period"]
    for system, *_ in SYSTEMS:
        heads += [f"{name}, {system}: pairs", "overhead", "worst", "in time", "period", "gather p50", "worst p99"]
    lines = []
    for workload, groups in ((w, g) for w in WORKLOADS for g in GROUPS):
        line = [f"{workload}, {groups}", *FIG6.get((workload, groups), ("", ""))]
        for _, barrier, variant in SYSTEMS:
            r = over_pairs(run, workload, groups, barrier, variant)
            line += [str(r["pairs"] or ""), number(r["overhead"]), number(r["most_overhead"]), percent(r["in_time"]),
                     duration(r["period"]), gather_cell(r["p50"], r["gathered"]), duration(r["most_p99"])]
        lines.append(line)
    return table(heads, lines)


def fig5_systems(devices):
    """Fig. 5 of one device: gather time beside light tasks, and the times of light and heavy ones."""
    (name, run), = devices
    heads = ["pair, task's workgroups"]
    for system, *_ in SYSTEMS:
        heads += [f"{name}, {system}: gather p50", "worst", "light task", "heavy task"]
    lines = []
    for pair, app, inputs in FIG5:
        for groups in GROUPS:
            line = [f"{pair}, {groups}"]
            for _, barrier, variant in SYSTEMS:
                light, heavy = (next((c for c in of_pairs(run, workload, groups, barrier, variant)
                                      if c["params"]["app"] == app and c["params"]["input_name"] in inputs), None)
                                for workload in ("light", "heavy"))
                line += [gather_cell(metric(light, "gather_time"), gathered(light)) if light else "",
                         duration(metric(light, "gather_time", "max")) if light else "",
                         *(duration(metric(c, "exec_time")) if c else "" for c in (light, heavy))]
            lines.append(line)
    return table(heads, lines)


def best_alone(devices):
    """Each pair that both systems have: its time alone, and what heavy tasks cost it over that and over the better of the two."""
    (name, run), = devices
    systems = (("the authors' app, `regular`", "regular", "paper"), ("ours, `atomic`", "atomic", OURS))
    heads = ["app, input", "task's workgroups"]
    for system, *_ in systems:
        heads += [f"{name}, {system}: alone", "overhead", "task runs", "speed", "over the best alone"]
    lines, columns = [], {}
    for groups in ("N/4", "N-1"):
        found = [{(c["params"]["app"], c["params"]["input"]): c for c in of_pairs(run, "heavy", groups, barrier, variant)}
                 for _, barrier, variant in systems]
        for pair in sorted(set(found[0]) & set(found[1])):
            best = min(metric(cases[pair], "app_time_alone") for cases in found)
            line = [" ".join(pair), groups]
            for s, cases in enumerate(found):
                case = cases[pair]
                over = metric(case, "app_time") / best
                columns.setdefault((groups, s), []).append((metric(case, "overhead"), busy(case), kept_speed(case), over))
                line += [duration(metric(case, "app_time_alone")), *map(number, columns[groups, s][-1])]
            lines.append(line)
        if lines and (groups, 0) in columns:
            cells = [[number(statistics.median(values)) for values in zip(*columns[groups, s])] for s in range(len(systems))]
            lines.append([f"median of {len(columns[groups, 0])}", groups, *(c for of in cells for c in ("", *of))])
    return table(heads, lines)


# FSE'17's system as printed, and what each part of it does: the apps, their variant, the barriers
PRINTED = (("the authors' apps, all barriers resize", "paper", ("regular", "master", "model", "literal", "query", "none")),
           ("the same, one barrier a round resizes", "paper-once", ("regular", "master")),
           ("our apps", OURS, ("atomic", "none")))


def printed(devices):
    """The authors' apps with the barriers as printed, without tasks and beside heavy ones, over the pairs."""
    groups = ("N/2", "N-1")
    heads = ["device", "apps", "barrier", "pairs", "slowdown: mean", "max"]
    for g in groups:
        heads += [f"{g}: overhead", "worst", "gather p50", "worst p99"]
    lines = []
    for device, run in devices:
        for apps, variant, barriers in PRINTED:
            for barrier in barriers:
                line = [device, apps, "offers alone" if barrier == "none" else f"`{barrier}`"]
                found = [[c for c in of_pairs(run, "heavy", g, barrier, variant) if c["params"]["barrier"] == barrier] for g in groups]
                line += [str(len(found[0]) or ""), *slowdowns(run, barrier, "overhead_specialised", variant, (("barrier",),))]
                for cases in found:
                    r = over(cases)
                    line += [number(r["overhead"]), number(r["most_overhead"]), gather_cell(r["p50"], r["gathered"]),
                             duration(r["most_p99"])]
                lines.append(line)
    return table(heads, lines)
