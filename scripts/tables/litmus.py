# SPDX-License-Identifier: Apache-2.0
"""Litmus tests (`coopbench litmus`): how often weak outcomes were seen, by the order of the accesses."""
from tables.common import metric, rows, table

ORDERINGS = ("relaxed", "fences", "acqrel")
FORBIDDEN = {"CoRR": ORDERINGS, "CoWR": ORDERINGS, "MP": ORDERINGS[1:], "LB": ORDERINGS[1:], "S": ORDERINGS[1:]}


def in_a_million(case, forbidden):
    """Weak outcomes in a million instances, of all samples."""
    weak, played = metric(case, "weak", "mean"), metric(case, "instances", "mean")
    rate = 1e6 * weak / played
    shown = "0" if weak == 0 else "< 0.01" if rate < 0.01 else f"{rate:.0f}" if rate >= 100 else f"{rate:.2g}"
    return shown + (", forbidden" if forbidden else "")


def litmus(devices):
    """A row for each test and scope; a column for each order."""
    lines = []
    for name, run in devices:
        found = {}
        for case in rows(run, "litmus"):
            of = case["params"]
            found.setdefault((of["test"], of["scope"]), {})[of["ordering"]] = in_a_million(
                case, of["ordering"] in FORBIDDEN.get(of["test"], ()))
        lines += [[name, f"{test}, {scope}"] + [cells.get(ordering, "") for ordering in ORDERINGS]
                  for (test, scope), cells in sorted(found.items(), key=lambda of: (of[0][1] != "workgroups", of[0]))]
    return table(["device", "weak outcomes in a million"] + [f"`{ordering}`" for ordering in ORDERINGS], lines)
