# SPDX-License-Identifier: Apache-2.0
"""The price of a launch: children of programs that do next to nothing, a second."""
from tables.common import table
from tables.klap import FILLS, SIZES, cases, time

# Three of four parents launch (nest_launches() in apps/nested/programs/nest_abi.h).
LAUNCHES = {"small": 762, "medium": 12284, "large": 196612}
LAUNCHERS = ("host", "thread", "warp", "block", "multiblock", "grid", "ahead")


def rate(found, program, launcher, size):
    ns = time(found, program, launcher, size)
    return f"{LAUNCHES[size] / ns * 1e3:.3g} M" if ns else ""


def launch_rates(devices):
    heads = ["program", "launcher"]
    for name, _ in devices:
        heads += [f"{name}: {LAUNCHES[size]}" for size in SIZES]
    lines = []
    for program in FILLS:
        for launcher in LAUNCHERS:
            cells = [rate(found, program, launcher, size) for found in (cases(run) for _, run in devices)
                     for size in SIZES]
            lines += [[f"`{program}`", f"`{launcher}`", *cells]] if any(cells) else []
    return table(heads, lines)
