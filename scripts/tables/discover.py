# SPDX-License-Identifier: Apache-2.0
"""Workgroups that the protocols of OOPSLA'16 find, beside the paper's (Tabs. 3 and 5)."""
from tables.common import metric, rows, table

# Tab. 3: bound, found on average with the ticket lock and with the spin lock, of GTX 980 and Quadro K5200
TAB3 = {"11": ("512", "512.0", "24.9", "192", "192.0", "10.1"), "L1": ("32", "32.0", "4.0", "12", "12.0", "1.1"),
        "1W": ("32", "32.0", "3.3", "24", "24.0", "3.7"), "LW": ("32", "32.0", "3.1", "12", "12.0", "2.3")}
# Tab. 5: CPU, bound, found after each delay
DELAYS = ("0", "10", "100", "1000", "10000", "30000", "adaptive")
TAB5 = (("Intel i7-5600U (paper)", "4", "1.0", "1.3", "3.3", "4.0", "", "", ""),
        ("AMD A10-7850K (paper)", "4", "1.0", "1.0", "1.5", "3.8", "", "", ""))


def found(run, case, name="groups_found", statistic="mean"):
    """Workgroups; empty if there is no such case."""
    for c in rows(run, "discover"):
        if c["id"] == f"discover/{case}":
            return f"{metric(c, name, statistic):.5g}"
    return ""


def discovery(devices):
    """Tab. 3: without delay."""
    heads = ["microbenchmark", "980: bound", "TL", "SL", "K5200: bound", "TL", "SL"]
    for name, _ in devices:
        heads += [f"{name}: bound", "TL", "SL", "lock-free (ours)"]
    lines = [[kernel, *paper, *(cell for _, run in devices for cell in (
        found(run, f"bound/{kernel}", "groups_bound", "median"), found(run, f"ticket/{kernel}/delay=0"),
        found(run, f"spin/{kernel}/delay=0"), found(run, f"lockfree/{kernel}")))] for kernel, paper in TAB3.items()]
    return table(heads, lines)


def discovery_delays(devices):
    """Tab. 5: with the ticket lock, after a delay."""
    lines = [list(line) for line in TAB5]
    for name, run in devices:
        lines.append([name, found(run, "bound/11", "groups_bound", "median"),
                      *(found(run, f"ticket/11/delay={delay}") for delay in DELAYS)])
    return table(["device", "bound", *DELAYS], lines)
