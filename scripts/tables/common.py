# SPDX-License-Identifier: Apache-2.0
"""What the tables of documents have in common: cases of a run, numbers, Markdown."""
import math
import pathlib
import re

OURS, EVERY = "ours", None  # variants of apps
MET = 0.95  # of the tasks in time: the deadline is met
BARRIER = "atomic"
GROUPS = ("1", "N/4", "N/2", "N-1")
WORKLOADS = {"light": (70, 3), "medium": (40, 3), "heavy": (40, 10)}  # period, duration in ms
# FSE'17 Tab. 3
TAB3 = {"light": "1.04 (N/4)", "medium": "1.08 (N/4)", "heavy": "1.47 (N/2)"}


QUOTED = pathlib.Path(__file__).resolve().parents[2] / "probes/launch/quoted.h"


def quoted(name):
    """A number of a paper that the program quotes, too: as its header has it."""
    return re.search(rf"#define CB_{name} +([\d.]+)$", QUOTED.read_text(), re.M).group(1)


def label(name, run):
    """A device's name in a table, with the scale of its inputs, if one was asked for."""
    entries = run.get("invocation", {}).get("entries", []) if run else []
    scales = dict.fromkeys(scale for entry in entries for scale in entry["options"].get("scale", []))
    return f"{name}, `--scale {', '.join(scales)}`" if scales else name


def variant_of(case):
    return case.get("params", {}).get("variant", OURS)


def rows(run, bench, variant=OURS):
    """Cases of a bench that are ok, with the apps of one variant, so that no table mixes them unawares; EVERY: for a table
    that names the variant of each."""
    return [c for c in run["cases"] if c["bench"] == bench and c["status"] == "ok"
            and variant in (EVERY, variant_of(c))] if run else []


def metric(case, name, statistic="median"):
    found = [m for m in case["metrics"] if m["name"] == name]
    return found[0].get(statistic) if found else None


def in_time(case):
    """Share of the tasks that were answered before the next was due."""
    return metric(case, "deadlines_met", "mean") or 0


def number(value, digits=3):
    return "" if value is None else f"{value:.{digits}f}"


def percent(share):
    return "" if share is None else f"{100 * share:.0f} %"


def duration(ns):
    if ns is None:
        return ""
    for limit, factor, unit in ((1e3, 1, "ns"), (1e6, 1e3, "µs"), (1e9, 1e6, "ms"), (math.inf, 1e9, "s")):
        if ns < limit:
            return f"{float(f'{ns / factor:.3g}'):g} {unit}"


def joined(least, most):
    """The unit of both only once."""
    if least == most:
        return least
    (first, _, unit), (_, _, other) = least.partition(" "), most.partition(" ")
    return f"{first if unit == other else least} to {most}"


def table(heads, lines):
    rule = ["---"] + ["---:"] * (len(heads) - 1)
    return "".join("| " + " | ".join(line) + " |\n" for line in [heads, rule] + lines)
