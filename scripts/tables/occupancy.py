# SPDX-License-Identifier: Apache-2.0
"""How many children, or steps, run at once (KLAP'16 Section IV-A, Fig. 11), over each launch on its own."""
from tables.common import metric, number, table
from tables.klap import CHAINS, PARENTS, cases, mean, ratios

# Programs and the paper's gain of W, B and K, of a K40c by its profiler: warps, on average.
PAPER = ((("bfs_nested", "gc", "mstf", "mstv", "sp"), ("2.81", "3.24", "3.51")), (("sssp_nested",), ("6.35", "7.95", "6.68")),
         (("bh",), ("3.83", "3.83", "3.82")))
TURNS = "turns"  # in the place of a number that is no parallelism
NAMES = ("five", "sssp", "bh", "all")
CHILDREN = ("thread", "warp", "block", "multiblock", "grid", "ahead")
STEPS = ("host", "tail", "P", "PO", "loop", "PA-2", "PA-128", "PA-all", "PAO-2", "PAO-128", "PAO-all")


def values(run, name, programs, launcher, size):
    found = cases(run, "occupancy")
    return [metric(c, name) if c else None for c in (found.get((p, launcher, size)) for p in programs)]


def most_at_once(run):
    """How many workgroups can run at once: on a CPU no more than it has units, since what is more takes turns."""
    device = run["devices"][0] if run and run.get("devices") else {}
    return device.get("compute_units") if device.get("type") == "cpu" else None


def gain(run, name, programs, launcher, plain, size):
    most = most_at_once(run)
    if name == "at_once" and most and any(value and value > most for by in (launcher, plain)
                                          for value in values(run, name, programs, by, size)):
        return TURNS
    return number(mean(ratios(values(run, name, programs, launcher, size), values(run, name, programs, plain, size))), 2)


def children_at_once(devices):
    """Of the paper's programs with large inputs, geometric means over `thread`."""
    sets = [programs for programs, _ in PAPER] + [PARENTS]
    paper = {launcher: [gains[i] for _, gains in PAPER] for i, launcher in enumerate(("warp", "block", "grid"))}
    heads = ["launcher"] + [f"KLAP'16: {name}" for name in NAMES[:3]]
    for name, _ in devices:
        heads += [f"{name}: {of}" for of in NAMES] + ["children a second"]
    lines = []
    for launcher in CHILDREN:
        line = [f"`{launcher}`"] + paper.get(launcher, [""] * 3)
        for _, run in devices:
            line += [gain(run, "at_once", programs, launcher, "thread", "large") for programs in sets]
            line.append(gain(run, "launch_rate", PARENTS, launcher, "thread", "large"))
        lines.append(line)
    return table(heads, lines)


def steps_at_once(devices):
    """Fig. 11, with medium inputs: geometric means over the programs."""
    heads = ["launcher"]
    for name, _ in devices:
        heads += [f"{name}: at once", ": `tail`", "elements a second : `tail`", "waiting"]
    lines = []
    for launcher in STEPS:
        line = [f"`{launcher}`"]
        for _, run in devices:
            at_once = [v for v in values(run, "at_once", CHAINS, launcher, "medium") if v]
            waiting = [v for v in values(run, "waiting", CHAINS, launcher, "medium") if v is not None]
            line += [number(mean(at_once), 2)]
            line += [gain(run, name, CHAINS, launcher, "tail", "medium") for name in ("at_once", "rate")]
            line.append(f"{100 * sum(waiting) / len(waiting):.0f} %" if waiting else "")
        lines.append(line)
    return table(heads, lines)
