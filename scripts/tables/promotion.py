# SPDX-License-Identifier: Apache-2.0
"""Programs that launch themselves, promoted (KLAP'16 Fig. 10), beside a launch of each step by the host."""
import math

from tables.common import duration, metric, number, rows, table

SIZES = ("small", "medium", "large")
LAUNCHERS = ("host", "loop", "PA-2", "PA-128", "PA-all", "PAO-2", "PAO-128", "PAO-all")


def cases(run):
    """{(program, launcher, size): case} of programs that launch themselves."""
    return {tuple(c["id"].split("/")[1:]): c for c in rows(run, "launch") if metric(c, "step_time")}


def mean(ratios):
    """The geometric one."""
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else None


def speedup(found, launcher, size):
    """Over a launch of each step by the host, and of how many programs."""
    return mean([metric(found[p, "host", size], "run_time") / metric(c, "run_time")
                 for (p, what, of), c in found.items() if (what, of) == (launcher, size) and (p, "host", size) in found])


def growth(found, launcher, size):
    """Throughput with large inputs over that of the host with smaller ones."""
    return mean([metric(c, "rate") / metric(found[p, "host", size], "rate")
                 for (p, what, of), c in found.items() if (what, of) == (launcher, "large") and (p, "host", size) in found])


def steps(found, launcher):
    """The shortest and the longest step with large inputs, of all programs."""
    times = sorted(metric(c, "step_time") for (_, what, of), c in found.items() if (what, of) == (launcher, "large"))
    return f"{duration(times[0])} to {duration(times[-1])}" if times else ""


def promotion(devices):
    """Fig. 10: geometric means over the programs."""
    paper = {("PAO-128", "medium"): "5.27 (CDP)"}
    heads = ["launcher", "KLAP'16, medium"]
    for name, _ in devices:
        heads += [f"{name}: {size}" for size in SIZES] + ["large : host's small", ": host's medium", "a step, large"]
    lines = []
    for launcher in LAUNCHERS:
        line = [f"`{launcher}`", paper.get((launcher, "medium"), "")]
        for _, run in devices:
            found = cases(run)
            line += [number(speedup(found, launcher, size), 2) for size in SIZES]
            line += [number(growth(found, launcher, size), 2) for size in SIZES[:2]] + [steps(found, launcher)]
        lines.append(line)
    return table(heads, lines)
