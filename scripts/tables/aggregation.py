# SPDX-License-Identifier: Apache-2.0
"""Programs whose work-items launch children (KLAP'16 Section II, Fig. 8), with the paper's large inputs."""
from tables.common import duration, table
from tables.klap import FILLS, PARENTS, SIZES, cases, mean, of_programs, other_parents, ratios, time

PLAIN, NONE, SIZE = "thread", "serial", "large"
AGGREGATED = ("warp", "block", "multiblock", "grid", "ahead")
BY_SCAN, EACH, NOTED = ",places=scan", ",places=sequential", ",child-size=noted"
# The paper has a prefix sum for warps and workgroups, and additions of each launch, in no order, for the grid (Section
# II-B); each launch notes the size of its child's workgroups (Section II-A).
PRINTED = {"warp": BY_SCAN + NOTED, "block": BY_SCAN + NOTED, "grid": EACH + NOTED}
PAPER = {"warp": "3.98", "block": "4.94", "grid": "6.58"}  # K40c, W, B, K
LAUNCHERS = ("host", PLAIN, "warp", "block", "multiblock", "grid", "ahead", "flat", NONE)
# Forms of launchers that aggregate, beside the one without any of these options
FORMS = {"prefix sum": BY_SCAN, "each its own addition": EACH, "sizes noted": NOTED, "sizes by items": ",child-size=items",
         "arguments in arrays": ",arguments=arrays"}
PAPER_BEST = "1.6 of the 6 that gain; 6 of 7, 1.2 to 3.7"


def times(found, launcher, size=SIZE):
    """Of the paper's programs; None: there is no such case."""
    return [time(found, program, launcher, size) for program in PARENTS]


def best_times(found):
    """By the fastest of the launchers that aggregate."""
    return [min((t for t in of if t), default=None) for of in zip(*(times(found, launcher) for launcher in AGGREGATED))]


def gains(found):
    """How many of the programs are faster than without launches, and how much those are."""
    known = ratios(times(found, NONE), best_times(found))
    won = sorted(r for r in known if r > 1)
    text = f"{mean(won):.3g} of the {len(won)} that gain; " if won else ""
    spread = f", {won[0]:.3g} to {won[-1]:.3g}" if won else ""
    return f"{text}{len(won)} of {len(known)}{spread}" if known else ""


def how_many(found):
    """Programs of the paper that a run has with these inputs."""
    return sum(1 for program in PARENTS if any(key[0] == program and key[2] == SIZE for key in found))


def speedups(devices, launcher):
    """Over plain launches, and over none, on each device."""
    cells = []
    for _, run in devices:
        found = cases(run)
        cells += [of_programs(ratios(times(found, base), times(found, launcher)), how_many(found))
                  for base in (PLAIN, NONE)]
    return cells


def aggregation(devices):
    """Fig. 8: geometric means over the paper's programs."""
    heads = ["launcher", "KLAP'16: over CDP", "over no launches"]
    for name, _ in devices:
        heads += [f"{name}: over `{PLAIN}`", f"over `{NONE}`"]
    lines = []
    for launcher in LAUNCHERS:
        if launcher in PRINTED:
            lines.append([f"`{launcher}`, as printed", PAPER[launcher], "", *speedups(devices, launcher + PRINTED[launcher])])
        lines.append([f"`{launcher}`", "", "", *speedups(devices, launcher)])
    line = ["the best that aggregates", "", PAPER_BEST]
    for _, run in devices:
        found = cases(run)
        line += [of_programs(ratios(times(found, PLAIN), best_times(found)), how_many(found)), gains(found)]
    return table(heads, lines + [line])


def aggregation_forms(devices):
    """How many times as fast each form is as the launcher without it."""
    heads = ["launcher", *(f"{name}: {form}" for name, _ in devices for form in FORMS)]
    lines = []
    for launcher in ("thread", *AGGREGATED):
        line = [f"`{launcher}`"]
        for _, run in devices:
            found = cases(run)
            line += [of_programs(ratios(times(found, launcher), times(found, launcher + form)), how_many(found))
                     for form in FORMS.values()]
        lines.append(line)
    return table(heads, lines)


def tessellation(devices):
    """The Bezier lines of KLAP's two inputs."""
    shown = (NONE, "flat", PLAIN, *AGGREGATED)
    lines = []
    for points, size in (("T32/C16", SIZE), ("T2048/C64", "input")):
        lines += [[points, name, *(duration(time(found, "bt", launcher, size)) for launcher in shown)]
                  for name, found in ((name, cases(run)) for name, run in devices)]
    return table(["lines", "device", *(f"`{launcher}`" for launcher in shown)], lines)


def recursion(devices):
    """The quadtree, whose children launch, to several depths, beside rounds of launches."""
    launchers = ("thread", "grid", "recursive")
    lines = []
    for depth in (6, 12, 18):
        of_depth = "" if depth == 12 else f",depth={depth}"
        cells = [duration(time(found, "qt", launcher + of_depth, SIZE))
                 for found in (cases(run) for _, run in devices) for launcher in launchers]
        lines.append([str(depth), *cells])
    return table(["depth", *(f"{name}: `{launcher}`" for name, _ in devices for launcher in launchers)], lines)


def fastest(found, program):
    """Of all launchers, with thresholds and factors, too."""
    known = [(time(found, *key), key[1]) for key in found if key[0] == program and key[2] == SIZE]
    return f"`{min(known)[1]}`" if known else ""


def aggregation_programs(devices):
    """Each program on each device that has it."""
    shown = (NONE, "flat", "host", PLAIN, *AGGREGATED)
    of = [(name, cases(run)) for name, run in devices]
    lines = []
    for program in PARENTS + other_parents(found for _, found in of) + FILLS:
        for name, found in of:
            if fastest(found, program):
                lines.append([f"`{program}`", name, *(duration(time(found, program, l, SIZE)) for l in shown),
                              fastest(found, program)])
    return table(["program", "device", *(f"`{launcher}`" for launcher in shown), "fastest"], lines)
