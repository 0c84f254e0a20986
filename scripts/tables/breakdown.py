# SPDX-License-Identifier: Apache-2.0
"""Where the time of the longest round goes (KLAP'16 Fig. 9), and what the paper says of it."""
from tables.common import duration, metric, percent, table
from tables.klap import PARENTS, cases, time

PLAIN, SIZE = "thread", "large"
LAUNCHERS = (PLAIN, "warp", "block", "multiblock", "grid", "ahead")
GRANULARITIES = (PLAIN, "warp", "block", "grid")  # CDP, W, B, K
PARTS = ("parent_time", "aggregation_time", "launch_time", "work_time")
SIX = ("bfs_nested", "bt", "gc", "mstf", "mstv", "sp")  # of which the paper says the same


def part(found, program, launcher, name):
    case = found.get((program, launcher, SIZE))
    return metric(case, name) if case else None


def breakdown(devices):
    """Each part as a share of the time with a launch each, as in the picture."""
    heads = ["program", "launcher", *(f"{name}: {what}" for name, _ in devices
                                      for what in ("time", "parents", "aggregation", "launches", "work"))]
    of = [cases(run, "breakdown") for _, run in devices]
    lines = []
    for program in PARENTS:
        for launcher in LAUNCHERS:
            cells = []
            for found in of:
                whole = part(found, program, PLAIN, "run_time")
                parts = [part(found, program, launcher, name) for name in PARTS]
                cells += [duration(part(found, program, launcher, "run_time")),
                          *(percent(t / whole) if t is not None and whole else "" for t in parts)]
            lines += [[f"`{program}`", f"`{launcher}`", *cells]] if any(cells) else []
    return table(heads, lines)


def known(found, program, name):
    """A part by CDP, W, B and K; None: one of them was not measured."""
    values = [part(found, program, launcher, name) for launcher in GRANULARITIES]
    return None if None in values else values


def dominates(found, program):
    times, launches = known(found, program, "run_time"), known(found, program, "launch_time")
    return times and launches[0] > times[0] / 2


def launches_fall(found, program):
    values = known(found, program, "launch_time")
    return values and all(a > b for a, b in zip(values, values[1:]))


def aggregation_grows(found, program):
    values = known(found, program, "aggregation_time")
    return values and min(values[1:]) > values[0]


def work_falls(found, program):
    values = known(found, program, "work_time")
    return values and max(values[1:]) < values[0]


def does_not_dominate(found, program):
    found_dominates = dominates(found, program)
    return None if found_dominates is None else not found_dominates


def slower_by_grid(found, program):
    values = known(found, program, "run_time")
    return values and values[3] > values[2]


def launches_fall_by_grid(found, program):
    values = known(found, program, "launch_time")
    return values and values[3] < values[0] / 2


def not_fewer_launches(found, program):
    values = known(found, program, "launch_time")
    return values and min(values[1:3]) > values[0] / 2


CLAIMS = (
    ("launches are over half of the time of each on its own", SIX, dominates),
    ("launches take less with each granularity", SIX, launches_fall),
    ("aggregation takes more than with each on its own", SIX, aggregation_grows),
    ("work takes less than with each on its own", SIX, work_falls),
    ("the same of launches, aggregation and work", ("sssp_nested",),
     lambda *of: all_of((dominates, launches_fall, aggregation_grows, work_falls), *of)),
    ("K takes longer than B", ("sssp_nested",), slower_by_grid),
    ("launches are not over half", ("bh",), does_not_dominate),
    ("work takes less", ("bh",), work_falls),
    ("W and B do not halve the launches' time", ("qt",), not_fewer_launches),
    ("K halves it", ("qt",), launches_fall_by_grid),
)


def all_of(claims, *of):
    found = [claim(*of) for claim in claims]
    return None if None in found else all(found)


def holds(found, programs, claim):
    """Of which of the programs it holds, in words."""
    told = {program: claim(found, program) for program in programs}
    told = {program: bool(held) for program, held in told.items() if held is not None}
    if not told:
        return ""
    if len(programs) == 1:
        return "yes" if all(told.values()) else "no"
    failing = [f"`{program}`" for program, held in told.items() if not held]
    return f"{sum(told.values())} of {len(told)}" + (f"; not {', '.join(failing)}" if failing else "")


def breakdown_claims(devices):
    """What the paper says of Fig. 9, of each of its programs."""
    of = [cases(run, "breakdown") for _, run in devices]
    return table(["programs", "KLAP'16", *(name for name, _ in devices)],
                 [[", ".join(f"`{program}`" for program in programs), text, *(holds(found, programs, claim) for found in of)]
                  for text, programs, claim in CLAIMS])
