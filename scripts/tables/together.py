# SPDX-License-Identifier: Apache-2.0
"""Two kernels in one megakernel (`coopbench multitask --together`): pairs of apps."""
from statistics import median

from tables.common import duration, metric, number, rows, table

POLICY = "learned"
BETTER = 1.02  # STP: more than noise
CLOSE = 0.95  # what a policy is to reach of the best share


def pairs(run, policy=POLICY):
    """{(app, beside): case}"""
    return {(c["params"]["app"], c["params"]["beside"]): c for c in rows(run, "multitask")
            if c["params"].get("policy") == policy}


def together_stp(devices):
    """The STP of each pair; a device has a row for each app."""
    found = [(name, pairs(run)) for name, run in devices]
    apps = sorted({app for _, of in found for pair in of for app in pair})
    lines = []
    for name, of in found:
        for row in apps:
            cells = [of.get((row, column)) or of.get((column, row)) for column in apps]
            if any(cells):
                lines.append([name, f"`{row}`"] + [number(c and metric(c, "stp"), 2) for c in cells])
    return table(["device", "app"] + [f"`{app}`" for app in apps], lines)


def of_all(cases, name, statistic="median"):
    return [v for v in (metric(c, name, statistic) for c in cases) if v is not None]


def together_all(devices):
    """Over all pairs: what it brings, and what it costs."""
    lines = []
    for name, run in devices:
        of = pairs(run)
        if not of:
            continue
        stp = of_all(of.values(), "stp")
        least = min(of, key=lambda pair: metric(of[pair], "stp"))
        beside, resize = of_all(of.values(), "overhead_beside_nobody"), of_all(of.values(), "resize_time")
        last = of_all(of.values(), "resize_time", "p95")
        lines.append([name, f"{len(of)}", number(median(stp), 2), f"{number(min(stp), 2)} (`{least[0]}`, `{least[1]}`)",
                      f"{sum(v > BETTER for v in stp)}", number(median(of_all(of.values(), "antt")), 2),
                      number(median(beside)), duration(median(resize)) if resize else "",
                      duration(max(last)) if last else ""])
    return table(["device", "pairs", "STP", "least", f"STP over {BETTER}", "ANTT", "beside nobody", "resize",
                  "p95 of the slowest"], lines)


def together_search(devices):
    """What the policy that learns finds, beside the best of all fixed shares that were measured."""
    lines = []
    for name, run in devices:
        fixed = {}
        for c in rows(run, "multitask"):
            if c["params"].get("policy") == "fixed" and "beside" in c["params"]:
                fixed.setdefault((c["params"]["app"], c["params"]["beside"]), []).append(c)
        learned = pairs(run)
        found = {}
        for pair in set(fixed) & set(learned):
            best = max(metric(c, "stp") for c in fixed[pair])
            found[pair] = metric(learned[pair], "stp") / best
        if not found:
            continue
        least = min(found, key=found.get)
        shares = {c["params"]["share"] for of in fixed.values() for c in of}
        lines.append([name, f"{len(found)}", f"{len(shares)}", number(median(found.values())),
                      f"{number(found[least])} (`{least[0]}`, `{least[1]}`)", f"{sum(v >= CLOSE for v in found.values())}"])
    return table(["device", "pairs", "shares tried", "STP, learned : best fixed", "least", f"at least {CLOSE}"], lines)
