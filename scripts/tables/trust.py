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


def leasts(grid):
    """Of both numbers of a pair."""
    least = grid["least"]
    return least if isinstance(least, list) else [least, least]


# How compare is asked: what its table is called, and from how many of the second number on, if that is of another kind.
WAYS = {"rounds": ("rounds on either side", None), "baselines, samples": ("baselines of one process", 9),
        "baselines, rounds": ("baselines, all of 10 rounds or more", 10)}


def worst(grid, least):
    """Share of the tries that the worst pair of so many or more has found."""
    rows, columns = leasts(grid)
    second = WAYS.get(grid.get("of"), ("", None))[1] or least
    return min(n for row in grid["found"][least - rows:] for n in row[second - columns:]) / grid["tries"]


def from_on(grid):
    """From how many on every pair is found. None: never."""
    first = leasts(grid)[0]
    return next((n for n in range(first, first + len(grid["found"])) if worst(grid, n) >= ENOUGH), None)


def cell(grid):
    if not grid["step"]:  # the chance of one or more in so many cases
        alarms = sum(map(sum, grid["found"])) / grid["tries"] / sum(map(len, grid["found"]))
        return f"{100 * (1 - (1 - alarms) ** grid['series']):.1f} %"
    least = from_on(grid)
    return "never" if least is None else f"{least} ({100 * worst(grid, least):.0f} %)"


def power_lines(grids):
    """A line for each step and noise, with a cell for each number of series."""
    for noise, step in dict.fromkeys((g["noise"], g["step"]) for g in grids):
        cells = [cell(g) for g in grids if (g["noise"], g["step"]) == (noise, step)]
        yield [f"{step:g}, {noise}" if step else f"false alarms, {noise}", *cells]


def history_power(kept):
    """From how many runs on a step is found, by its size and the number of series."""
    grids = kept[0][1]["grids"] if kept[0][1] else []
    heads = (f"one of {n} series" if n > 1 else "one series" for n in sorted({g["series"] for g in grids}))
    return table(["step in standard deviations, noise", *heads], list(power_lines(grids)))


def compare_power(kept):
    """The same of compare, by how it is asked."""
    grids = kept[0][1]["grids"] if kept[0][1] else []
    heads = [f"one of {n} cases" if n > 1 else "one case" for n in sorted({g["series"] for g in grids})]
    return "\n".join(table([f"{name}: step, noise", *heads], list(power_lines([g for g in grids if g["of"] == of])))
                     for of, (name, _) in WAYS.items())
