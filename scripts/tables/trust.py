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
