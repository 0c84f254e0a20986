# SPDX-License-Identifier: Apache-2.0
"""How far `coopbench history` can be trusted (scripts/history-trust.py)."""
from tables.common import table


def histories(devices):
    """(name, those of one kind)."""
    for device, kept in devices:
        for name in dict.fromkeys(h["name"] for h in kept["histories"]) if kept else []:
            yield (f"A/A, {device}" if name == "A/A" else name), [h for h in kept["histories"] if h["name"] == name]


def history_trust(devices):
    """False change points, by the kind of noise."""
    lines = [[name, f"{len(of)} x {of[0]['runs']} of {of[0]['cases']}", str(sum(len(h["points"]) for h in of)),
              str(sum(len(h["ever"]) for h in of))] for name, of in histories(devices)]
    return table(["nothing changes", "histories x runs of cases", "false, all runs at once",
                  "false, ever announced"], lines)


def share(steps, hit):
    hits = sum(place is not None and hit(at, place) for _, at, place in steps)
    return f"{hits} of {len(steps)}" if steps else "none there"


def history_steps(devices):
    """Steps found five runs later, by the kind of noise and whether it allows that."""
    lines = []
    for name, of in histories(devices):
        for steps in (s for h in of for s in h["steps"]):
            for key, text in (("allowed", "noise allows"), ("others", "others")):
                if steps[f"{key}_places"] or key == "allowed":
                    lines.append([f"{100 * steps['size']:g} % in {name}, {text}",
                                  f"{100 * steps[f'{key}_places'] / max(1, steps['places']):.0f} %",
                                  share(steps[key], lambda at, place: True),
                                  share(steps[key], lambda at, place: abs(at - place) <= 1)])
    return table(["steps", "places of this kind", "found", "found within one run of the true place"], lines)


ENOUGH = 0.9  # of the tries of a pair, so that a step is called found there


def worst(grid, least):
    """Share of the tries that the worst pair of so many runs or more has found."""
    first = least - grid["least"]
    return min(n for row in grid["found"][first:] for n in row[first:]) / grid["tries"]


def from_on(grid):
    """From how many runs before and after on every pair is found. None: never."""
    sizes = range(grid["least"], grid["least"] + len(grid["found"]))
    return next((n for n in sizes if worst(grid, n) >= ENOUGH), None)


def cell(grid):
    least = from_on(grid)
    return "never" if least is None else f"{least} ({100 * worst(grid, least):.0f} %)"


def history_power(kept):
    """From how many runs on a step is found, by its size and the number of series."""
    grids = kept[0][1]["grids"] if kept[0][1] else []
    series = sorted({g["series"] for g in grids})
    lines = []
    for noise, step in dict.fromkeys((g["noise"], g["step"]) for g in grids):
        of = {g["series"]: g for g in grids if (g["noise"], g["step"]) == (noise, step)}
        lines.append([f"{step:g}, {noise}", *(cell(of[n]) for n in series)])
    return table(["step in standard deviations, noise", *(f"one of {n} series" if n > 1 else "one series" for n in series)],
                 lines)
