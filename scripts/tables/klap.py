# SPDX-License-Identifier: Apache-2.0
"""What KLAP'16's tables have in common: cases by program, launcher and size, and the CUDA twin's as if they were ours.

A CUDA twin (scripts/twins/klap) prints CSV; its launchers get the names of ours. Of several that are the same to us
the fastest counts, as the paper takes the faster one of two kinds of streams.
"""
import math

import runs

from tables import kept
from tables.common import metric, rows

SIZES = ("small", "medium", "large")
# Table I's, over which means are; and those for the price of a launch. Others are found in the runs that have them.
PARENTS = ("bfs_nested", "bh", "bt", "ccl", "gc", "mstf", "mstv", "qt", "sp", "sssp_nested")
FILLS = ("equal", "equal128", "power")
OF_PARENTS = ("serial", "flat", "thread", "warp", "block", "multiblock", "grid", "ahead")  # and of no other program
# Elements, in SIZES (probes/launch/promotion/programs.c)
ELEMENTS = {"los": (511, 6399, 49407), **dict.fromkeys(("pd", "upd"), (120 ** 2, 450 ** 2, 4600 ** 2)),
            **dict.fromkeys(("pt", "sc", "unq"), (16384, 204800, 25174016))}
CHAINS = tuple(ELEMENTS)
# The twin's launchers
OURS = {"none": "serial", "flat": "flat", **dict.fromkeys(("cdp", "cdp-null", "cdp-thread", "cdp-stream"), "thread"),
        "agg-warp": "warp", "agg-block": "block", **dict.fromkeys(("agg-grid", "agg-last"), "grid"),
        **{name: name for name in ("tail", "P", "PO", "loop", "host")}, "graph": "host", "PA": "PA-all",
        "PAO": "PAO-all"}


def is_right(row):
    return row["verified"] == "yes" and not row["reason"] and bool(row["median_ns"])


def twin_case(row):
    program, size, ns = row["program"], row["size"], float(row["median_ns"])
    metrics = {"run_time": ns}
    if program in ELEMENTS:
        metrics["step_time"] = ns / float(row["launches"])
        metrics["rate"] = ELEMENTS[program][SIZES.index(size)] / (ns / 1e9)
    tuned = f",threshold={row['threshold']}" if int(row["threshold"]) > 1 else ""
    return {"id": f"launch/{program}/{OURS[row['launcher']]}{tuned}/{size}", "bench": "launch", "status": "ok",
            "cuda": row["launcher"] + tuned, "metrics": [{"name": name, "median": value} for name, value in metrics.items()]}


def twin(text):
    """A twin's CSV, or several in one, as a run."""
    found = [row for row in runs.csv_rows(text.splitlines()) if is_right(row)]
    return {"twin": sorted({row["device"] for row in found}), "about": kept.about(text),
            "cases": [twin_case(row) for row in found]}


def cases(run, option=""):
    """{(program, launcher, size): case}, the fastest of several that are called the same. option: only those that were
    measured with it, such as "breakdown"; without it, those of plain times."""
    found = {}
    for case in rows(run, "launch"):
        *key, with_option = (case["id"] + "/").split("/")[1:5]
        key = tuple(key)
        if with_option == option and (key not in found or metric(case, "run_time") < metric(found[key], "run_time")):
            found[key] = case
    return found


def other_parents(all_found):
    """Programs with children that are in neither list, of any of the runs."""
    own = {program for found in all_found for program, launcher, _ in found if launcher in OF_PARENTS}
    return tuple(sorted(own - {*PARENTS, *FILLS}))


def time(found, program, launcher, size):
    case = found.get((program, launcher, size))
    return metric(case, "run_time") if case else None


def mean(ratios):
    """The geometric one."""
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else None


def ratios(over, under):
    """Of those pairs of times that are known."""
    return [a / b for a, b in zip(over, under) if a and b]


def of_programs(found, most):
    """A mean, and of how many programs it is, if not of all that there are."""
    return "" if not found else f"{mean(found):.2f}" + ("" if len(found) == most else f" ({len(found)})")
