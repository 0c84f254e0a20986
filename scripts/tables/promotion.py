# SPDX-License-Identifier: Apache-2.0
"""Programs that launch themselves, promoted (KLAP'16 Fig. 10), beside a launch of each step."""
from tables.common import duration, metric, number, table
from tables.klap import CHAINS, SIZES, mean, ratios
from tables.klap import cases as all_cases

SPECULATIVE = ",condition=found"
LAUNCHERS = ("host", "tail", "P", "P" + SPECULATIVE, "PO", "PO" + SPECULATIVE, "loop",
             "PA-2", "PA-128", "PA-all", "PAO-2", "PAO-128", "PAO-all")


def cases(run):
    """{(program, launcher, size): case} of programs that launch themselves."""
    return {key: c for key, c in all_cases(run).items() if key[0] in CHAINS}


def plain(found):
    """Each step launches the next one; or the host launches all, where no step was measured to do so."""
    return "tail" if any(key[1] == "tail" for key in found) else "host"


def speedup(found, launcher, size):
    """Over plain launches."""
    return mean(ratios(*(times(found, what, size) for what in (plain(found), launcher))))


def times(found, launcher, size):
    return [metric(c, "run_time") if c else None for c in (found.get((p, launcher, size)) for p in CHAINS)]


def rates(found, launcher, size):
    return [metric(c, "rate") if c else None for c in (found.get((p, launcher, size)) for p in CHAINS)]


def growth(found, launcher, size):
    """Throughput with large inputs over that of plain launches with smaller ones."""
    return mean(ratios(rates(found, launcher, "large"), rates(found, plain(found), size)))


def steps(found, launcher):
    """The shortest and the longest step with large inputs, of all programs."""
    times = sorted(metric(c, "step_time") for (_, what, of), c in found.items() if (what, of) == (launcher, "large"))
    return f"{duration(times[0])} to {duration(times[-1])}" if times else ""


def promotion(devices):
    """Fig. 10: geometric means over the programs."""
    paper = {("PAO-128", "medium"): "5.27 (CDP)"}
    heads = ["launcher", "KLAP'16, medium"]
    for name, _ in devices:
        heads += [f"{name}: {size}" for size in SIZES] + ["large : plain, small", ": plain, medium", "a step, large"]
    lines = []
    for launcher in LAUNCHERS:
        form = ", speculative" if launcher.endswith(SPECULATIVE) else ""
        line = [f"`{launcher.removesuffix(SPECULATIVE)}`{form}", paper.get((launcher, "medium"), "")]
        for _, run in devices:
            found = cases(run)
            line += [number(speedup(found, launcher, size), 2) for size in SIZES]
            line += [number(growth(found, launcher, size), 2) for size in SIZES[:2]] + [steps(found, launcher)]
        lines.append(line)
    return table(heads, lines)
