# SPDX-License-Identifier: Apache-2.0
"""Litmus tests (`coopbench litmus`): how often weak outcomes were seen, by the order of the accesses."""
import pathlib
import re

from tables.common import metric, rows, table

ORDERINGS = ("relaxed", "fences", "acqrel")
TESTS = pathlib.Path(__file__).resolve().parents[2] / "probes/litmus/litmus_abi.h"  # each a row, TEST(...)
FORBIDDEN = {"NEVER": ORDERINGS, "RELAXED": ORDERINGS[1:], "ALWAYS": ()}  # by the orders that allow the weak outcome


def forbidden_of_tests():
    """{test: the orders that forbid its weak outcome}"""
    row = re.compile(r'TEST\(\w+, "([^"]*)", "[^"]*", "[^"]*", (\w+),')
    return {name: FORBIDDEN[allowed] for name, allowed in row.findall(re.sub(r"[\s\\]+", " ", TESTS.read_text()))}


def in_a_million(case, forbidden):
    """Weak outcomes in a million instances, of all samples."""
    weak, played = metric(case, "weak", "mean"), metric(case, "instances", "mean")
    rate = 1e6 * weak / played
    shown = "0" if weak == 0 else "< 0.01" if rate < 0.01 else f"{rate:.0f}" if rate >= 100 else f"{rate:.2g}"
    return shown + (", forbidden" if forbidden else "")


def litmus(devices):
    """A row for each test and scope; a column for each order."""
    lines, forbidden = [], forbidden_of_tests()
    for name, run in devices:
        found = {}
        for case in rows(run, "litmus"):
            of = case["params"]
            found.setdefault((of["test"], of["scope"]), {})[of["ordering"]] = in_a_million(
                case, of["ordering"] in forbidden.get(of["test"], ()))
        lines += [[name, f"{test}, {scope}"] + [cells.get(ordering, "") for ordering in ORDERINGS]
                  for (test, scope), cells in sorted(found.items(), key=lambda of: (of[0][1] != "workgroups", of[0]))]
    return table(["device", "weak outcomes in a million"] + [f"`{ordering}`" for ordering in ORDERINGS], lines)
